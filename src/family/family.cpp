#include "tamis/family/family.hpp"

#include <algorithm>
#include <array>

#include "tamis/base/index.hpp"

namespace tamis {

// Default for families added by users: correct; the built-in ones override it by a loop that vectorizes.
void Family::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  for (Index i = 0; i < std::ssize(y); ++i) out[i] = loss(y[i], eta[i]);
}

double Family::total_log_density(std::span<const double> y, std::span<const double> eta,
                                 std::span<const double> weights) const {
  double sum = 0;
  for (Index i = 0; i < std::ssize(y); ++i) sum += (weights.empty() ? 1 : weights[i]) * log_density(y[i], eta[i]);
  return sum;
}

double Family::total_loss(std::span<const double> y, std::span<const double> eta,
                          std::span<const double> weights) const {
  // In pieces that stay in the first-level cache; sums of sums also keep the rounding error small for large n.
  std::array<double, 512> buffer;
  double total = 0;
  for (Index first = 0; first < std::ssize(y); first += buffer.size()) {
    const Index count = std::min(std::ssize(buffer), std::ssize(y) - first);
    local_losses(y.subspan(first, count), eta.subspan(first, count), std::span(buffer).first(count));
    double sum = 0;
    for (Index i = 0; i < count; ++i) sum += weights.empty() ? buffer[i] : weights[first + i] * buffer[i];
    total += sum;
  }
  return total;
}

std::string_view name_of(Family::Response response) {
  switch (response) {
    case Family::Response::binary:
      return "binary";
    case Family::Response::count:
      return "count";
    case Family::Response::real:
      break;
  }
  return "real";
}

}  // namespace tamis
