// Known covariance components of a prior, whose variances a method estimates: which of several supports, smoothers,
// pathways or relationships between rows explain the response.
#pragma once

#include <string>
#include <string_view>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// A component of the covariance with an unknown variance gamma >= 0 in front of it. Components may overlap and be
/// correlated.
struct CovarianceComponent {
  std::string name;
  /// false: `values` is a factor L, features x rank, and gamma L L' is a part of the covariance of the coefficients on
  /// the original scale of the features, whether or not the method standardizes them.
  /// true: `values` is a kernel K, rows x rows, symmetric and positive semidefinite (a kinship matrix), and gamma K is
  /// the covariance of an effect of the rows that is added to the linear predictor.
  bool of_rows = false;
  ConstMatrixView values;
};

/// Of the kind that its shape says: one row per feature is a factor, `rows` x `rows` a kernel. Where both fit, and
/// whenever it is wanted, a name that starts with `features:` or `rows:` decides; the prefix is no part of the
/// component's name. Throws InvalidInput for other shapes, and where nothing decides.
CovarianceComponent component_of(std::string_view name, ConstMatrixView values, Index features, Index rows);

}  // namespace tamis
