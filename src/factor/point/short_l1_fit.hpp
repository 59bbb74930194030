// Where other priors begin: a short fit of prior l1.
#pragma once

#include <cstdint>

#include "factor/model/state.hpp"
#include "factor/model/task.hpp"

namespace tamis::factor {

/// A short fit with a moderate penalty, hyperparameters and noise as it finds them: where chains with many factors and
/// the mean field begin. `chain` chooses the random start; the observer may be null.
FactorState short_l1_fit(const FactorTask& task, std::uint64_t chain, Observer* observer);

}  // namespace tamis::factor
