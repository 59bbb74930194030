// The tables and figures of Kappen & Gomez, "The variational garrote", Machine Learning 96 (2014). The paper writes p
// for samples and n for features; the words of these experiments do so only where they quote it.
#pragma once

#include <string>

#include "experiments/reproduce/experiment.hpp"

namespace tamis::experiments::garrote {

inline const std::string paper = "Kappen & Gomez (2014), The variational garrote, ";

Experiment figure1();
Experiment figure2();

}  // namespace tamis::experiments::garrote
