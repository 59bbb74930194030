// The columns U of the features whose prior variance exceeds the common one, times the roots of the excess: dense, or
// by the few entries that sparse columns have. A support has few of them (k), so U U' is the low-rank part of the
// covariance.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

/// (I + F U U' F)^-1 for one diagonal F.
class LowRankSystem {
 public:
  virtual ~LowRankSystem() = default;
  virtual std::vector<double> solve(std::span<const double> b) const = 0;
  /// log |I + F U U' F|.
  virtual double log_determinant() const = 0;
};

class LargeVarianceColumns {
 public:
  virtual ~LargeVarianceColumns() = default;
  virtual Index count() const = 0;
  /// U U'd.
  virtual std::vector<double> times(std::span<const double> d) const = 0;
  /// `factor`: the diagonal of F. Refers to this object.
  virtual std::unique_ptr<LowRankSystem> system(std::span<const double> factor) const = 0;
};

std::unique_ptr<LargeVarianceColumns> large_variance_columns(Matrix U);
/// Columns c of X, each times its scale; by their entries where these are few.
std::unique_ptr<LargeVarianceColumns> large_variance_columns(const Design& X, Columns c, std::span<const double> scale);

}  // namespace tamis
