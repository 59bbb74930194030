// Scales from values to pixels, linear and logarithmic, and ticks at round numbers.
#pragma once

#include <string>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// The numbers that a scale shows, least < most; both positive if it is logarithmic.
struct Extent {
  double least = 0;
  double most = 1;
};

struct Tick {
  double value = 0;
  std::string label;
};

/// Maps least to `first` and most to `last` (pixels; they may fall).
class Scale {
 public:
  Scale(Extent extent, bool logarithmic, double first, double last);
  /// Only for values that shows() accepts; those outside the extent map outside [first, last].
  double operator()(double value) const;
  /// False for what a logarithmic scale cannot show, and for NaN and infinities.
  bool shows(double value) const;
  const Extent& extent() const { return extent_; }
  bool logarithmic() const { return logarithmic_; }

 private:
  Extent extent_;
  bool logarithmic_;
  double first_;
  double last_;
};

/// Multiples of 1, 2 or 5 times a power of ten within the extent; about `wanted` of them, at least two.
std::vector<Tick> linear_ticks(Extent extent, Index wanted);
/// Powers of ten within the extent, not more than about `wanted`; with fewer than two of them also 2 and 5 times.
std::vector<Tick> logarithmic_ticks(Extent extent, Index wanted);

}  // namespace tamis
