// Noise variance of largest evidence, from evaluations at single values: each gives a derivative, hence the next value,
// and an upper bound of the evidence elsewhere, so that supports that cannot win are dropped early.
#pragma once

#include <functional>
#include <optional>

namespace tamis {

/// The evidence of a response with covariance C = noise I + K (K any of no negative eigenvalue) at one noise, up to
/// what does not depend on it: -(log |C| + y'C^-1 y) / 2.
struct NoiseEvaluation {
  double log_evidence = 0;
  double freedom = 0;   ///< d log |C| / d log noise: as many rows as noise has for itself
  double square = 0;    ///< y'C^-1 y
  double residual = 0;  ///< the part of it that is noise, noise |C^-1 y|^2
};

struct NoiseRange {
  double least = 1e-6, most = 1;
};

/// Upper bound of the evidence at any noise within the range, from the evaluation at this one.
double evidence_bound(const NoiseEvaluation& evaluation, double noise, NoiseRange range);

/// A noise of largest evidence to about a thousandth, near `first` if there are several. Nothing if evidence stays
/// below `min_evidence`.
std::optional<double> best_noise(const std::function<NoiseEvaluation(double)>& evaluate_noise, double first,
                                 NoiseRange range, double min_evidence);

}  // namespace tamis
