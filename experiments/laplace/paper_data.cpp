#include "experiments/laplace/paper_data.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tamis::experiments::laplace {
namespace {

// Mean and standard error over the paper's 10 splits. Errors of classes are percentages, their standard errors shares:
// "6.69 +- 0.002" is 0.2 %.
struct Printed {
  double mean, standard_error;
};
constexpr std::array methods = {"lasso", "elastic net", "capped L1", "ard", "ep-l", "flas*", "flas"};
constexpr double splits = 10;

struct Line {
  PaperDataSet set;
  std::array<Printed, methods.size()> errors;
};

const std::vector<Line>& table() {
  static const std::vector<Line> lines = {
      {{"gse5680", 120, 18976, false},
       {{{.107, .003}, {.107, .003}, {.107, .003}, {.136, .005}, {.72, .001}, {.111, .002}, {.089, .002}}}},
      {{"10k corpus", 19395, 150360, false},
       {{{.382, .002}, {.382, .002}, {.382, .002}, {.382, .384}, {.385, .003}, {.383, .003}, {.372, .003}}}},
      {{"tied", 750, 999, false},
       {{{.656, .013}, {.627, .014}, {.656, .013}, {.532, .017}, {1.11, .2}, {.632, .017}, {.656, .013}}}},
      {{"house", 22784, 138, false},
       {{{1.576, .011}, {1.578, .017}, {1.587, .012}, {.435, .0006}, {.430, .0002}, {.441, 9.5e-4}, {.425, .002}}}},
      {{"year", 515345, 90, false},
       {{{.296, .009}, {.293, .007}, {.307, .004}, {.306, .006}, {.32, .002}, {.232, 5.04e-4}, {.234, .0001}}}},
      {{"dlbcl", 240, 7399, false},
       {{{1.76, .026}, {1.75, .027}, {1.75, .028}, {2.38, .063}, {1.61, .050}, {1.56, .043}, {1.60, .047}}}},
      {{"classic", 7094, 41681, true},
       {{{6.69, .2}, {5.94, .2}, {4.14, .2}, {18.2, .2}, {8.94, .2}, {4.2, .2}, {4.20, .1}}}},
      {{"hitech", 2301, 10080, true},
       {{{23.2, .5}, {21.4, .4}, {21.3, .3}, {28.5, 1.9}, {25.2, .1}, {19.9, .2}, {19.9, .3}}}},
      {{"k1b", 2340, 21839, true},
       {{{5.44, .5}, {4.91, .4}, {4.42, .4}, {23.0, 1.3}, {7.94, .4}, {4.73, .5}, {4.74, .5}}}},
      {{"reviews", 4069, 18483, true},
       {{{7.68, .3}, {6.47, .2}, {6.09, .1}, {35.4, 5}, {8.28, .2}, {5.55, .1}, {5.54, .1}}}},
      {{"sports", 8580, 14870, true},
       {{{3.72, .1}, {3.15, .08}, {3.25, .09}, {24.1, 3.2}, {10.9, .8}, {2.77, .06}, {2.77, .7}}}},
      {{"ng3sim", 2998, 15810, true},
       {{{19.3, .5}, {16.2, .3}, {15.4, .3}, {21.3, .6}, {14.5, .2}, {13.7, .2}, {13.6, .2}}}},
      {{"ohscal", 11162, 11465, true},
       {{{13.8, .1}, {13.7, .1}, {13.8, .1}, {37.3, 2}, {13.7, .2}, {13.05, .1}, {13.1, .1}}}},
      {{"la12", 6279, 31472, true},
       {{{13.6, .2}, {12.5, .2}, {12.2, .2}, {30.1, 2.5}, {13.2, .2}, {11.04, .1}, {11.1, .1}}}},
  };
  return lines;
}

}  // namespace

const std::vector<PaperDataSet>& paper_data_sets() {
  static const std::vector<PaperDataSet> all = [] {
    std::vector<PaperDataSet> sets;
    for (const Line& line : table()) sets.push_back(line.set);
    return sets;
  }();
  return all;
}

std::string paper_data_set(Index rows, Index features) {
  for (const PaperDataSet& set : paper_data_sets()) {
    const auto expected = static_cast<double>(set.features);
    if (set.rows == rows && std::abs(static_cast<double>(features) - expected) <= 0.01 * expected) return set.name;
  }
  return "";
}

std::vector<PaperNumber> paper_errors(const std::string& measure) {
  std::vector<PaperNumber> numbers;
  for (const Line& line : table()) {
    for (Index k = 0; k < std::ssize(methods); ++k) {
      numbers.push_back({.place = {line.set.name, no_coordinate, methods[k], measure},
                         .value = line.errors[k].mean,
                         .deviation = line.errors[k].standard_error * std::sqrt(splits),
                         .count = static_cast<Index>(splits)});
    }
  }
  return numbers;
}

std::string paper_data_in_words() {
  std::string words;
  for (const PaperDataSet& set : paper_data_sets()) {
    words += fmt::format("{}{} {} x {}", words.empty() ? "" : ", ", set.name, set.rows, set.features);
  }
  return words;
}

}  // namespace tamis::experiments::laplace
