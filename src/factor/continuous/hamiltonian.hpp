// One Hamiltonian proposal for a few coordinates, with a diagonal mass and, for nonnegative coordinates, reflection at
// 0.
#pragma once

#include <functional>
#include <span>

#include "tamis/base/index.hpp"
#include "tamis/base/random.hpp"

namespace tamis::factor {

/// Log density at q, up to a constant, and its gradient.
using LogDensity = std::function<double(std::span<const double> q, std::span<double> gradient)>;

struct Trajectory {
  double step = 0.1;  ///< in units in which the mass is 1
  Index steps = 10;
  bool walls = false;  ///< coordinates stay >= 0: a trajectory bounces off 0, which keeps volume and reversibility
};

/// Moves q by one proposal (leapfrog, Metropolis); returns its acceptance probability. `mass` may depend on anything
/// but q. The length of the step is varied a little at random, so that no period is matched.
double draw_hamiltonian(const LogDensity& target, std::span<const double> mass, const Trajectory& trajectory,
                        std::span<double> q, RandomStream& random);

}  // namespace tamis::factor
