// Full variational Bayes from several starts; the largest evidence lower bound is returned.
#pragma once

#include "method/vb/variational_ascent.hpp"

namespace tamis {

Fit fit_variational(const ScaledProblem& scaled, const VariationalRequest& request, Observer* observer);

}  // namespace tamis
