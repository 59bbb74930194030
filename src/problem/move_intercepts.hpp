// A method met its problem moved, and the intercept took the move; the fit goes back to where the data are.
#pragma once

#include <span>

#include "tamis/method/method.hpp"

namespace tamis {

/// Adds to the intercepts of the fit, `by` having one number for each target, and to those of draws, if there are any.
void move_intercepts(Fit& fit, Draws* draws, std::span<const double> by);

}  // namespace tamis
