#include "problem/alternatives.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tamis/base/random.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// x0, seven columns ever less correlated with it, an independent one and a constant.
class Alternatives : public testing::Test {
 protected:
  Alternatives() : X_(200, 10), y_(200) {
    RandomStream random(3);
    for (Index i = 0; i < 200; ++i) {
      X_(i, 0) = random.normal();
      y_[i] = X_(i, 0);
      for (Index j = 1; j < 8; ++j)
        X_(i, j) = (j == 2 ? -1 : 1) * X_(i, 0) + 0.1 * static_cast<double>(j) * random.normal();
      X_(i, 8) = random.normal();
      X_(i, 9) = 4;
    }
    fit_.coefficients.assign(10, 0);
    fit_.coefficients[0] = 2;
  }
  Matrix X_;
  std::vector<double> y_;
  Fit fit_;
};

double correlation(const Matrix& X, Index a, Index b, const std::vector<double>& weights) {
  double w = 0, ma = 0, mb = 0, aa = 0, bb = 0, ab = 0;
  for (Index i = 0; i < X.rows(); ++i) w += weights[i], ma += weights[i] * X(i, a), mb += weights[i] * X(i, b);
  ma /= w, mb /= w;
  for (Index i = 0; i < X.rows(); ++i) {
    aa += weights[i] * (X(i, a) - ma) * (X(i, a) - ma);
    bb += weights[i] * (X(i, b) - mb) * (X(i, b) - mb);
    ab += weights[i] * (X(i, a) - ma) * (X(i, b) - mb);
  }
  return ab / std::sqrt(aa * bb);
}

TEST_F(Alternatives, AreTheMostCorrelatedOnesThatWereNotSelected) {
  std::vector<double> weights(200, 1.0);
  weights[7] = 25;
  const DenseDesign design(X_);
  const Problem problem{.X = design, .y = y_, .likelihood = family("gaussian"), .weights = weights};
  const std::vector<Alternative> found = find_alternatives(problem, fit_);
  ASSERT_EQ(std::ssize(found), most_alternatives);
  for (Index k = 0; k < most_alternatives; ++k) {
    EXPECT_EQ(found[k].with, 0);
    EXPECT_EQ(found[k].feature, k + 1);
    EXPECT_NEAR(found[k].correlation, correlation(X_, 0, k + 1, weights), 1e-12);
    EXPECT_GE(std::abs(found[k].correlation), least_alternative);
  }
  EXPECT_LT(found[1].correlation, 0);
}

TEST_F(Alternatives, LeaveOutWhatIsSelectedItself) {
  fit_.coefficients[1] = 1;
  const DenseDesign design(X_);
  const Problem problem{.X = design, .y = y_, .likelihood = family("gaussian")};
  for (const Alternative& one : find_alternatives(problem, fit_)) EXPECT_GT(one.feature, 1);
}

TEST_F(Alternatives, AreSelectedByInclusionWhereThereIsOne) {
  fit_.inclusion.assign(10, 0.1);
  fit_.inclusion[8] = 0.9;
  const DenseDesign design(X_);
  const Problem problem{.X = design, .y = y_, .likelihood = family("gaussian")};
  EXPECT_TRUE(find_alternatives(problem, fit_).empty());
  fit_.inclusion.assign(10, 0.9);
  EXPECT_TRUE(find_alternatives(problem, fit_).empty()) << "all are selected";
}

TEST_F(Alternatives, OfAConstantSelectedColumnAreNone) {
  fit_.coefficients.assign(10, 0);
  fit_.coefficients[9] = 1;
  const DenseDesign design(X_);
  const Problem problem{.X = design, .y = y_, .likelihood = family("gaussian")};
  EXPECT_TRUE(find_alternatives(problem, fit_).empty());
}

}  // namespace
}  // namespace tamis
