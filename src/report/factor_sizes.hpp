// Size of the contribution of each factor.
#pragma once

#include <vector>

#include "tamis/fit/factor_fit.hpp"

namespace tamis {

/// Root mean square over all cells of what each factor adds to the predictor; 0 if that is nothing beside the noise: of
/// a factor that dies out an optimizer leaves crumbs.
std::vector<double> factor_sizes(const FactorFit& fit);

}  // namespace tamis
