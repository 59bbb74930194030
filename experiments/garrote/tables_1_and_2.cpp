// Tables 1 and 2: errors on the three sets, features kept, and distance from the true weights, in Examples 1 and 2.
#include <array>
#include <limits>

#include "experiments/garrote/experiments.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  const Simulation& drawn = benchmark.drawn();
  const auto true_weights = drawn.truth.coefficients.column(0);
  for (const Contender& contender : {ridge(), lasso(), paired_mean_field(), variational_garrote()}) {
    const Fit fit = benchmark.fit(contender);
    if (!contender.merges_validation) {
      record.add(contender.label, "training error", mean_squared_error(fit, drawn.train));
      record.add(contender.label, "validation error", mean_squared_error(fit, drawn.validation));
    }
    record.add(contender.label, "test error", mean_squared_error(fit, drawn.test));
    // Ridge keeps everything.
    if (contender.method != "ridge") record.add(contender.label, "nonzero", static_cast<double>(count_selected(fit)));
    record.add(contender.label, "L1 error", l1_distance(fit.coefficients, true_weights));
  }
  record.add("true", "training error", mean_squared_error(true_weights, drawn.train));
  record.add("true", "validation error", mean_squared_error(true_weights, drawn.validation));
  record.add("true", "test error", mean_squared_error(true_weights, drawn.test));
}

// A line of the printed table: mean and standard deviation of each measure; NaN where the paper has a dash.
struct Line {
  const char* method;
  std::array<std::array<double, 2>, 5> cells;
};

std::vector<PaperNumber> printed(const std::vector<Line>& lines) {
  constexpr std::array measures = {"training error", "validation error", "test error", "nonzero", "L1 error"};
  constexpr Index instances = 20;
  std::vector<PaperNumber> numbers;
  for (const Line& line : lines) {
    for (Index k = 0; k < std::ssize(measures); ++k) {
      const auto [mean, deviation] = line.cells[k];
      if (mean == mean) numbers.push_back({{"", no_coordinate, line.method, measures[k]}, mean, deviation, instances});
    }
  }
  return numbers;
}

Experiment example(int number, const std::string& title, std::vector<PaperNumber> paper_numbers) {
  return {.name = "vg.table" + std::to_string(number),
          .title = title,
          .source = paper + "Table " + std::to_string(number),
          .shows =
              "mean squared errors on 50 training, 50 validation and 400 test samples of 100 features, the number of "
              "features selected (inclusion above 1/2, or nonzero) and sum |v - w|; pmf fits training and validation "
              "samples together",
          .replicates = 100,
          .settings = {{.design = "vg.example" + std::to_string(number)}},
          .measure = measure,
          .paper = std::move(paper_numbers)};
}

}  // namespace

Experiment table1() {
  return example(1, "one relevant feature among 100 independent ones",
                 printed({{"ridge", {{{0.60, 0.43}, {1.72, 0.39}, {1.80, 0.12}, {none, none}, {3.97, 1.23}}}},
                          {"lasso", {{{0.78, 0.26}, {1.07, 0.20}, {1.17, 0.20}, {8.65, 6.75}, {0.80, 0.57}}}},
                          {"pmf", {{{none, none}, {none, none}, {1.02, 0.10}, {1.5, 1.19}, {0.33, 0.37}}}},
                          {"vg", {{{0.85, 0.22}, {0.96, 0.17}, {1.01, 0.10}, {1.20, 0.52}, {0.31, 0.30}}}},
                          {"true", {{{0.93, 0.14}, {0.87, 0.20}, {0.98, 0.04}, {none, none}, {none, none}}}}}));
}

Experiment table2() {
  return example(2, "five relevant features among 100 correlated ones",
                 printed({{"ridge", {{{0.32, 0.27}, {3.30, 0.67}, {3.46, 0.31}, {none, none}, {11.09, 0.93}}}},
                          {"lasso", {{{0.75, 0.37}, {1.39, 0.37}, {1.48, 0.29}, {16.30, 6.60}, {2.08, 0.87}}}},
                          {"pmf", {{{none, none}, {none, none}, {1.06, 0.11}, {5.15, 0.49}, {0.67, 0.35}}}},
                          {"vg", {{{0.80, 0.25}, {1.13, 0.31}, {1.15, 0.21}, {5.05, 0.51}, {0.83, 0.54}}}},
                          {"true", {{{0.93, 0.14}, {0.87, 0.20}, {0.98, 0.04}, {none, none}, {none, none}}}}}));
}

}  // namespace tamis::experiments::garrote
