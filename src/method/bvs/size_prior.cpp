#include "method/bvs/size_prior.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// Midpoints in log h. The integrand is smooth on that scale: 2000 leave an error below 1e-6 of p_k for all k.
constexpr Index midpoints = 2000;
// Of h: 1 - h must have a logarithm.
constexpr double largest_inclusion = 1 - 1e-12;

double log_mass_at(double h, Index k, Index features) {
  const auto in = static_cast<double>(k), out = static_cast<double>(features - k);
  // k = features + 1 is no model; steps to it are never used, but must be finite.
  return in * std::log(h) + std::max(0.0, out) * std::log1p(-h);
}

}  // namespace

SizePrior SizePrior::fixed(double inclusion, Index features, Index most) {
  std::vector<double> mass(most + 2);
  for (Index k = 0; k < std::ssize(mass); ++k) {
    mass[k] = log_mass_at(std::min(inclusion, largest_inclusion), k, features);
  }
  return SizePrior(std::move(mass));
}

SizePrior SizePrior::log_uniform(double low, double high, Index features, Index most) {
  const auto p = static_cast<double>(features);
  if (!(high > low)) return fixed(low / p, features, most);
  std::vector<double> mass(most + 2), terms(midpoints);
  const double width = std::log(high / low) / static_cast<double>(midpoints);
  for (Index k = 0; k < std::ssize(mass); ++k) {
    for (Index g = 0; g < midpoints; ++g) {
      const double h = low / p * std::exp(width * (static_cast<double>(g) + 0.5));
      terms[g] = log_mass_at(std::min(h, largest_inclusion), k, features);
    }
    mass[k] = log_sum_exp(terms) - std::log(static_cast<double>(midpoints));
  }
  return SizePrior(std::move(mass));
}

}  // namespace tamis
