// The figure of Wipf & Nagarajan, "A new view of automatic relevance determination" (NIPS 2007), the studies that its
// text announces, and the figure on estimators of one feature in Kondo, Maeda & Hayashi, "Bayesian masking" (ACML
// 2015).
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "experiments/designs.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::relevance {

inline const std::string paper = "Wipf & Nagarajan (2007), A new view of automatic relevance determination, ";

Experiment figure1();
Experiment convergence();
Experiment recovery();
Experiment nonnegative();
Experiment several_targets();
Experiment scaling();
Experiment masking_figure1();

/// A method on the training rows as they are: no intercept, nothing standardized, one thread. Counts how it ended.
Fit plain_fit(const Trial& trial, Recorder& record, const Simulation& drawn, const std::string& label,
              std::string_view method, const std::map<std::string, OptionValue>& options);

/// |b - truth| / |truth| over all targets of the fit.
double relative_error(const Fit& fit, const Truth& truth);

/// What counts as recovered.
inline constexpr double recovered_error = 1e-2;
/// The noise variance at which noiseless data are fitted: as good as none beside responses of variance ten and more.
inline constexpr double no_noise = 1e-8;

}  // namespace tamis::experiments::relevance
