// Model files that tamis 0.1.0 wrote, and its own predictions from them: rows of the training data, then rows so far
// out that rates and probabilities reach their ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

std::string file(const std::string& name) { return std::string(TAMIS_TEST_DATA) + "/models/" + name; }

// Columns of a CSV file by name; what is no number is NaN.
std::map<std::string, std::vector<double>> columns_of(const std::string& name) {
  std::ifstream in(file(name));
  std::map<std::string, std::vector<double>> columns;
  std::vector<std::string> names;
  std::string line, cell;
  for (bool header = true; std::getline(in, line); header = false) {
    std::istringstream cells(line);
    for (Index k = 0; std::getline(cells, cell, ','); ++k) {
      if (header) {
        names.push_back(cell);
      } else {
        char* end = nullptr;
        const double value = std::strtod(cell.c_str(), &end);
        columns[names[k]].push_back(*end == '\0' ? value : std::nan(""));
      }
    }
  }
  return columns;
}

class OldModel : public testing::TestWithParam<const char*> {};

TEST_P(OldModel, PredictsTheSameBits) {
  const Fit fit = load(file(std::string(GetParam()) + ".json"));
  const auto rows = columns_of("rows.csv"), expected = columns_of(std::string(GetParam()) + ".csv");
  Matrix X(std::ssize(rows.begin()->second), std::ssize(fit.features));
  for (Index j = 0; j < X.cols(); ++j) std::ranges::copy(rows.at(fit.features[j]), X.col(j));
  const Prediction found = predict(fit, DenseDesign(X));
  EXPECT_EQ(found.mean, expected.at(fit.levels.empty() ? "mean" : "probability"));
  const auto given = [&](const char* name) {
    return expected.contains(name) ? expected.at(name) : std::vector<double>();
  };
  EXPECT_EQ(found.sd, given("sd"));
  EXPECT_EQ(found.lower, given("lower"));
  EXPECT_EQ(found.upper, given("upper"));
}

INSTANTIATE_TEST_SUITE_P(OfEveryFamily, OldModel, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tamis
