// No model is called converged that explains the training data worse than the intercept alone.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

/// Weighted training deviance (gaussian: squared error) of the fit against that of the model without features, for each
/// target. A minimizer of loss and penalty may not be worse beyond rounding. Means of a posterior, which have
/// standard deviations, may be by a tenth: they are not the most probable model, a sampler's have Monte Carlo error,
/// and the posterior mean of one event in ten rows alone costs 3 %. Beyond that the status is numerical_failure and the
/// message says so; a fit that was cancelled, or has failed already, is left as it is.
void refuse_worse_than_null(const Problem& problem, Fit& fit);

}  // namespace tamis
