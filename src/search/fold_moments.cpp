#include "search/fold_moments.hpp"

namespace tamis {

// Quadratic loss, rows at least 20 times the features (X'X is then at most a twentieth of X's memory) and rows of X
// addressable, so that each fold's part can be computed.
bool moments_suffice(const Problem& problem, const Standardization& scale) {
  return problem.likelihood.is_quadratic() && problem.X.rows() >= 20 * problem.X.cols() && has_rows(scale.X());
}

// With folds the total is the sum of their parts, so that X is read once; each part is kept in single precision, from
// which training moments follow by subtraction. Rows of weight 0 belong to no fold.
bool take_fold_moments(const Problem& problem, const Standardization& scale, const Folds& folds, FoldMoments& out) {
  std::span<const double> y = problem.y;
  std::vector<double> shifted;
  if (!problem.offset.empty()) {
    shifted.assign(y.begin(), y.end());
    for (Index i = 0; i < std::ssize(shifted); ++i) shifted[i] -= problem.offset[i];
    y = shifted;
  }
  if (folds.count == 0) out.total = cross_products(scale.X(), y, scale.weights());
  for (int k = 0; k < folds.count; ++k) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::ssize(y); ++i) {
      if (folds.fold_of_row[i] == k) rows.push_back(i);
    }
    const CrossProducts<double> part = cross_products(scale.X(), y, scale.weights(), rows);
    add(part, out.total);
    out.parts.push_back(to_single(part));
  }
  for (Index j = 0; j < problem.X.cols(); ++j) {
    const double squared = out.total.entry(j, j);
    if (squared != 0 && !(squared > 1e-30 && squared < 1e30)) return false;
  }
  return true;
}

}  // namespace tamis
