// How well hidden pixels of block images can be predicted at all: by somebody who is told a part of the truth.
#pragma once

#include <vector>

#include "experiments/designs.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::experiments::factor_models {

/// Besides the visible pixels.
enum class Told {
  /// Every block of every image, and how often pixels flip: only the flips are left to chance.
  images,
  /// The four blocks and all rates, not which image has which: the exact posterior over the 16 combinations. In
  /// expectation over images and flips nothing that does not see the hidden pixels predicts better.
  blocks,
  /// Which image has which block, not what blocks look like: four loadings and an intercept of every pixel are drawn
  /// from their posterior, with the prior and the moves of the samplers.
  scores,
};

/// The probability that each test cell of the problem, whose data are drawn.train.X, is 1. Values of test cells are
/// not looked at.
std::vector<double> oracle_probabilities(const Simulation& drawn, const FactorProblem& problem, Told told);

}  // namespace tamis::experiments::factor_models
