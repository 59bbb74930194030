// The draws that chains have kept, on the original scale.
#pragma once

#include <string>
#include <vector>

#include "method/bvs/run.hpp"
#include "tamis/fit/draws.hpp"
#include "tamis/fit/posterior_draws.hpp"

namespace tamis {

/// All draws after the burn-in with their weights, as they are: which features.
ModelDraws collect_models(const BvsRun& run, const ScaledProblem& scaled);

/// At most 2000 draws for predictions, resampled systematically if there are more; numbers rounded to 7 digits, which a
/// model file holds in half the space.
PosteriorDraws collect_posterior(const BvsRun& run, const ScaledProblem& scaled);

/// Every chain's draws resampled to equal weights, for programs that know no weights.
Draws collect_draws(const BvsRun& run, const ScaledProblem& scaled, std::vector<std::string> feature_names);

}  // namespace tamis
