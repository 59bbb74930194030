// The figures of Kondo, Maeda & Hayashi, "Bayesian masking: sparse Bayesian estimation with weaker shrinkage bias"
// (ACML 2015), with greedy backward elimination by BIC beside. Figure 1 is in experiments/relevance.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/designs.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "method/masking/mask_state.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::masking {

inline const std::string paper = "Kondo, Maeda & Hayashi (2015), Bayesian masking, ";

Experiment figure2();
Experiment figure3();
Experiment figure4();
Experiment figure5();

/// A method on the training rows as they are, as the paper has it: no intercept unless asked for, nothing standardized,
/// one thread. `folds` are those of a search. Counts how it ended.
std::vector<double> plain_coefficients(const Trial& trial, Recorder& record, const Simulation& drawn,
                                       const std::string& label, std::string_view method,
                                       const std::map<std::string, OptionValue>& options, int folds = 10,
                                       bool intercept = false);

/// The training rows as the steps of bm see them.
MaskData plain_data(const Simulation& drawn);

/// Least squares on all features, from which the feature of the smallest |t| is removed as long as BIC falls; NaN
/// noise: unknown. Coefficients of what is left, 0 for the others.
std::vector<double> backward_elimination(const SimulatedSet& set, double noise_variance);

/// Residual sum of squares of least squares on all features over n - p: the noise variance that the paper gives ARD.
double unbiased_noise(const SimulatedSet& set);

}  // namespace tamis::experiments::masking
