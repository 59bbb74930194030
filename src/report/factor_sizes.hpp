// Size of the contribution of each factor.
#pragma once

#include <vector>

#include "tamis/fit/factor_fit.hpp"

namespace tamis {

/// Root mean square over all cells of what each factor contributes to the predictor; 0 if that is negligible beside the
/// noise, since an optimizer leaves tiny nonzero values in factors that are pruned.
std::vector<double> factor_sizes(const FactorFit& fit);

}  // namespace tamis
