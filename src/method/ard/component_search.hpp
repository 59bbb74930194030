// Minimizing the cost over the variances of covariance components, and the robust estimate of an unknown noise.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "method/ard/component_descent.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

struct ComponentRequest {
  std::string algorithm = "reweighted-l1";
  VarianceBounds bounds;
  double penalty = 0;        ///< of multiplicity, as of features: component_penalty()
  double noise = 1;          ///< fixed, or where its search begins
  bool paper_start = false;  ///< the first slopes are 1 in the units of the data
  bool refine = true;        ///< at the end, by Newton on the cost itself
  bool only_refine = false;  ///< nothing before it: for few components, where it finds the minimum
  double refined = 1e-10;    ///< certificate at which it ends
  Index max_iterations = 100;
  double tolerance = 1e-3;                   ///< largest change of a variance in the last step, relative to the largest
  const ComponentVariances* from = nullptr;  ///< nullptr: each algorithm's own start
  /// Asked within an iteration, which may take long; false: stop soon, the watch will say so again.
  std::function<bool()> proceed = [] { return true; };
};

struct ComponentRun {
  ComponentPoint point;
  ComponentCertificate certificate;
  Status status = Status::converged;
  Index iterations = 0;
};

/// Called with each new point, the change of its cost and the violation at its positive variances; false: stop.
using ComponentWatch = std::function<bool(const ComponentPoint& point, double change, double certificate)>;

/// "reweighted-l1", or a fixed-point rule: "reweighted-l2", "em", "mackay".
ComponentRun minimize_components(const ComponentEvidence& evidence, const ComponentRequest& request,
                                 const ComponentWatch& watch);

/// theta = q^2/z that a component of this effective rank exceeds by chance as often as a feature exceeds 1 + c.
double entry_theta(double rank, double c);
/// The penalty under which each component enters at its entry_theta() beside the large components alone: these are
/// fitted first, and what they leave of the slope of log|Sigma| is the scale of the penalty.
ComponentPenalty component_penalty(const ComponentEvidence& evidence, const ComponentRequest& request);

struct ComponentNoise {
  double variance = 0;
  std::vector<char> support;  ///< per component
  std::vector<double> visited;
  bool converged = false, cancelled = false;
  ComponentRun last;
};
/// The noise as a fixed point of selection under request.penalty and an estimate on the selection.
ComponentNoise robust_component_noise(const ComponentEvidence& evidence, const ComponentRequest& request,
                                      const std::function<bool()>& proceed);

}  // namespace tamis
