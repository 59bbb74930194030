#include "optim/descent.hpp"

#include <cmath>

namespace tamis {

SupportStep::SupportStep(std::span<const double> b, std::span<const double> g, const CoordinatePenalty& penalty) {
  for (std::size_t k = 0; k < b.size(); ++k) {
    if (b[k] == 0) continue;
    places.push_back(static_cast<std::int32_t>(k));
    direction.push_back(g[k] - penalty.l2[k] * b[k] - std::copysign(penalty.l1[k], b[k]));
  }
}

void SupportStep::take(std::span<double> b, const CoordinatePenalty& penalty) const {
  double length = 1;
  std::size_t first = places.size();
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto at = static_cast<std::size_t>(places[k]);
    // Unpenalised coefficients may change their sign.
    if (penalty.l1[at] == 0 || (b[at] + length * direction[k]) * b[at] >= 0) continue;
    length = -b[at] / direction[k];
    first = k;
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto at = static_cast<std::size_t>(places[k]);
    b[at] = k == first ? 0.0 : b[at] + length * direction[k];
  }
}

void SupportStep::take_projected(std::span<double> b, const CoordinatePenalty& penalty) const {
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto at = static_cast<std::size_t>(places[k]);
    const double moved = b[at] + direction[k];
    b[at] = penalty.l1[at] > 0 && moved * b[at] < 0 ? 0.0 : moved;
  }
}

std::vector<double> extrapolated_step(std::span<const double> b, std::span<const double> earlier, double ratio) {
  std::vector<double> step(b.size(), 0.0);
  for (std::size_t k = 0; k < earlier.size(); ++k) {
    if (b[k] == 0 || earlier[k] == 0) continue;
    step[k] = ratio * (b[k] - earlier[k]);
    if ((b[k] + step[k]) * b[k] < 0) step[k] = -b[k];
  }
  return step;
}

}  // namespace tamis
