// EM for a few hyperparameters, accelerated: the log evidence is maximized by quasi-Newton steps whose first metric is
// EM's own (the complete-data information), so the first step is EM's and later ones learn the curvature that EM
// ignores. A step that does not increase it is shortened, and at last replaced by EM's, which cannot decrease it. Lange
// (1995), "A quasi-Newton acceleration of the EM algorithm", Statistica Sinica 5.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// The result of an E-step at one point.
struct Expectation {
  double objective = 0;              ///< log evidence
  std::vector<double> gradient;      ///< of it
  std::vector<double> information;   ///< of the complete data, > 0: the curvature that EM assumes
  std::vector<double> maximization;  ///< where EM would go
  double rounding = 0;               ///< of the objective, where its terms are larger than it
};

struct EmProblem {
  std::function<Expectation(std::span<const double>)> expect;
  std::vector<double> lower;  ///< of every unknown; the start lies between them
  std::vector<double> upper;
};

/// exhausted: nothing rises although the gradient promises it.
enum class EmEnd { converged, iteration_limit, exhausted, stopped };

struct EmResult {
  EmEnd end = EmEnd::converged;
  std::vector<double> at;
  double distance = 0;  ///< the largest step that either EM or the quasi-Newton step would still take
};

/// Maximizes from `start` until no unknown would move by more than `tolerance`, or rounding hides what it would gain.
/// `accepted(point, expectation, distance)` is called at the start and after every step; returning false ends it. The
/// objective never falls by more than rounding.
EmResult quasi_newton_em(const EmProblem& problem, std::vector<double> start, double tolerance, Index most_steps,
                         const std::function<bool(std::span<const double>, const Expectation&, double)>& accepted);

}  // namespace tamis
