// Checks of Problem::components before any method sees them.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

/// Throws InvalidOption if the method has no use for them; InvalidInput for names that are empty or occur twice, shapes
/// that do not fit, NaN and infinite numbers, zero components and kernels that are no covariances.
void check_components(const Method& method, const Problem& problem);

}  // namespace tamis
