// The options of bvs, checked.
#pragma once

#include "method/bvs/run.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

std::vector<Field> bvs_fields();

/// Whether included coefficients have a g-prior, or else independent ones.
bool has_g_prior(const Problem& problem, const Options& options);

/// The prior that options and Problem::feature_priors ask for.
BvsPrior bvs_prior(const Problem& problem, const ScaledProblem& scaled, const Options& options);

/// What a run of this size may cost by default.
BvsPlan bvs_plan(const ScaledProblem& scaled, const Options& options, const Control& control);

}  // namespace tamis
