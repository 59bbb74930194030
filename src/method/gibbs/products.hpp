// What a sweep asks of the data: for each feature in turn x_j'W(y - Xb) at the coefficients of the moment, and to take
// a change of one coefficient into account. Two ways, by what costs less: with X'WX at hand, or with columns of X.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "method/gibbs/chain.hpp"

namespace tamis {

/// On X'WX: a change of one coefficient costs p operations, and a feature that stays out costs none.
/// state.products is X'W(y - Xb).
class GramProducts {
 public:
  explicit GramProducts(const ChainData& data) : data_(data) {}

  void rebuild(ChainState& state) const;
  void begin_sweep(ChainState&, RandomStream&) {}
  std::span<const double> curvature() const { return data_.scaled().curvature(); }
  double residual_square(const ChainState& state) const;
  double log_likelihood(const ChainState& state) const;
  /// x_j'W(y - Xb) of every feature.
  std::span<const double> correlations(const ChainState& state) { return state.products; }
  /// Takes into account that b_j has changed by this.
  void shift(ChainState& state, Index feature, double by) const;

  /// Calls visit(j, x_j'W(y - Xb), x_j'Wx_j) for each feature in order; it returns by how much it changed b_j.
  template <class Visit>
  void visit_features(ChainState& state, Visit visit) const {
    const Index p = state.coefficients.size();
    const std::span<const double> curvature = data_.scaled().curvature();
    double* products = state.products.data();
    Index changes = 0;
    for (Index j = 0; j < p; ++j) {
      const double change = visit(j, products[j], curvature[j]);
      if (change == 0) continue;
      ++changes;
      subtract(change, data_.gram().col(j), p, products);
    }
    state.changes = changes;
  }

 private:
  /// to -= factor * from.
  static void subtract(double factor, const double* from, Index size, double* to);

  const ChainData& data_;
};

/// On columns of X: works for any size, and for weights that change from sweep to sweep. state.products is the
/// predictor with offset and intercept.
class ColumnProducts {
 public:
  explicit ColumnProducts(const ChainData& data);

  void rebuild(ChainState& state) const;
  /// Not gaussian: fresh precisions of the rows (bernoulli: Polya-Gamma) and, given them, the intercept.
  void begin_sweep(ChainState& state, RandomStream& random);
  std::span<const double> curvature() const { return curvature_; }
  double residual_square(const ChainState& state) const;
  double log_likelihood(const ChainState& state) const;
  std::span<const double> correlations(const ChainState& state);
  void shift(ChainState& state, Index feature, double by);

  template <class Visit>
  void visit_features(ChainState& state, Visit visit) {
    const Index p = state.coefficients.size();
    pull_all(state);
    // Products of several columns at once are cheap, but void after the first change: half of the expected number of
    // features to it are correlated ahead.
    const Index ahead = std::clamp<Index>(p / (2 * (state.changes + 1)), 1, furthest_ahead);
    Index changes = 0;
    for (Index first = 0; first < p;) {
      const Index count = std::min(ahead, p - first);
      correlate(first, count);
      Index k = 0;
      for (bool changed = false; k < count && !changed; ++k) {
        const Index j = first + k;
        const double change = visit(j, correlations_[k], curvature_[j]);
        if (change == 0) continue;
        changed = true;
        ++changes;
        shift(state, j, change);
      }
      first += k;
    }
    state.changes = changes;
  }

 private:
  static constexpr Index furthest_ahead = 64;
  void pull_all(const ChainState& state);
  void correlate(Index first, Index count);

  const ScaledProblem& data_;
  const Augmentation& augmentation_;
  std::vector<double> response_;   // Augmentation::shift of each row
  std::vector<double> precision_;  // of each row: its weight, or what was drawn
  std::vector<double> curvature_;
  std::vector<double> pull_;  // response_ - precision_ * predictor
  std::vector<double> correlations_;
  std::vector<double> all_correlations_;
};

}  // namespace tamis
