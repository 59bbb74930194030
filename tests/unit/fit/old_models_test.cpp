// Model files that tamis 0.1.0 wrote, and its own predictions from them: rows of the training data, then rows so far
// out that rates and probabilities reach their ends. On the machine and with the compiler flags that made them the
// predictions are equal bit for bit; elsewhere sums of products may contract to FMA and exp differs in its last digit,
// so a prediction may differ by what rounding does to the linear predictor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
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

// For every row |b0| + sum_j |x_j b_j|: rounding moves the linear predictor by a few epsilon of it.
std::vector<double> magnitudes(const Fit& fit, const Matrix& X) {
  std::vector<double> sums(X.rows(), std::abs(fit.intercept));
  for (Index j = 0; j < X.cols(); ++j) {
    for (Index i = 0; i < X.rows(); ++i) sums[i] += std::abs(X(i, j) * fit.coefficients[j]);
  }
  return sums;
}

void expect_equal_up_to_rounding(const std::vector<double>& found, const std::vector<double>& expected,
                                 const std::vector<double>& errors, bool relative) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;  // infinite ones too
    EXPECT_NEAR(found[i], expected[i], errors[i] * (relative ? std::abs(expected[i]) : 1)) << "row " << i;
  }
}

class OldModel : public testing::TestWithParam<const char*> {};

TEST_P(OldModel, PredictsTheSame) {
  const Fit fit = load(file(std::string(GetParam()) + ".json"));
  const auto rows = columns_of("rows.csv"), expected = columns_of(std::string(GetParam()) + ".csv");
  Matrix X(std::ssize(rows.begin()->second), std::ssize(fit.features));
  for (Index j = 0; j < X.cols(); ++j) std::ranges::copy(rows.at(fit.features[j]), X.col(j));
  const Prediction found = predict(fit, DenseDesign(X));
  const auto given = [&](const char* name) {
    return expected.contains(name) ? expected.at(name) : std::vector<double>();
  };
  std::vector<double> errors = magnitudes(fit, X);
  for (double& error : errors) error = 8 * std::numeric_limits<double>::epsilon() * (1 + error);
  // d mean/mean = d eta for a log link, less than that for a logit.
  const bool identity = std::string(GetParam()) == "gaussian";
  expect_equal_up_to_rounding(found.mean, given(fit.levels.empty() ? "mean" : "probability"), errors, !identity);
  expect_equal_up_to_rounding(found.sd, given("sd"), errors, !identity);
  expect_equal_up_to_rounding(found.lower, given("lower"), errors, !identity);
  expect_equal_up_to_rounding(found.upper, given("upper"), errors, !identity);
}

INSTANTIATE_TEST_SUITE_P(OfEveryFamily, OldModel, testing::Values("gaussian", "bernoulli", "poisson"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tamis
