#include "method/laplace/special_columns.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

// Entries one by one are slower than whole columns from this share on.
constexpr double most_filled = 0.25;
constexpr double far = 1e4;  // centres in units of the scale, beyond which digits would cancel

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

class DenseSystem final : public SpecialSystem {
 public:
  explicit DenseSystem(Matrix scaled) : scaled_(std::move(scaled)), low_(scaled_) {}
  std::vector<double> solve(std::span<const double> b) const override { return low_.solve(b); }
  double log_determinant() const override { return low_.log_determinant(); }

 private:
  Matrix scaled_;
  LowRank low_;
};

class DenseSpecial final : public SpecialColumns {
 public:
  explicit DenseSpecial(Matrix U) : U_(std::move(U)) {}
  Index count() const override { return U_.cols(); }

  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out(d.size(), 0.0);
    add_multiply(U_, multiply_transposed(U_, d), out);
    return out;
  }
  std::unique_ptr<SpecialSystem> system(std::span<const double> factor) const override {
    Matrix scaled = U_;
    for (Index k = 0; k < scaled.cols(); ++k) {
      double* u = scaled.col(k);
      for (std::size_t i = 0; i < factor.size(); ++i) u[i] *= factor[i];
    }
    return std::make_unique<DenseSystem>(std::move(scaled));
  }

 private:
  Matrix U_;
};

// U = S - 1 m': entries and centres apart, both scaled.
class SparseSpecial final : public SpecialColumns {
 public:
  SparseSpecial(Index rows, std::span<const ColumnView> views, std::span<const double> scale)
      : starts_(at(rows) + 1, 0), centres_(views.size()) {
    Index entries = 0;
    for (const ColumnView& x : views) {
      entries += x.count;
      for (Index e = 0; e < x.count; ++e) ++starts_[at(x.rows[e]) + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    columns_.resize(at(entries));
    values_.resize(at(entries));
    std::vector<std::size_t> places(starts_.begin(), starts_.end() - 1);
    for (std::size_t k = 0; k < views.size(); ++k) {
      const ColumnView& x = views[k];
      const double factor = x.factor * scale[k];
      centres_[k] = factor * x.centre;
      for (Index e = 0; e < x.count; ++e) {
        const std::size_t place = places[at(x.rows[e])]++;
        columns_[place] = static_cast<std::int32_t>(k);
        values_[place] = factor * x.values[e];
      }
    }
  }

  Index count() const override { return static_cast<Index>(centres_.size()); }
  std::vector<double> times(std::span<const double> d) const override {
    std::vector<double> out(d.size(), 0.0);
    add_times(along(d), out);
    return out;
  }
  std::unique_ptr<SpecialSystem> system(std::span<const double> factor) const override;

  /// U'd.
  std::vector<double> along(std::span<const double> d) const {
    std::vector<double> out(centres_.size(), 0.0);
    double sum = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      sum += d[i];
      for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e)
        out[static_cast<std::size_t>(columns_[e])] += values_[e] * d[i];
    }
    for (std::size_t k = 0; k < out.size(); ++k) out[k] -= centres_[k] * sum;
    return out;
  }
  /// out += U v.
  void add_times(std::span<const double> v, std::span<double> out) const {
    const double shift = std::inner_product(v.begin(), v.end(), centres_.begin(), 0.0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      double sum = -shift;
      for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e)
        sum += values_[e] * v[static_cast<std::size_t>(columns_[e])];
      out[i] += sum;
    }
  }
  /// U'diag(weights)U, lower triangle: row by row, since most rows have few entries.
  Matrix gram(std::span<const double> weights) const {
    const Index k = count();
    Matrix out(k, k);
    std::vector<double> sums(centres_.size(), 0.0);  // S'weights
    double total = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      total += weights[i];
      for (std::size_t e = starts_[i]; e < starts_[i + 1]; ++e) {
        const double weighted = weights[i] * values_[e];
        double* const column = out.col(columns_[e]);
        sums[static_cast<std::size_t>(columns_[e])] += weighted;
        for (std::size_t f = e; f < starts_[i + 1]; ++f) column[columns_[f]] += weighted * values_[f];
      }
    }
    for (Index c = 0; c < k; ++c) {
      const double mean = centres_[at(c)], sum = sums[at(c)] - total * mean;
      for (Index r = c; r < k; ++r) out(r, c) -= sums[at(r)] * mean + centres_[at(r)] * sum;
    }
    return out;
  }

 private:
  std::vector<std::size_t> starts_;  // of each row's entries, columns increasing
  std::vector<std::int32_t> columns_;
  std::vector<double> values_, centres_;
};

// (I + F U U' F)^-1 = I - F U M^-1 U' F with M = I + U'F^2 U.
class SparseSystem final : public SpecialSystem {
 public:
  SparseSystem(const SparseSpecial& U, std::span<const double> factor)
      : U_(U), factor_(factor.begin(), factor.end()), weights_(factor.begin(), factor.end()) {
    for (double& w : weights_) w *= w;
    M_ = U.gram(weights_);
    for (Index k = 0; k < M_.cols(); ++k) M_(k, k) += 1;
    if (!cholesky(M_)) throw std::runtime_error("a covariance of rows is not finite");
  }
  std::vector<double> solve(std::span<const double> b) const override {
    std::vector<double> scaled(b.begin(), b.end()), out(b.size(), 0.0);
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] *= factor_[i];
    std::vector<double> inner = U_.along(scaled);
    solve_positive(M_, std::span(inner));
    U_.add_times(inner, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = b[i] - factor_[i] * out[i];
    return out;
  }
  double log_determinant() const override { return tamis::log_determinant(M_); }

 private:
  const SparseSpecial& U_;
  std::vector<double> factor_, weights_;
  Matrix M_;
};

std::unique_ptr<SpecialSystem> SparseSpecial::system(std::span<const double> factor) const {
  return std::make_unique<SparseSystem>(*this, factor);
}

// Nothing if a column has none, or they are not few.
std::optional<std::vector<ColumnView>> few_entries(const Design& X, Columns c) {
  const auto n = static_cast<double>(X.rows()), k = static_cast<double>(c.size());
  if (c.size() > X.rows() || X.stored_per_column() > most_filled * n) return std::nullopt;
  std::vector<ColumnView> views;
  double entries = 0;
  for (Index l = 0; l < c.size(); ++l) {
    const std::optional<ColumnView> x = X.column(c[l]);
    if (!x || x->rows == nullptr || std::abs(x->centre * x->factor) > far) return std::nullopt;
    entries += static_cast<double>(x->count);
    views.push_back(*x);
  }
  if (entries > most_filled * n * k) return std::nullopt;
  return views;
}

}  // namespace

std::unique_ptr<SpecialColumns> special_columns(Matrix U) { return std::make_unique<DenseSpecial>(std::move(U)); }

std::unique_ptr<SpecialColumns> special_columns(const Design& X, Columns c, std::span<const double> scale) {
  if (const auto views = few_entries(X, c)) return std::make_unique<SparseSpecial>(X.rows(), *views, scale);
  Matrix U(X.rows(), c.size());
  X.gather(c, U);
  for (Index k = 0; k < U.cols(); ++k) {
    for (double& x : U.column(k)) x *= scale[at(k)];
  }
  return special_columns(std::move(U));
}

}  // namespace tamis
