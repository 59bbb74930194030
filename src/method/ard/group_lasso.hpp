// The lasso step of reweighted L1: min 1/2 |Y - Phi X|^2 + sum_u weight_u |X_u| over all features, where X_u are the
// rows of group u (one number for a single feature and target: the weighted lasso). Coordinate descent on the Gram
// matrix of a working set that only grows; all other features are checked from its rows, and the worst violators join.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "method/ard/relevance.hpp"

namespace tamis {

/// Coefficients and gradients are indexed by place in GramRows; groups of the working set by the order in which they
/// joined. A feature outside the working set has coefficient 0. Keeps its solution between solves as a warm start.
class GroupLasso {
 public:
  /// `allowed`: per group, others stay zero; empty: all. Everything must outlive this.
  GroupLasso(Relevance& model, bool nonnegative, std::span<const char> allowed)
      : model_(model), nonnegative_(nonnegative), allowed_(allowed) {}

  /// Starts from here instead of from the last solution: coefficients of these features, features x targets.
  void warm(std::span<const Index> features, const Matrix& coefficients);
  /// `weights`: per group. Where `refine` is given, weights of groups outside the working set may be too small; before
  /// such groups join it is called to correct theirs. False if the descent ended before the KKT conditions held to
  /// `tolerance` relative to the weights; the objective has fallen nevertheless.
  using Refine = std::function<void(std::span<const Index> feature_groups)>;
  bool solve(std::span<const double> weights, double tolerance, const Refine& refine = {});

  /// The working set: groups that the next solve may move without another KKT check.
  const std::vector<Index>& in_play() {
    grow();
    return feature_groups_;
  }

  /// The solution: groups that are not zero, and |X_u|.
  void support(std::vector<Index>& feature_groups, std::vector<double>& lengths) const;
  /// Coefficients of the members of these groups, features x targets.
  Matrix coefficients(std::span<const Index> feature_groups) const;

 private:
  void grow();
  void take_gradient();
  double sweep(std::span<const Index> order);
  double step_single(Index k);
  double step_group(Index k);
  bool descend(double tolerance);
  bool newton(double tolerance);
  std::vector<Index> violators(double tolerance, const Refine& refine) const;
  void move(Index place, Index target, double by);

  Relevance& model_;
  bool nonnegative_;
  std::span<const char> allowed_;
  std::span<const double> weights_;
  // Per place of GramRows.
  std::vector<std::vector<double>> x_, g_;  // by target: coefficients and gradient
  // Working set: groups all of whose members have a place.
  std::vector<Index> feature_groups_;
  std::vector<std::vector<Index>> places_;  // of the members; empty for a single feature
  std::vector<Index> first_place_;
  std::vector<double> curvature_;  // largest eigenvalue of the unit's Gram matrix
  std::vector<char> in_play_;
  std::vector<double> scratch_;
};

}  // namespace tamis
