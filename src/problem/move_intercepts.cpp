#include "problem/move_intercepts.hpp"

namespace tamis {

void move_intercepts(Fit& fit, Draws* draws, std::span<const double> by) {
  fit.intercept += by[0];
  for (double& intercept : fit.draws.intercepts) intercept += by[0];
  for (Index l = 0; l < std::ssize(fit.more_targets); ++l) fit.more_targets[l].intercept += by[l + 1];
  if (draws == nullptr) return;
  for (DrawnVariable& variable : draws->posterior) {
    if (variable.name != "intercept") continue;
    for (double& value : variable.values) value += by[0];
  }
}

}  // namespace tamis
