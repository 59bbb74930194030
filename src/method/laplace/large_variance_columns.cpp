// The low-rank part U U' of a prior covariance of the rows: dense columns, or sparse ones by their entries.
//
// Model      (I + F U U' F)^-1 = I - F U M^-1 U'F with M = I + U'F^2 U (k x k), F diagonal.
// Sparse     centered columns are S - 1 m': entries of S are multiplied, and the rank-one part is added to every
//            product. U'F^2 U is summed over rows, where most pairs of columns have no entry in common.
// Hazard     a column whose mean is large against its spread loses its digits in S - 1 m'; then the dense way is taken.
#include "method/laplace/large_variance_columns.hpp"

#include <cmath>
#include <numeric>
#include <optional>

#include "base/numerical_failure.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

// Share of nonzero entries from which dense columns are faster.
constexpr double max_filled = 0.25;
constexpr double far = 1e4;  // |mean| / scale beyond which S - 1 m' would cancel

class DenseSystem final : public LowRankSystem {
 public:
  explicit DenseSystem(Matrix scaled) : scaled_(std::move(scaled)), low_(scaled_) {}
  std::vector<double> solve(std::span<const double> b) const override { return low_.solve(b); }
  double log_determinant() const override { return low_.log_determinant(); }

 private:
  Matrix scaled_;
  LowRank low_;
};

class DenseLargeVariance final : public LargeVarianceColumns {
 public:
  explicit DenseLargeVariance(Matrix U) : U_(std::move(U)) {}
  Index count() const override { return U_.cols(); }

  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out(d.size(), 0.0);
    add_multiply(U_, multiply_transposed(U_, d), out);
    return out;
  }
  std::unique_ptr<LowRankSystem> system(std::span<const double> factor) const override {
    Matrix scaled = U_;
    for (Index k = 0; k < scaled.cols(); ++k) {
      double* u = scaled.col(k);
      for (Index i = 0; i < std::ssize(factor); ++i) u[i] *= factor[i];
    }
    return std::make_unique<DenseSystem>(std::move(scaled));
  }

 private:
  Matrix U_;
};

// U = S - 1 m', stored twice: by columns for products, where loops are long, and by rows for the Gram matrix.
class SparseLargeVariance final : public LargeVarianceColumns {
 public:
  /// The views' entries are not copied for products.
  SparseLargeVariance(Index rows, std::vector<ColumnView> views, std::span<const double> scale)
      : views_(std::move(views)), starts_(rows + 1, 0) {
    for (Index k = 0; k < std::ssize(views_); ++k) {
      views_[k].factor *= scale[k];
      for (Index e = 0; e < views_[k].count; ++e) ++starts_[(views_[k].rows[e]) + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    entries_.resize(starts_.back());
    std::vector<std::size_t> places(starts_.begin(), starts_.end() - 1);
    for (Index k = 0; k < std::ssize(views_); ++k) {
      const ColumnView& x = views_[k];
      for (Index e = 0; e < x.count; ++e) {
        entries_[places[x.rows[e]]++] = {k, x.factor * x.values[e]};
      }
    }
  }

  Index count() const override { return std::ssize(views_); }
  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out(d.size(), 0.0);
    add_times(along(d), out);
    return out;
  }
  std::unique_ptr<LowRankSystem> system(std::span<const double> factor) const override;

  /// U'd.
  std::vector<double> along(std::span<const double> d) const {
    std::vector<double> out;
    out.reserve(views_.size());
    const double all = std::accumulate(d.begin(), d.end(), 0.0);
    for (const ColumnView& x : views_) {
      double even = 0, odd = 0;  // two independent chains of additions
      Index e = 0;
      for (; e + 1 < x.count; e += 2) {
        even += x.values[e] * d[x.rows[e]];
        odd += x.values[e + 1] * d[x.rows[e + 1]];
      }
      if (e < x.count) even += x.values[e] * d[x.rows[e]];
      out.push_back(x.factor * (even + odd - x.center * all));
    }
    return out;
  }
  /// out += U v.
  void add_times(std::span<const double> v, std::span<double> out) const {
    double shift = 0;
    for (Index k = 0; k < std::ssize(views_); ++k) {
      const ColumnView& x = views_[k];
      const double by = x.factor * v[k];
      shift += x.center * by;
      for (Index e = 0; e < x.count; ++e) out[x.rows[e]] += by * x.values[e];
    }
    for (double& o : out) o -= shift;
  }
  /// U'diag(weights)U, lower triangle.
  Matrix gram(std::span<const double> weights) const {
    const Index k = count();
    Matrix out(k, k);
    std::vector<double> sums(views_.size(), 0.0);  // S'weights
    double total = 0;
    for (Index i = 0; i < std::ssize(weights); ++i) {
      total += weights[i];
      const std::span row(entries_.data() + starts_[i], starts_[i + 1] - starts_[i]);
      for (Index e = 0; e < std::ssize(row); ++e) {
        const double weighted = weights[i] * row[e].value;
        sums[row[e].column] += weighted;
        double* const column = out.col(row[e].column);
        for (const Entry& other : row.subspan(e)) column[other.column] += weighted * other.value;
      }
    }
    // (S - 1 m')'W(S - 1 m') = S'WS - s m' - m (s - total m)', s = S'W1.
    const auto center = [&](Index c) { return views_[c].factor * views_[c].center; };
    for (Index c = 0; c < k; ++c) {
      const double sum = sums[c] - total * center(c);
      for (Index r = c; r < k; ++r) out(r, c) -= sums[r] * center(c) + center(r) * sum;
    }
    return out;
  }

 private:
  struct Entry {
    Index column;
    double value;
  };
  std::vector<ColumnView> views_;    // scaled
  std::vector<std::size_t> starts_;  // of each row's entries
  std::vector<Entry> entries_;       // columns increasing
};

// (I + F U U' F)^-1 = I - F U M^-1 U' F with M = I + U'F^2 U.
class SparseSystem final : public LowRankSystem {
 public:
  SparseSystem(const SparseLargeVariance& U, std::span<const double> factor)
      : U_(U), factor_(factor.begin(), factor.end()) {
    std::vector<double> weights(factor_);
    for (double& w : weights) w *= w;
    M_ = U.gram(weights);
    for (Index k = 0; k < M_.cols(); ++k) M_(k, k) += 1;
    if (!cholesky(M_)) throw NumericalFailure("the covariance matrix of the rows is not finite");
  }
  std::vector<double> solve(std::span<const double> b) const override {
    std::vector<double> scaled(b.begin(), b.end()), out(b.size(), 0.0);
    // Woodbury from the inside out: F b, U', M^-1, U, F.
    for (Index i = 0; i < std::ssize(scaled); ++i) scaled[i] *= factor_[i];
    std::vector<double> inner = U_.along(scaled);
    solve_positive(M_, std::span(inner));
    U_.add_times(inner, out);
    for (Index i = 0; i < std::ssize(out); ++i) out[i] = b[i] - factor_[i] * out[i];
    return out;
  }
  double log_determinant() const override { return tamis::log_determinant(M_); }

 private:
  const SparseLargeVariance& U_;
  std::vector<double> factor_;
  Matrix M_;
};

std::unique_ptr<LowRankSystem> SparseLargeVariance::system(std::span<const double> factor) const {
  return std::make_unique<SparseSystem>(*this, factor);
}

// Nothing if a column has none, or they are not few.
std::optional<std::vector<ColumnView>> few_entries(const Design& X, Columns c) {
  const auto n = static_cast<double>(X.rows()), k = static_cast<double>(c.size());
  if (c.size() > X.rows() || X.stored_per_column() > max_filled * n) return std::nullopt;
  std::vector<ColumnView> views;
  double entries = 0;
  for (Index l = 0; l < c.size(); ++l) {
    const std::optional<ColumnView> x = X.column(c[l]);
    if (!x || x->rows == nullptr || std::abs(x->center * x->factor) > far) return std::nullopt;
    entries += static_cast<double>(x->count);
    views.push_back(*x);
  }
  if (entries > max_filled * n * k) return std::nullopt;
  return views;
}

}  // namespace

std::unique_ptr<LargeVarianceColumns> large_variance_columns(Matrix U) {
  return std::make_unique<DenseLargeVariance>(std::move(U));
}

std::unique_ptr<LargeVarianceColumns> large_variance_columns(const Design& X, Columns c,
                                                             std::span<const double> scale) {
  if (auto views = few_entries(X, c)) return std::make_unique<SparseLargeVariance>(X.rows(), std::move(*views), scale);
  Matrix U(X.rows(), c.size());
  X.gather(c, U);
  for (Index k = 0; k < U.cols(); ++k) {
    for (double& x : U.column(k)) x *= scale[k];
  }
  return large_variance_columns(std::move(U));
}

}  // namespace tamis
