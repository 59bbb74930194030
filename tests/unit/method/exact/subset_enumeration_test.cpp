// Averages over subsets against other formulas: every subset on its own by dense algebra in the space of the samples.
#include "method/exact/subset_enumeration.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "support/plain_cholesky.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

struct Data {
  Matrix X;
  std::vector<double> y;

  // x_j'v
  double product(Index j, std::span<const double> v) const {
    return std::inner_product(v.begin(), v.end(), X.col(j), 0.0);
  }
};

Data make_data(Index n, Index p, std::uint64_t seed, double correlation = 0.5) {
  Data data{Matrix(n, p), std::vector<double>(n)};
  std::vector<double> shared(data.y.size());
  RandomStream(seed, 0).normals(shared);
  for (Index j = 0; j < p; ++j) {
    RandomStream(seed, 1, static_cast<std::uint64_t>(j)).normals(data.X.column(j));
    for (Index i = 0; i < n; ++i) {
      data.X(i, j) = std::sqrt(1 - correlation) * data.X(i, j) + std::sqrt(correlation) * shared[i];
    }
  }
  RandomStream(seed, 2).normals(data.y);
  for (Index i = 0; i < n; ++i) data.y[i] += data.X(i, 0) - 0.5 * data.X(i, p - 1);
  return data;
}

// The reference works in the space of the samples, where a wide slab and little noise cost it digits of its own: it has
// more of them.
using Wide = long double;

// noise I + slab X_s X_s'
test::PlainCholesky<Wide> covariance_of(const Data& data, const SpikeAndSlab& m, const std::vector<Index>& subset) {
  return {data.X.rows(), [&](Index i, Index k) {
            Wide sum = 0;
            for (const Index j : subset) sum += Wide(data.X(i, j)) * data.X(k, j);
            return m.slab_variance * sum + (i == k ? m.noise_variance : 0.0);
          }};
}

// log p(y | s) = log N(y; 0, noise I + slab X_s X_s'); E[b | s] and cov[b | s] by conditioning that gaussian.
SubsetAverage by_brute_force(const Data& data, const SpikeAndSlab& m) {
  const auto p = static_cast<std::size_t>(data.X.cols());
  const Wide slab = m.slab_variance, pi = m.prior_inclusion;
  std::vector<Index> all(p);
  std::iota(all.begin(), all.end(), 0);
  // Weights are taken relative to the whole set's, which no other exceeds by more than an exponent can say.
  const Wide whole = covariance_of(data, m, all).log_normal(data.y);
  Wide total = 0;
  std::vector<Wide> inclusion(p), mean(p), second(p * p);
  for (unsigned long s = 0; s < (1ul << p); ++s) {
    std::vector<Index> in;
    std::ranges::copy_if(all, std::back_inserter(in), [&](Index j) { return (s >> j & 1) != 0; });
    const test::PlainCholesky<Wide> V = covariance_of(data, m, in);
    const Wide weight = std::exp(V.log_normal(data.y) - whole + static_cast<Wide>(in.size()) * std::log(pi)) *
                        std::pow(1 - pi, static_cast<Wide>(p - in.size()));
    total += weight;
    std::vector<Wide> mean_s(p);
    for (const Index j : in) {
      mean_s[j] = slab * V.product(data.X.column(j), std::span<const double>(data.y));
      inclusion[j] += weight;
      mean[j] += weight * mean_s[j];
    }
    for (const Index i : in) {
      for (const Index j : in) {
        const Wide explained = slab * slab * V.product(data.X.column(i), data.X.column(j));
        second[i * p + j] += weight * ((i == j ? slab : 0) - explained + mean_s[i] * mean_s[j]);
      }
    }
  }
  const Wide none = covariance_of(data, m, {}).log_normal(data.y);
  SubsetAverage result{
      static_cast<double>(std::log(total) + whole - none), {}, {}, Matrix(data.X.cols(), data.X.cols())};
  for (std::size_t i = 0; i < p; ++i) {
    result.inclusion.push_back(static_cast<double>(inclusion[i] / total));
    result.mean.push_back(static_cast<double>(mean[i] / total));
    for (std::size_t j = 0; j < p; ++j) {
      const Wide covariance = second[i * p + j] / total - mean[i] / total * (mean[j] / total);
      result.covariance(static_cast<Index>(i), static_cast<Index>(j)) = static_cast<double>(covariance);
    }
  }
  return result;
}

SubsetAverage enumerate(const Data& data, const SpikeAndSlab& model) {
  const auto n = static_cast<double>(data.X.rows());
  const Index p = data.X.cols();
  Matrix gram(p, p);
  std::vector<double> correlation;
  for (Index j = 0; j < p; ++j) {
    correlation.push_back(data.product(j, data.y) / n);
    for (Index i = 0; i < p; ++i) gram(i, j) = data.product(j, data.X.column(i)) / n;
  }
  return average_over_subsets(gram, correlation, n, model);
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
  for (Index i = 0; i < 12; ++i) {
    data.X(i, 3) = data.X(i, 2);
    data.X(i, 5) = data.X(i, 1) + 1e-5 * data.X(i, 6);
  }
  const SpikeAndSlab model{0.3, 10, 1e-5};
  constexpr double conditioned = 1e-6;  // 1e-16 times the condition number 1e9, summed
  expect_equal(by_brute_force(data, model), enumerate(data, model), conditioned);
}

TEST(SubsetEnumeration, OneFeatureIsTheClosedForm) {
  const Data data = make_data(20, 1, 6, 0);
  const double xx = data.product(0, data.X.column(0)), xy = data.product(0, data.y);
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

// Takes out of column j what the columns before it explain, and gives it mean square 1 (Gram and Schmidt). Once more
// takes out what the first time left by rounding.
void orthogonalize(Data& data, Index j) {
  const auto n = static_cast<double>(data.X.rows());
  for (int turn = 0; turn < 2; ++turn) {
    for (Index k = 0; k < j; ++k) {
      const double share = data.product(k, data.X.column(j)) / n;
      for (Index i = 0; i < data.X.rows(); ++i) data.X(i, j) -= share * data.X(i, k);
    }
    const double size = std::sqrt(data.product(j, data.X.column(j)) / n);
    for (double& x : data.X.column(j)) x /= size;
  }
}

TEST(SubsetEnumeration, OrthogonalFeaturesAreIndependent) {
  const Index n = 30, p = 16;
  Data data = make_data(n, p, 7);
  for (Index j = 0; j < p; ++j) orthogonalize(data, j);
  const SpikeAndSlab model{0.3, 0.5, 1};
  const SubsetAverage all = enumerate(data, model);
  double log_gain = 0;
  for (Index j = 0; j < p; ++j) {
    Matrix alone(n, 1);
    std::ranges::copy(data.X.column(j), alone.col(0));
    const SubsetAverage one = enumerate({alone, data.y}, model);
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
  const test::PlainCholesky<double> precision(
      5, [&](Index j, Index k) { return data.product(j, data.X.column(k)) / 0.5 + (j == k ? 0.5 : 0.0); });
  std::vector<double> pull;
  for (Index j = 0; j < 5; ++j) pull.push_back(data.product(j, data.y) / 0.5);
  const std::vector<double> mean = precision.solve(pull);
  const std::vector<double> covariance = precision.solve(std::vector<double>{1, 0, 0, 0, 0});  // its first column
  EXPECT_THAT(found.inclusion, testing::Each(1.0));
  for (Index j = 0; j < 5; ++j) {
    EXPECT_NEAR(found.mean[j], mean[j], rounding);
    EXPECT_NEAR(found.covariance(j, 0), covariance[j], rounding);
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
  for (double& y : data.y) y *= 1000;
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
