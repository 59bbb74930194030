// From draws of models and the columns of X to the candidates of credible sets.
#pragma once

#include <span>

#include "tamis/design/decorators.hpp"
#include "tamis/fit/credible_sets.hpp"

namespace tamis {

/// `X` is standardized under `weights` (empty: ones); the draws hold columns of X, and their weights need not sum to
/// one. Throws InvalidInput if the draws are malformed: other sizes than they promise, columns that X does not have,
/// weights that are negative or sum to zero.
SetCandidates set_candidates(const StandardizedDesign& X, std::span<const double> weights, const ModelDraws& draws,
                             std::span<const double> inclusion);

}  // namespace tamis
