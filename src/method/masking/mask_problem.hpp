// From a Problem to the data that Bayesian Masking works on, and back: rows that count, columns that vary, centered
// (with an intercept) and of root mean square one, a gaussian response in units of its spread.
#pragma once

#include <vector>

#include "method/masking/mask_state.hpp"
#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Rows and columns are numbered as kept: rows_ maps to rows of X, the `columns` of data() to its columns. Y of a
/// gaussian response is mean_ + unit_ * working response.
class MaskProblem {
 public:
  /// The problem must outlive it.
  explicit MaskProblem(const Problem& problem);

  const Problem& problem() const { return problem_; }
  const Standardization& scale() const { return scale_; }
  /// Columns that vary.
  const std::vector<Index>& varying() const { return varying_; }
  bool response_is_constant() const { return unit_ == 0; }
  /// One unit of the working response in original units.
  double unit() const { return unit_; }
  double samples() const { return scale_.total_weight(); }

  /// Data of these columns.
  MaskData data(const std::vector<Index>& columns) const;
  /// Coefficients, deviations, inclusion, intercept and hyper["weights"] of a state on data(columns).
  void fill(MaskState& state, const std::vector<Index>& columns, Fit& fit) const;
  /// The mean masks as CSV, a line per row of X (empty cells where a row does not count), a column per feature.
  std::string masks_csv(const MaskState& state, const std::vector<Index>& columns) const;

 private:
  static Problem standardized(const Problem& problem);
  void measure_response();

  Problem problem_;
  Standardization scale_;
  std::vector<Index> rows_, varying_;
  std::vector<double> response_;  // of rows_, in units
  double mean_ = 0, unit_ = 1;
};

}  // namespace tamis
