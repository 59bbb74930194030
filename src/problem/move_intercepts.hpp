// Undoes a shift of response or offset in the fit: only intercepts change.
#pragma once

#include <span>

#include "tamis/method/method.hpp"

namespace tamis {

/// Adds to the intercepts of the fit, `by` having one number for each target, and to those of draws, if there are any.
void move_intercepts(Fit& fit, Draws* draws, std::span<const double> by);

}  // namespace tamis
