#include "fit/family.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tamis/base/error.hpp"

namespace tamis {

Family family_of(std::string_view name) {
  if (name == "gaussian") return Family::gaussian;
  if (name == "bernoulli") return Family::bernoulli;
  if (name == "poisson") return Family::poisson;
  throw InvalidInput(fmt::format("family: received '{}'; expected gaussian, bernoulli or poisson", name.substr(0, 60)));
}

double inverse_link(Family family, double eta) {
  switch (family) {
    case Family::bernoulli:
      // The form that never overflows on its side of zero.
      return eta >= 0 ? 1 / (1 + std::exp(-eta)) : std::exp(eta) / (1 + std::exp(eta));
    case Family::poisson:
      return std::exp(eta);
    case Family::gaussian:
      break;
  }
  return eta;
}

}  // namespace tamis
