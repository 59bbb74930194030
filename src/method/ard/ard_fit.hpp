// From a point of the evidence on the working scale to a Fit on the original one.
#pragma once

#include <string>
#include <vector>

#include "method/ard/algorithms.hpp"
#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// The targets of a problem less their offset and mean, in units of their common spread, so that nothing over- or
/// underflows. Gammas and the noise variance in these units are theirs over the square of `group`.
struct ScaledResponse {
  ScaledResponse() = default;
  ScaledResponse(const Problem& problem, const Standardization& scale);

  Matrix Y;
  std::vector<double> centers;  ///< were subtracted, in original units
  double group = 1;
  bool constant = false;
};

/// Evidence for a feature: theta = q^2/s with the feature left out of Sigma.
/// (theta - 1 - log theta)/2 is the gain in log evidence of the best gamma, and none below theta = 1.
double evidence_gain(double theta);

/// Measure of inclusion: odds exp(gain(theta) - gain(1 + penalty)), so that one half lies where a cost with this
/// penalty for multiplicity lets a feature in.
double inclusion_of(double theta, double penalty);

/// theta of every group.
std::vector<double> leave_one_out(const Relevance& model, const RelevancePoint& point, const RelevanceScores& scores);

/// Reweighted L2, EM and MacKay never take back a feature that they left out: where one of these violates its
/// optimality condition, a fit that would be called converged is stalled, and the message says so.
void judge_left_out(Fit& fit, const RelevanceRun& run, std::string_view algorithm);

/// What a Fit is made from.
struct RelevanceResult {
  const Problem& problem;
  const Standardization& scale;
  const ScaledResponse& response;
  const Relevance& model;
  const RelevanceRun& run;
  double penalty;  ///< what inclusion is measured against
};
/// Coefficients, deviations and intercept of every target, inclusion, gamma, theta, certificate.
void fill_relevance(Fit& fit, const RelevanceResult& result);
/// One sentence; `about` is specific to the kind of search.
std::string relevance_message(const Fit& fit, const RelevanceRun& run, const std::string& about);

/// The model without features, for a response that does not vary.
Fit null_relevance(const Problem& problem, const ScaledResponse& response);

}  // namespace tamis
