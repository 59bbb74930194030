// Golden-section search for the minimum of a function of one variable.
#pragma once

#include <cmath>

namespace tamis {

/// A point in [low, high] within `width` of the minimum of a function that is unimodal there. Each evaluation shrinks
/// the bracket by 0.618. Values are only compared, so that rounding noise in them cannot mislead the search as it can
/// mislead the parabolas of Brent's method.
template <class Function>
double golden_section(double low, double high, double width, const Function& function) {
  constexpr double golden = 0.6180339887498949;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = function(left), at_right = function(right);
  while (high - low > width) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = function(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = function(right);
    }
  }
  return 0.5 * (low + high);
}

}  // namespace tamis
