// Averages over subsets against other formulas: every subset on its own by dense algebra in the space of the samples.
#include "method/subset_enumeration.hpp"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>

#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Data {
  MatrixXd X;
  VectorXd y;
};

Data make_data(Index n, Index p, std::uint64_t seed, double correlation = 0.5) {
  Data data{MatrixXd(n, p), VectorXd(n)};
  VectorXd shared(n);
  RandomStream(seed, 0).normals({shared.data(), static_cast<std::size_t>(n)});
  for (Index j = 0; j < p; ++j) {
    RandomStream(seed, 1, static_cast<std::uint64_t>(j)).normals({data.X.col(j).data(), static_cast<std::size_t>(n)});
    data.X.col(j) = std::sqrt(1 - correlation) * data.X.col(j) + std::sqrt(correlation) * shared;
  }
  RandomStream(seed, 2).normals({data.y.data(), static_cast<std::size_t>(n)});
  data.y += data.X.col(0) - 0.5 * data.X.col(p - 1);
  return data;
}

// The reference works in the space of the samples, where a wide slab and little noise cost it digits of its own: it has
// more of them.
using Wide = long double;
using WideMatrix = Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<Wide, Eigen::Dynamic, 1>;

Wide log_normal(const WideVector& y, const Eigen::LLT<WideMatrix>& covariance) {
  const Wide log_determinant = 2 * covariance.matrixLLT().diagonal().array().log().sum();
  return -(y.dot(covariance.solve(y)) + log_determinant + static_cast<Wide>(y.size()) * std::log(Wide(2 * M_PI))) / 2;
}

// log p(y | s) = log N(y; 0, noise I + slab X_s X_s'); E[b | s] and cov[b | s] by conditioning that gaussian.
SubsetAverage by_brute_force(const Data& data, const SpikeAndSlab& m) {
  const Index n = data.X.rows(), p = data.X.cols();
  const WideVector y = data.y.cast<Wide>();
  const Wide slab = m.slab_variance, pi = m.prior_inclusion;
  const WideMatrix noise = Wide(m.noise_variance) * WideMatrix::Identity(n, n);
  const WideMatrix all = data.X.cast<Wide>();
  // Weights are taken relative to the whole set's, which no other exceeds by more than an exponent can say.
  const Wide whole = log_normal(y, Eigen::LLT<WideMatrix>(noise + slab * all * all.transpose()));
  Wide total = 0;
  WideVector inclusion = WideVector::Zero(p), mean = WideVector::Zero(p);
  WideMatrix second = WideMatrix::Zero(p, p);
  for (unsigned long s = 0; s < (1ul << p); ++s) {
    WideVector in(p);
    for (Index j = 0; j < p; ++j) in[j] = (s >> j) & 1 ? 1 : 0;
    const WideMatrix X = all * in.asDiagonal();
    const Eigen::LLT<WideMatrix> V(noise + slab * X * X.transpose());
    const Wide weight = std::exp(log_normal(y, V) - whole + in.sum() * std::log(pi)) *
                        std::pow(1 - pi, static_cast<Wide>(p) - in.sum());
    const WideVector mean_s = slab * X.transpose() * V.solve(y);
    const WideMatrix prior = slab * in.asDiagonal().toDenseMatrix();
    total += weight;
    inclusion += weight * in;
    mean += weight * mean_s;
    second += weight * (prior - slab * slab * X.transpose() * V.solve(X) + mean_s * mean_s.transpose());
  }
  inclusion /= total;
  mean /= total;
  const WideMatrix covariance = second / total - mean * mean.transpose();
  SubsetAverage result{static_cast<double>(std::log(total) + whole - log_normal(y, Eigen::LLT<WideMatrix>(noise))),
                       std::vector<double>(p), std::vector<double>(p), Matrix(p, p)};
  for (Index i = 0; i < p; ++i) {
    result.inclusion[i] = static_cast<double>(inclusion[i]);
    result.mean[i] = static_cast<double>(mean[i]);
    for (Index j = 0; j < p; ++j) result.covariance(i, j) = static_cast<double>(covariance(i, j));
  }
  return result;
}

SubsetAverage enumerate(const Data& data, const SpikeAndSlab& model) {
  const auto n = static_cast<double>(data.X.rows());
  const MatrixXd gram = data.X.transpose() * data.X / n;
  const VectorXd correlation = data.X.transpose() * data.y / n;
  return average_over_subsets(ConstMatrixView(gram.data(), gram.rows(), gram.cols()),
                              {correlation.data(), static_cast<std::size_t>(correlation.size())}, n, model);
}

void expect_equal(const SubsetAverage& a, const SubsetAverage& b, double tolerance) {
  EXPECT_NEAR(a.log_gain, b.log_gain, tolerance * (1 + std::abs(a.log_gain)));
  ASSERT_EQ(a.mean.size(), b.mean.size());
  for (std::size_t i = 0; i < a.mean.size(); ++i) {
    EXPECT_NEAR(a.inclusion[i], b.inclusion[i], tolerance) << "feature " << i;
    EXPECT_NEAR(a.mean[i], b.mean[i], tolerance) << "feature " << i;
    for (std::size_t j = 0; j < a.mean.size(); ++j) {
      EXPECT_NEAR(a.covariance(i, j), b.covariance(i, j), tolerance) << i << ", " << j;
    }
  }
}

// Condition numbers here are below 1e4; sums of 2^p terms round by little more than their largest.
constexpr double rounding = 1e-11;

TEST(SubsetEnumeration, EqualsEverySubsetOnItsOwn) {
  for (const auto& [n, p] : {std::pair<Index, Index>{30, 7}, {8, 8}, {5, 9}, {40, 1}, {3, 2}}) {
    SCOPED_TRACE(testing::Message() << n << " x " << p);
    const Data data = make_data(n, p, 3);
    for (const SpikeAndSlab& model : {SpikeAndSlab{0.2, 1, 0.5}, {0.9, 0.01, 2}, {0.5, 100, 0.1}, {1e-6, 5, 1}}) {
      expect_equal(by_brute_force(data, model), enumerate(data, model), rounding);
    }
  }
}

TEST(SubsetEnumeration, EqualsEverySubsetOnItsOwnWhereTheTreeIsCutIntoPieces) {
  const Data data = make_data(10, 14, 4);
  const SpikeAndSlab model{0.3, 0.7, 0.4};
  expect_equal(by_brute_force(data, model), enumerate(data, model), rounding);
}

// Columns that all but repeat each other, a wide slab and little noise: pivots fall to 1e-8 of the largest.
TEST(SubsetEnumeration, LosesNoMoreThanTheConditionNumberAsksFor) {
  Data data = make_data(12, 8, 5);
  data.X.col(3) = data.X.col(2);
  data.X.col(5) = data.X.col(1) + 1e-5 * data.X.col(6);
  const SpikeAndSlab model{0.3, 10, 1e-5};
  constexpr double conditioned = 1e-6;  // 1e-16 times the condition number 1e9, summed
  expect_equal(by_brute_force(data, model), enumerate(data, model), conditioned);
}

TEST(SubsetEnumeration, OneFeatureIsTheClosedForm) {
  const Data data = make_data(20, 1, 6, 0);
  const double xx = data.X.col(0).squaredNorm(), xy = data.X.col(0).dot(data.y);
  const SpikeAndSlab m{0.2, 2, 0.5};
  const double variance = 1 / (xx / m.noise_variance + 1 / m.slab_variance);
  const double mean = variance * xy / m.noise_variance;
  const double log_factor = 0.5 * (std::log(variance / m.slab_variance) + mean * mean / variance);
  const double q = logistic(logit(0.2) + log_factor);
  const SubsetAverage found = enumerate(data, m);
  EXPECT_NEAR(found.inclusion[0], q, rounding);
  EXPECT_NEAR(found.mean[0], q * mean, rounding);
  EXPECT_NEAR(found.covariance(0, 0), q * (variance + mean * mean) - q * q * mean * mean, rounding);
  EXPECT_NEAR(found.log_gain, std::log(0.8 + 0.2 * std::exp(log_factor)), rounding);
}

TEST(SubsetEnumeration, OrthogonalFeaturesAreIndependent) {
  const Index n = 30, p = 16;
  Data data = make_data(n, p, 7);
  data.X =
      std::sqrt(static_cast<double>(n)) * MatrixXd(Eigen::HouseholderQR<MatrixXd>(data.X).householderQ()).leftCols(p);
  const SpikeAndSlab model{0.3, 0.5, 1};
  const SubsetAverage all = enumerate(data, model);
  double log_gain = 0;
  for (Index j = 0; j < p; ++j) {
    const SubsetAverage one = enumerate({data.X.col(j), data.y}, model);
    log_gain += one.log_gain;
    EXPECT_NEAR(all.inclusion[j], one.inclusion[0], rounding);
    EXPECT_NEAR(all.mean[j], one.mean[0], rounding);
    EXPECT_NEAR(all.covariance(j, j), one.covariance(0, 0), rounding);
    if (j > 0) {
      EXPECT_NEAR(all.covariance(j, 0), 0, rounding);
    }
  }
  EXPECT_NEAR(all.log_gain, log_gain, rounding * (1 + std::abs(log_gain)));
}

TEST(SubsetEnumeration, CertainInclusionIsBayesianRidge) {
  const Data data = make_data(20, 5, 8);
  const SpikeAndSlab model{1, 2, 0.5};
  const SubsetAverage found = enumerate(data, model);
  const MatrixXd precision = data.X.transpose() * data.X / 0.5 + MatrixXd::Identity(5, 5) / 2;
  const MatrixXd covariance = precision.inverse();
  const VectorXd mean = covariance * data.X.transpose() * data.y / 0.5;
  EXPECT_THAT(found.inclusion, testing::Each(1.0));
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(found.mean[j], mean[j], rounding);
    EXPECT_NEAR(found.covariance(j, 0), covariance(j, 0), rounding);
  }
}

TEST(SubsetEnumeration, NoFeatureGainsNothing) {
  const SubsetAverage found = average_over_subsets({}, {}, 10, {});
  EXPECT_EQ(found.log_gain, 0);
  EXPECT_TRUE(found.mean.empty());
}

// A response a thousand deviations away from noise: e^500000 is no double, its logarithm is.
TEST(SubsetEnumeration, StaysInTheLogDomain) {
  Data data = make_data(50, 6, 9);
  data.y *= 1000;
  const SubsetAverage found = enumerate(data, {0.1, 1e6, 1});
  EXPECT_GT(found.log_gain, 1e6);
  EXPECT_NEAR(found.inclusion[0], 1, rounding);
  for (const double q : found.inclusion) EXPECT_TRUE(q >= 0 && q <= 1);
}

TEST(SubsetEnumeration, DoesNotDependOnTheNumberOfThreads) {
  const Data data = make_data(25, 15, 10);
  SubsetAverage one, two;
  with_threads(1, [&] { one = enumerate(data, {0.3, 1, 1}); });
  with_threads(2, [&] { two = enumerate(data, {0.3, 1, 1}); });
  EXPECT_EQ(one.log_gain, two.log_gain);
  EXPECT_EQ(one.inclusion, two.inclusion);
  EXPECT_EQ(one.mean, two.mean);
  EXPECT_EQ(one.covariance(14, 3), two.covariance(14, 3));
}

}  // namespace
}  // namespace tamis
