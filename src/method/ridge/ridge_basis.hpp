// The columns that ridge works on: standardized, divided by the root of their penalty factor (so that every penalized
// coefficient has the same penalty), and turned into the span of the rows when there are more features than rows.
//
// With p > n all penalized directions outside the span of the rows stay at zero, so with Z = R V' (V orthonormal, one
// column per row at most) ridge on R has the same predictors and penalty as ridge on Z, for every likelihood and every
// subset of rows. Hastie & Tibshirani (2004), Biostatistics 5(3).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "problem/standardization.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Three coordinate systems: columns() (what solvers see), features() (standardized, scaled by penalty factors) and the
/// original ones; to_feature_space() and to_original() lead back.
class RidgeBasis {
 public:
  explicit RidgeBasis(const Problem& problem);
  RidgeBasis(const RidgeBasis&) = delete;
  RidgeBasis& operator=(const RidgeBasis&) = delete;

  /// What the solvers multiply with.
  const Design& columns() const { return reduced_ != nullptr ? static_cast<const Design&>(*reduced_) : Z_; }
  /// Per column of columns(): 1 if penalized, 0 if free.
  const std::vector<double>& penalized() const { return penalized_; }
  /// Whether columns() are rotated, and their weighted Gram matrix diagonal on the penalized part.
  bool is_rotated() const { return reduced_ != nullptr; }
  const Standardization& scale() const { return scale_; }
  /// The features before the rotation, one column each; zero where a feature is constant or excluded.
  const Design& features() const { return Z_; }
  /// Per feature: 1 if penalized, 0 if free (or excluded).
  const std::vector<double>& penalized_features() const { return penalized_features_; }
  Index active() const { return active_; }  ///< features that can have a coefficient

  /// V = features()' back(), if rotated: the penalized part of columns() is features() V. One column per direction.
  const Matrix& back() const { return back_; }
  /// Coefficients of features() that belong to the coefficients s of columns().
  std::vector<double> to_feature_space(std::span<const double> s) const;
  /// Fills coefficients and intercept on the original scale from those of features() and the working intercept.
  void to_original(std::span<const double> c, double intercept, Fit& fit) const;
  /// Divisor from working column j to original column j; 0: the coefficient is 0.
  double divisor(Index j) const { return Z_.scale()[j]; }

 private:
  void rotate(const std::vector<Index>& free);

  const Problem& problem_;
  Standardization scale_;
  StandardizedDesign Z_;
  std::vector<double> penalized_features_;
  std::vector<double> penalized_;
  Index active_ = 0;
  Matrix rotated_;  // R and the free columns
  Matrix back_;     // c = Z' back s
  std::unique_ptr<DenseDesign> reduced_;
};

}  // namespace tamis
