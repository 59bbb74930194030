// Offsets of penalized methods, by certificates from the data alone: known exposures of any size, and penalties so
// small that the solution is the generalized linear model's.
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "unit/method/penalized/optimality.hpp"

namespace tamis {
namespace {

struct Tried {
  std::string method, family;
};
std::ostream& operator<<(std::ostream& out, const Tried& t) { return out << t.method << " " << t.family; }

class Offsets : public testing::TestWithParam<Tried> {
 protected:
  // A predictor of moderate size, of which an offset of this level and spread is known.
  PenalizedCase make(double level, double spread) const {
    contract::Example e = contract::make_example(family(GetParam().family), 80, 6, 2);
    PenalizedCase c{.family = GetParam().family, .X = std::move(e.X), .y = std::move(e.y), .l1_ratio = l1_ratio()};
    for (Index i = 0; i < c.X.rows(); ++i) {
      const double varying = spread * std::sin(static_cast<double>(i * i)) + 0.2 * c.X(i, 1);
      const double eta = 0.4 + 0.6 * c.X(i, 0) - 0.1 * c.X(i, 3) + varying;
      c.y[i] = contract::draw_response(family(c.family), eta, 7, i);
      c.offset.push_back(level + varying);
    }
    return c;
  }
  double l1_ratio() const { return GetParam().method == "ridge" ? 0 : GetParam().method == "elastic-net" ? 0.5 : 1; }

  Fit solve(const PenalizedCase& c) const {
    const DenseDesign design(c.X);
    std::map<std::string, OptionValue> options = {{"penalty", c.penalty}};
    if (GetParam().method == "elastic-net") options["l1_ratio"] = c.l1_ratio;
    return fit(c.problem(design), GetParam().method, options);
  }
};

TEST_P(Offsets, OfAnyLevelLeaveTheSolutionOptimal) {
  if (GetParam().method == "capped-l1") GTEST_SKIP() << "it has other conditions; its score is tested below";
  for (const double level : {-300.0, -30.0, 0.0, 10.0, 300.0}) {
    for (const double penalty : {0.3, 0.05, 0.002}) {
      PenalizedCase c = make(level, 1);
      c.penalty = penalty;
      const Fit found = solve(c);
      EXPECT_EQ(found.status, Status::converged) << found.message;
      // The methods stop at 1e-8; a predictor of 300 has lost two digits more when a test adds it up.
      EXPECT_LE(kkt_violation(c, found), 1e-7 + 1e-11 * std::abs(level) / penalty) << level << " " << penalty;
    }
  }
}

// The score of a generalized linear model, which is zero at its solution, is the penalty's at most here.
TEST_P(Offsets, AtATinyPenaltyTheSolutionIsTheGeneralizedLinearModels) {
  for (const double level : {0.0, 10.0}) {
    for (const double spread : {1.0, 4.0}) {
      PenalizedCase c = make(level, spread);
      c.penalty = 1e-6;
      const Fit found = solve(c);
      const std::vector<double> eta = predictor_of(c, found);
      double sum = 0, size = 0;
      for (Index i = 0; i < c.X.rows(); ++i) {
        const double residual = c.y[i] - mean_of(c.family, eta[i]);
        sum += residual / static_cast<double>(c.X.rows());
        size += std::abs(residual) / static_cast<double>(c.X.rows());
      }
      EXPECT_GT(size, 0.1) << "the example is none: it has no residuals";
      EXPECT_LE(std::abs(sum), c.penalty);
      for (Index j = 0; j < c.X.cols(); ++j) {
        const double b = found.coefficients[j] * scale_of(c, j).spread;
        EXPECT_LE(std::abs(pull_of(c, eta, j)), 1.001 * c.penalty * std::max(1.0, std::abs(b)))
            << "level " << level << " spread " << spread << " feature " << j;
      }
    }
  }
}

std::vector<Tried> tried() {
  std::vector<Tried> all;
  for (const char* method : {"lasso", "elastic-net", "ridge", "capped-l1"}) {
    for (const char* family : {"gaussian", "bernoulli", "poisson"}) all.push_back({method, family});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, Offsets, testing::ValuesIn(tried()), [](const auto& info) {
  std::string name = info.param.method + "_" + info.param.family;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace tamis
