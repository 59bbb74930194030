// What a saved result must know of its family: how the linear predictor becomes a mean. Private to this room,
// which may not include the likelihoods (dependencies point one way, and a model file outlives the code that fitted
// it).
#pragma once

#include <string_view>

namespace tamis {

enum class Family { gaussian, bernoulli, poisson };

/// Throws InvalidInput listing the names if there is no such family.
Family family_of(std::string_view name);

/// E[y] at this linear predictor. Poisson rates beyond the largest number are infinite.
double inverse_link(Family family, double eta);

}  // namespace tamis
