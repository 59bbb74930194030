// K = X R X' for the logistic model: exact by Cholesky, exact by conjugate gradients, approximate by its diagonal.
//
// Approximate  the many features of the small common variance enter K as common XX'; of this only the diagonal is kept,
//            as independent noise of each row, plus the exact low-rank part of the k large variances: O(n k^2) to
//            invert.
// Use        as the covariance itself while supports are compared, and as preconditioner of the conjugate gradients,
//            which then need few iterations: what it leaves out is small and spread over all directions.
// Evidence   log |I + S K S| of the iterated variant is that of the preconditioner: good for comparing supports.
#include "method/laplace/row_covariance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

constexpr int max_iterations = 500;  // of conjugate gradients

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

class DenseSystem final : public RowSystem {
 public:
  explicit DenseSystem(Matrix factor) : factor_(std::move(factor)) {}
  std::vector<double> solve(std::span<const double> b, std::span<const double> /*guess*/) const override {
    std::vector<double> x(b.begin(), b.end());
    solve_positive(factor_, std::span(x));
    return x;
  }
  double log_determinant() const override { return tamis::log_determinant(factor_); }

 private:
  Matrix factor_;
};

class DenseCovariance final : public RowCovariance {
 public:
  DenseCovariance(const Matrix& outer, double common, const Matrix& large_variance) : K_(outer) {
    for (Index j = 0; j < K_.cols(); ++j) {
      for (double& k : K_.column(j)) k *= common;
    }
    add_outer_product(large_variance, K_);
  }

  std::vector<double> times(std::span<const double> d) const override { return multiply_transposed(K_, d); }

  std::unique_ptr<RowSystem> system(std::span<const double> root) const override {
    const Index n = K_.rows();
    Matrix factor(n, n);
    for (Index j = 0; j < n; ++j) {
      const double* k = K_.col(j);
      for (Index i = j; i < n; ++i) factor(i, j) = root[i] * root[j] * k[i];
      factor(j, j) += 1;
    }
    if (!cholesky(factor)) return nullptr;
    return std::make_unique<DenseSystem>(std::move(factor));
  }

 private:
  Matrix K_;
};

// I + S (D + U U') S = E^(1/2) (I + F U U' F) E^(1/2) with E = I + S D S and F = E^(-1/2) S.
class DiagonalLowRankSystem final : public RowSystem {
 public:
  DiagonalLowRankSystem(std::span<const double> diagonal, const LargeVarianceColumns& large_variance,
                        std::span<const double> root)
      : own_root_(diagonal.size()) {
    std::vector<double> factor(own_root_.size());
    for (Index i = 0; i < std::ssize(own_root_); ++i) {
      own_root_[i] = std::sqrt(1 + root[i] * root[i] * diagonal[i]);
      factor[i] = root[i] / own_root_[i];
    }
    if (large_variance.count() > 0) large_variance_ = large_variance.system(factor);
  }

  std::vector<double> solve(std::span<const double> b, std::span<const double> /*guess*/) const override {
    std::vector<double> x(b.begin(), b.end());
    for (Index i = 0; i < std::ssize(x); ++i) x[i] /= own_root_[i];
    if (large_variance_) x = large_variance_->solve(x);
    for (Index i = 0; i < std::ssize(x); ++i) x[i] /= own_root_[i];
    return x;
  }
  double log_determinant() const override {
    double sum = large_variance_ ? large_variance_->log_determinant() : 0.0;
    for (const double e : own_root_) sum += 2 * std::log(e);
    return sum;
  }

 private:
  std::vector<double> own_root_;
  std::unique_ptr<LowRankSystem> large_variance_;
};

class DiagonalLowRankCovariance final : public RowCovariance {
 public:
  DiagonalLowRankCovariance(std::span<const double> diagonal, const LargeVarianceColumns& large_variance)
      : diagonal_(diagonal), large_variance_(large_variance) {}

  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out = large_variance_.times(d);
    for (Index i = 0; i < std::ssize(out); ++i) out[i] += diagonal_[i] * d[i];
    return out;
  }
  std::unique_ptr<RowSystem> system(std::span<const double> root) const override {
    return std::make_unique<DiagonalLowRankSystem>(diagonal_, large_variance_, root);
  }

 private:
  std::span<const double> diagonal_;
  const LargeVarianceColumns& large_variance_;
};

class IteratedSystem final : public RowSystem {
 public:
  IteratedSystem(const RowCovariance& K, std::unique_ptr<RowSystem> approximate, std::span<const double> root,
                 double tolerance)
      : K_(K), approximate_(std::move(approximate)), root_(root.begin(), root.end()), tolerance_(tolerance) {}

  // Preconditioned conjugate gradients. Hestenes & Stiefel (1952).
  std::vector<double> solve(std::span<const double> b, std::span<const double> guess) const override {
    std::vector<double> x(guess.begin(), guess.end()), r(b.begin(), b.end());
    x.resize(b.size(), 0.0);
    if (std::ranges::any_of(guess, [](double v) { return v != 0; })) {
      // Warm start: the residual of the guess.
      const std::vector<double> there = times(x);
      for (Index i = 0; i < std::ssize(r); ++i) r[i] -= there[i];
    }
    std::vector<double> z = approximate_->solve(r, {}), direction = z;
    const double enough = tolerance_ * tolerance_ * dot(b, b);
    double along = dot(r, z);
    for (int k = 0; k < max_iterations && dot(r, r) > enough; ++k) {
      const std::vector<double> image = times(direction);
      const double step = along / dot(direction, image);
      for (Index i = 0; i < std::ssize(x); ++i) {
        x[i] += step * direction[i];
        r[i] -= step * image[i];
      }
      z = approximate_->solve(r, {});
      const double before = along;
      along = dot(r, z);
      for (Index i = 0; i < std::ssize(x); ++i) direction[i] = z[i] + along / before * direction[i];
    }
    return x;
  }
  double log_determinant() const override { return approximate_->log_determinant(); }

 private:
  std::vector<double> times(std::span<const double> v) const {
    std::vector<double> scaled(v.begin(), v.end());
    for (Index i = 0; i < std::ssize(scaled); ++i) scaled[i] *= root_[i];
    std::vector<double> out = K_.times(scaled);
    for (Index i = 0; i < std::ssize(out); ++i) out[i] = v[i] + root_[i] * out[i];
    return out;
  }

  const RowCovariance& K_;
  std::unique_ptr<RowSystem> approximate_;
  std::vector<double> root_;
  double tolerance_;
};

class IteratedCovariance final : public RowCovariance {
 public:
  IteratedCovariance(OuterProduct outer, double common, std::span<const double> diagonal,
                     const LargeVarianceColumns& large_variance, double tolerance)
      : row_gram_(std::move(outer)),
        common_(common),
        approximate_(diagonal, large_variance),
        large_variance_(large_variance),
        tolerance_(tolerance) {}

  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out = row_gram_(d);
    const std::vector<double> more = large_variance_.times(d);
    for (Index i = 0; i < std::ssize(out); ++i) out[i] = common_ * out[i] + more[i];
    return out;
  }
  std::unique_ptr<RowSystem> system(std::span<const double> root) const override {
    return std::make_unique<IteratedSystem>(*this, approximate_.system(root), root, tolerance_);
  }

 private:
  OuterProduct row_gram_;
  double common_;
  DiagonalLowRankCovariance approximate_;
  const LargeVarianceColumns& large_variance_;
  double tolerance_;
};

}  // namespace

std::unique_ptr<RowCovariance> dense_covariance(const Matrix& outer, double common, const Matrix& large_variance) {
  return std::make_unique<DenseCovariance>(outer, common, large_variance);
}

std::unique_ptr<RowCovariance> approximate_covariance(std::span<const double> diagonal,
                                                      const LargeVarianceColumns& large_variance) {
  return std::make_unique<DiagonalLowRankCovariance>(diagonal, large_variance);
}

std::unique_ptr<RowCovariance> iterated_covariance(OuterProduct outer, double common, std::span<const double> diagonal,
                                                   const LargeVarianceColumns& large_variance, double tolerance) {
  return std::make_unique<IteratedCovariance>(std::move(outer), common, diagonal, large_variance, tolerance);
}

}  // namespace tamis
