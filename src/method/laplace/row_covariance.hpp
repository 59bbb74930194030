// K = X R X', the prior covariance of the linear predictor under w ~ N(0, R), as the logistic model uses it: products K
// d, and systems (I + S K S) x = b for diagonal S. Three implementations: exact by a factor; exact by conjugate
// gradients, so that nothing is n x n; and approximate, with the features of the common variance as independent noise
// of each row.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "method/laplace/large_variance_columns.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

/// (I + S K S)^-1 for one S.
class RowSystem {
 public:
  virtual ~RowSystem() = default;
  /// `guess`: near the solution, for iterations to begin at; empty: 0.
  virtual std::vector<double> solve(std::span<const double> b, std::span<const double> guess) const = 0;
  /// log |I + S K S|; the iterated variant returns that of its preconditioner.
  virtual double log_determinant() const = 0;
};

class RowCovariance {
 public:
  virtual ~RowCovariance() = default;
  virtual std::vector<double> times(std::span<const double> d) const = 0;
  /// `root`: the diagonal of S. nullptr if the arithmetic gives out.
  virtual std::unique_ptr<RowSystem> system(std::span<const double> root) const = 0;
};

/// All of K, from XX' and the columns of large variance: n^2 numbers, and n^3 / 3 for a system.
std::unique_ptr<RowCovariance> dense_covariance(const Matrix& outer, double common, const Matrix& large_variance);
/// diag(diagonal) + U U', U the columns of large variance: a system costs n k^2, or with few entries in k columns what
/// those cost. Nothing is copied.
std::unique_ptr<RowCovariance> approximate_covariance(std::span<const double> diagonal,
                                                      const LargeVarianceColumns& large_variance);
/// d -> XX'd.
using OuterProduct = std::function<std::vector<double>(std::span<const double>)>;
/// common X X' + U U' by conjugate gradients down to this residual relative to the right side, preconditioned by
/// approximate_covariance. `diagonal` and the columns are not copied.
std::unique_ptr<RowCovariance> iterated_covariance(OuterProduct outer, double common, std::span<const double> diagonal,
                                                   const LargeVarianceColumns& large_variance, double tolerance);

}  // namespace tamis
