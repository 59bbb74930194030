// Data of automatic relevance determination: y = Phi x + noise, where Phi is X with its rows weighted by the roots of
// their precisions and the intercept projected out (a flat prior on it). Features of a group share one prior variance;
// as a rule each feature is its own group. Phi itself is never formed.
#pragma once

#include <span>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

class RelevanceData {
 public:
  /// `precisions`: of the rows, in units of the noise precision. `Y`: rows x targets. `group_of`: per feature, numbered
  /// from 0; empty: each feature is its own. `squared_norms`: of Phi's columns if they are known. X must outlive this.
  RelevanceData(const Design& X, std::vector<double> precisions, bool intercept, Matrix Y,
                std::span<const Index> group_of = {}, std::vector<double> squared_norms = {});

  /// The same rows and targets with other columns, each its own group: `X` holds `columns` of this one.
  RelevanceData with_columns(const Design& X, std::span<const Index> columns) const;

  Index samples() const { return X_.rows(); }
  Index features() const { return X_.cols(); }
  Index targets() const { return Y_.cols(); }
  Index feature_groups() const { return std::ssize(group_norms_); }
  bool has_groups() const { return feature_groups() != features(); }
  /// Features of group u.
  std::span<const Index> members(Index u) const {
    return std::span(members_).subspan(starts_[u], starts_[u + 1] - starts_[u]);
  }
  Index group_of(Index feature) const { return group_of_[feature]; }
  const Design& X() const { return X_; }

  /// Sum of the row precisions, less one for the intercept.
  double degrees_of_freedom() const { return degrees_of_freedom_; }
  /// |phi_j|^2
  std::span<const double> squared_norms() const { return norms_; }
  /// Sum of |phi_j|^2 over the members of each group.
  std::span<const double> group_norms() const { return group_norms_; }
  /// Phi'Y, features x targets.
  const Matrix& correlations() const { return correlations_; }
  /// |Y|^2
  double response_square() const { return response_square_; }
  /// Mean of each target, which was subtracted; zeros without an intercept.
  std::span<const double> target_means() const { return target_means_; }

  /// out = Phi_c itself, rows weighted and centered; and the response likewise.
  void panel(Columns columns, MatrixView out) const;
  Matrix weighted_response() const;
  /// out = Phi'Phi_c, features x |c|: one pass over X for a few columns.
  void products_with(std::span<const Index> columns, MatrixView out) const;
  /// Y - Phi_c B; B is |c| x targets. Centered, rows not weighted.
  Matrix residual(std::span<const Index> columns, ConstMatrixView B) const;
  /// Sum of the squares of a residual, rows weighted.
  double square(ConstMatrixView residual) const;
  /// out_l = |phi_l - Phi_c b_l|^2 for the features l in `of`; B is |c| x |of|. From residuals: nothing cancels.
  void distances(std::span<const Index> of, std::span<const Index> columns, ConstMatrixView B,
                 std::span<double> out) const;

 private:
  void index_groups(std::span<const Index> group_of);
  void take_norms();
  void center(MatrixView V, std::span<double> means = {}) const;

  const Design& X_;
  std::vector<double> precisions_;
  double total_ = 0;
  bool intercept_;
  Matrix Y_;
  std::vector<Index> group_of_, members_, starts_;
  std::vector<double> norms_, group_norms_, target_means_;
  Matrix correlations_;
  double response_square_ = 0, degrees_of_freedom_ = 0;
};

}  // namespace tamis
