// Linear and logarithmic scales, and ticks at round numbers.
// Linear     step 1, 2 or 5 times a power of ten, about as many as wanted, at least two ticks; labels with the decimals
//            that the step needs.
// Logarithmic powers of ten, thinned to about as many as wanted; below two decades also 2 and 5 times, and linear ticks
// if that is not enough. Exponents as superscripts outside 0.001 to 10,000.
// Rounding   comparisons with a tolerance of 1e-9: the ends of a range are often multiples of the step up to rounding.
#include "report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tamis {
namespace {

// The smallest of 1, 2, 5 times a power of ten that is not below `rough`.
// The tolerance keeps a step that is round up to rounding from becoming the next one.
double round_step(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string superscript(int exponent) {
  static const std::array<const char*, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

// Decimals of the step, not of the value, so that all labels of an axis have the same; %g for very large or small
// numbers.
std::string linear_label(double value, double step) {
  if (value == 0) return "0";
  const double largest = std::max(std::abs(value), step);
  if (largest >= 1e6 || step < 1e-5) return fmt::format("{:.3g}", value);
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

Scale::Scale(Extent extent, bool logarithmic, double first, double last)
    : extent_(extent), logarithmic_(logarithmic), first_(first), last_(last) {}

// Affine in the value or in its logarithm; values outside the range map outside the plot and are clipped there.
double Scale::operator()(double value) const {
  const double share = logarithmic_ ? std::log(value / extent_.least) / std::log(extent_.most / extent_.least)
                                    : (value - extent_.least) / (extent_.most - extent_.least);
  return first_ + share * (last_ - first_);
}

bool Scale::shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

std::vector<Tick> linear_ticks(Extent extent, Index wanted) {
  const double span = extent.most - extent.least;
  const double slack = 1e-9 * span;
  std::vector<Tick> ticks;
  // Dividing by 2.6 and rounding up leads from 5 to 2, from 2 to 1 and from 1 to 0.5: the next finer step, at most
  // twice.
  double step = round_step(span / static_cast<double>(std::max<Index>(1, wanted)));
  for (int attempt = 0; attempt < 4 && ticks.size() < 2; ++attempt, step = round_step(step / 2.6)) {
    ticks.clear();
    // Multiples of the step, not a running sum: 0.1 + 0.1 + 0.1 is not 0.3.
    for (double k = std::ceil((extent.least - slack) / step); k * step <= extent.most + slack; ++k) {
      ticks.push_back({k * step, linear_label(k * step, step)});
    }
  }
  return ticks;
}

std::vector<Tick> logarithmic_ticks(Extent extent, Index wanted) {
  const int first = static_cast<int>(std::ceil(std::log10(extent.least) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(extent.most) + 1e-9));
  const int stride = std::max(1, (last - first) / static_cast<int>(std::max<Index>(1, wanted)) + 1);
  const bool plain = first >= -3 && last <= 4;
  const auto label = [&](double value, int exponent) {
    return plain ? fmt::format("{:g}", value) : "10" + superscript(exponent);
  };
  std::vector<Tick> ticks;
  if (last - first >= 1) {
    for (int k = first; k <= last; k += stride) ticks.push_back({std::pow(10.0, k), label(std::pow(10.0, k), k)});
    return ticks;
  }
  for (int k = first - 1; k <= last + 1; ++k) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      const bool inside = value >= extent.least * (1 - 1e-9) && value <= extent.most * (1 + 1e-9);
      if (inside) ticks.push_back({value, fmt::format("{:g}", value)});
    }
  }
  return ticks.size() >= 2 ? ticks : linear_ticks(extent, wanted);
}

}  // namespace tamis
