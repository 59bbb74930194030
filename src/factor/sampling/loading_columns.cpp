// Loadings of a column given all scores: N(A^-1 b, A^-1) in K + 1 dimensions, drawn jointly.
//
// Gaussian   A = [V, 1]'[V, 1] / s^2 + I, b = [V, 1]'x_d / s^2 + prior; for each column less its missing rows.
// Augmented  A = [V, 1]' diag(omega_d) [V, 1] + prior, b = [V, 1]'(x_d - 1/2). The prior of a loading, logit-Beta, is
//            two cells of the family with predictor theta: its omega0 ~ PG(2, theta) makes it gaussian too, so the draw
//            is exact.
// Why joint  Loadings of one column are as correlated as the scores of factors are; drawn one by one they mix slowly.
//            The paper uses slice sampling, one coordinate at a time.
// Cost       N K D + K^2 (N + missing) + K^3 D for gaussian tables, where V'V is shared; N K^2 D with weights. Rows are
//            packed into panels of 128 for dsyrk.
// Invariant  Sums over rows are made in parts cut by N alone, and columns are independent: the same bits on any number
//            of threads.
#include "factor/sampling/loading_columns.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numerical_failure.hpp"
#include "base/scratch.hpp"
#include "factor/model/sums_over_rows.hpp"
#include "tamis/base/parallel.hpp"

extern "C" {
void dpotrf_(const char* triangle, const int* size, double* A, const int* stride, int* info);
}

namespace tamis::factor {
namespace {

constexpr Index panel_rows = 128;

// All rows, as a list.
struct AllRows {
  Index count;
  Index size() const { return count; }
  Index operator[](Index i) const { return i; }
};
struct ListedRows {
  std::span<const std::int32_t> places;
  Index size() const { return std::ssize(places); }
  Index operator[](Index i) const { return places[i]; }
};

// The rows that are not listed, for columns of which more than half is missing: adding the observed rows is then
// cheaper than subtracting the others from V'V, and does not cancel.
std::vector<std::int32_t> others(std::span<const std::int32_t> listed, Index count) {
  std::vector<std::int32_t> rest;
  rest.reserve(count - std::ssize(listed));
  auto next = listed.begin();
  for (std::int32_t n = 0; n < count; ++n) {
    if (next != listed.end() && *next == n) {
      ++next;
    } else {
      rest.push_back(n);
    }
  }
  return rest;
}

// [V, 1]'[V, 1] (column-major, lower triangle) followed by [V, 1]'X (by column of X), over all rows; missing x are 0.
class CrossProducts {
 public:
  CrossProducts(const Cells& cells, const FactorState& state)
      : lines_(state.lines()),
        numbers_(
            sums_over_rows(cells.rows(), lines_ * (lines_ + state.cols), [&](Index first, Index last, double* sums) {
              add_rows(cells, state, first, last, sums, sums + lines_ * lines_);
            })) {}
  const double* gram() const { return numbers_.data(); }
  /// Of column d.
  const double* products(Index d) const { return numbers_.data() + lines_ * (lines_ + d); }

 private:
  static void add_rows(const Cells& cells, const FactorState& state, Index first, Index last, double* gram,
                       double* products);

  Index lines_;
  std::vector<double> numbers_;
};

void CrossProducts::add_rows(const Cells& cells, const FactorState& state, Index first, Index last, double* gram,
                             double* products) {
  const auto factors = static_cast<int>(state.factors), lines = static_cast<int>(state.lines());
  const auto cols = static_cast<int>(state.cols);
  for (Index at = first; at < last; at += panel_rows) {
    const Index count = std::min(panel_rows, last - at);
    const Scratch panel(count * lines), copy(cells.is_sparse() ? count * cols : 0);
    for (Index i = 0; i < count; ++i) {
      double* line = std::copy_n(state.score_row(at + i), factors, panel.data() + i * lines);
      if (state.intercept) *line = 1;
    }
    const double* x = cells.row(at, copy.data());
    for (Index i = 1; i < count && cells.is_sparse(); ++i) cells.row(at + i, copy.data() + i * cols);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, lines, static_cast<int>(count), 1.0, panel.data(), lines, 1.0,
                gram, lines);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, lines, cols, static_cast<int>(count), 1.0, panel.data(), lines,
                x, cols, 1.0, products, lines);
  }
}

}  // namespace

ColumnNormal::ColumnNormal(Index lines)
    : lines_(lines), precision_(lines * lines), linear_(lines), panel_(lines * panel_rows), normals_(lines) {}

void ColumnNormal::clear() {
  std::fill(precision_.begin(), precision_.end(), 0.0);
  std::fill(linear_.begin(), linear_.end(), 0.0);
}

// Rows times the root of their weight, so that one symmetric product serves weighted and unweighted sums, and A, where
// nothing is subtracted, stays positive semidefinite under rounding. A row of weight 0 (missing cell) is left out.
template <class Rows>
void ColumnNormal::add_rows(const FactorState& state, const Rows& rows, const double* weights, double sign) {
  Index filled = 0;
  for (Index i = 0; i < rows.size(); ++i) {
    const Index n = rows[i];
    const double factor = weights != nullptr ? std::sqrt(weights[n]) : 1;
    if (factor == 0) continue;
    double* line = panel_.data() + filled * lines_;
    const double* v = state.score_row(n);
    for (Index k = 0; k < state.factors; ++k) line[k] = factor * v[k];
    if (state.intercept) line[state.factors] = factor;
    if (++filled < panel_rows) continue;
    add_panel(filled, sign);
    filled = 0;
  }
  if (filled > 0) add_panel(filled, sign);
}

void ColumnNormal::add_panel(Index count, double sign) {
  const auto lines = static_cast<int>(lines_);
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, lines, static_cast<int>(count), sign, panel_.data(), lines, 1.0,
              precision_.data(), lines);
}

void ColumnNormal::add_all_rows(const FactorState& state, const double* weights) {
  add_rows(state, AllRows{state.rows}, weights, 1);
}

void ColumnNormal::add_linear(const FactorState& state, const double* r) {
  for (Index n = 0; n < state.rows; ++n) {
    if (r[n] == 0) continue;
    const double* v = state.score_row(n);
    for (Index k = 0; k < state.factors; ++k) linear_[k] += r[n] * v[k];
    if (state.intercept) linear_.back() += r[n];
  }
}

// The prior's identity keeps A positive definite, whatever K and N, unless huge counts drown it; a failure is that or
// NaN among the scores.
bool ColumnNormal::is_factorized() {
  const auto lines = static_cast<int>(lines_);
  int info = 0;
  dpotrf_("L", &lines, precision_.data(), &lines, &info);
  return info == 0;
}

void ColumnNormal::factorize() {
  if (!is_factorized()) throw NumericalFailure("the precision matrix of a column's loadings is not positive definite");
}

void ColumnNormal::substitute() {
  const auto lines = static_cast<int>(lines_);
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, lines, precision_.data(), lines, linear_.data(),
              1);
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, lines, precision_.data(), lines, linear_.data(), 1);
}

void ColumnNormal::solve() {
  factorize();
  substitute();
}

// Levenberg's damping: a longer diagonal shortens the step, and the descent checks that the loss falls.
void ColumnNormal::solve_damped() {
  given_ = precision_;
  double largest = 0;
  for (Index k = 0; k < lines_; ++k) largest = std::max(largest, given_[k * lines_ + k]);
  constexpr double least_share = 1e-15, growth = 10;
  for (double share = least_share; !is_factorized(); share *= growth) {
    if (!(share <= 1)) throw NumericalFailure("the curvature of a column's loss is not finite");
    precision_ = given_;
    for (Index k = 0; k < lines_; ++k) precision_[k * lines_ + k] += share * largest;
  }
  substitute();
}

void ColumnNormal::draw(RandomStream& random, Index d, FactorState& state) {
  const auto lines = static_cast<int>(lines_);
  factorize();
  // With A = L L': x = L'^-1 (L^-1 b + normals).
  random.normals(normals_);
  cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, lines, precision_.data(), lines, linear_.data(),
              1);
  for (Index k = 0; k < std::ssize(linear_); ++k) linear_[k] += normals_[k];
  cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, lines, precision_.data(), lines, linear_.data(), 1);
  store(d, state);
}

void ColumnNormal::store(Index d, FactorState& state) const {
  for (Index k = 0; k < lines_; ++k) state.loading_row(k)[d] = linear_[k];
}

void for_each_normal_column(const Cells& cells, const FactorState& state, double noise_precision,
                            const std::function<void(Index, ColumnNormal&)>& visit) {
  const CrossProducts cross(cells, state);
  const std::unique_ptr<const LoadingPrior> prior = cells.family().loading_prior();
  const double prior_precision = prior->count(), prior_linear = prior->count() * prior->value();
  const Index lines = state.lines();
  parallel_for(cells.cols(), 4, [&](Index first, Index last) {
    ColumnNormal column(lines);
    for (Index d = first; d < last; ++d) {
      const auto missing = cells.missing_in_column(d);
      column.clear();
      if (2 * std::ssize(missing) <= cells.rows()) {
        std::copy_n(cross.gram(), lines * lines, column.precision());
        column.add_rows(state, ListedRows{missing}, nullptr, -1);
      } else {
        column.add_rows(state, ListedRows{others(missing, cells.rows())}, nullptr, 1);
      }
      double* precision = column.precision();
      for (Index i = 0; i < lines * lines; ++i) precision[i] *= noise_precision;
      for (Index k = 0; k < lines; ++k) {
        precision[k * lines + k] += prior_precision;
        column.linear()[k] = prior_linear + noise_precision * cross.products(d)[k];
      }
      visit(d, column);
    }
  });
}

void draw_normal_loadings(const Cells& cells, const ChainKey& key, Index sweep, FactorState& state) {
  for_each_normal_column(cells, state, 1 / state.noise_variance, [&](Index d, ColumnNormal& column) {
    RandomStream random = key.stream(sweep, ChainKey::loadings, d);
    column.draw(random, d, state);
  });
}

void draw_augmented_loadings(const Cells& cells, std::span<const double> weights, const ChainKey& key, Index sweep,
                             FactorState& state) {
  const Augmentation& augmentation = *cells.family().augmentation();
  const std::unique_ptr<const LoadingPrior> prior = cells.family().loading_prior();
  const Index lines = state.lines();
  parallel_for(cells.cols(), 4, [&](Index first, Index last) {
    ColumnNormal column(lines);
    const Scratch x(cells.rows()), w(cells.rows());
    for (Index d = first; d < last; ++d) {
      RandomStream random = key.stream(sweep, ChainKey::loadings, d);
      cells.column(d, x.data());
      for (Index n = 0; n < cells.rows(); ++n) w[n] = weights[n * cells.cols() + d];
      column.clear();
      column.add_all_rows(state, w.data());
      for (Index n = 0; n < cells.rows(); ++n) x[n] = w[n] == 0 ? 0 : augmentation.shift(x[n], 1);
      column.add_linear(state, x.data());
      for (Index k = 0; k < lines; ++k) {
        column.precision()[k * lines + k] +=
            augmentation.draw_precision(prior->value(), prior->count(), state.loading_row(k)[d], random);
        column.linear()[k] += augmentation.shift(prior->value(), prior->count());
      }
      column.draw(random, d, state);
    }
  });
}

}  // namespace tamis::factor
