// Loadings of a column given all scores: a weighted linear regression of the column on [V, 1], drawn jointly.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "factor/model/state.hpp"
#include "factor/sampling/slab.hpp"

namespace tamis::factor {

/// The normal N(A^-1 b, A^-1) of one column, collected in parts and drawn.
class ColumnNormal {
 public:
  explicit ColumnNormal(Index lines);
  Index lines() const { return lines_; }
  double* precision() { return precision_.data(); }  ///< A, column-major, lower triangle
  double* linear() { return linear_.data(); }        ///< b
  void clear();
  /// A += sign * sum over the listed rows of w_n [v_n, 1] [v_n, 1]'; weights are by row, nullptr: ones.
  template <class Rows>
  void add_rows(const FactorState& state, const Rows& rows, const double* weights, double sign);
  /// The same over all rows.
  void add_all_rows(const FactorState& state, const double* weights);
  /// b += sum over all rows of r_n [v_n, 1].
  void add_linear(const FactorState& state, const double* r);
  /// Replaces linear() by A^-1 b. A is destroyed.
  void solve();
  /// The same for a step of a descent, which need not be exact: where rounding has left A indefinite, because weights
  /// range from 1e-8 to 1e15, its diagonal is raised by as small a share of the largest entry as suffices.
  void solve_damped();
  /// Puts linear() into column d of the loadings.
  void store(Index d, FactorState& state) const;
  /// Draws into column d of the loadings. A is destroyed.
  void draw(RandomStream& random, Index d, FactorState& state);

 private:
  void add_panel(Index count, double sign);
  bool is_factorized();
  void factorize();
  void substitute();
  Index lines_;
  std::vector<double> precision_, linear_, panel_, normals_;
  std::vector<double> given_;  // what the damped solve begins again from
};

/// For a quadratic loss: calls visit(d, column) with the normal equations of every column, prior included, in parallel.
/// V'V is made once; rows missing in a column are taken off (or only the observed ones added).
void for_each_normal_column(const Cells& cells, const FactorState& state, double noise_precision,
                            const std::function<void(Index, ColumnNormal&)>& visit);

void draw_normal_loadings(const Cells& cells, const ChainKey& key, Index sweep, FactorState& state);

/// For a family with an augmentation, given its precisions `weights` (row by row, as the data; 0: missing): b =
/// V'shift, A = V' W V, and the prior, which is cells itself, with an augmentation of its own.
void draw_augmented_loadings(const Cells& cells, std::span<const double> weights, const ChainKey& key, Index sweep,
                             FactorState& state);

}  // namespace tamis::factor
