#include "solver/descent/coordinate_penalty.hpp"

namespace tamis {

std::vector<double> extrapolated_step(std::span<const double> b, std::span<const double> earlier, double ratio) {
  std::vector<double> step(b.size(), 0.0);
  for (Index k = 0; k < std::ssize(earlier); ++k) {
    if (b[k] == 0 || earlier[k] == 0) continue;
    step[k] = ratio * (b[k] - earlier[k]);
    if ((b[k] + step[k]) * b[k] < 0) step[k] = -b[k];
  }
  return step;
}

}  // namespace tamis
