// ard for two classes: iterations of the quadratic bound (bound_iterations.hpp), with and then without the penalty.
#include <fmt/format.h>

#include <algorithm>

#include "method/ard/ard_fit.hpp"
#include "method/ard/ard_search.hpp"
#include "method/ard/bound_iterations.hpp"
#include "method/ard/robust_noise.hpp"
#include "method/ard/search_trace.hpp"

namespace tamis {

// Two stages, as with an unknown noise variance. The multiplicity penalty selects the features: without it the bound
// overfits once p >= n/2. But the penalty also shrinks what it keeps, so the gammas of the selected
// features are then fitted without it. A penalty that the user gives is kept: one stage.
Fit fit_bernoulli_relevance(const Problem& problem, const ArdOptions& options, const Control& control) {
  const Standardization scale(problem);
  SearchLog log(control);
  BoundIterations views(problem, scale, problem.groups, options.algorithm);
  RelevanceRequest request = options.request();
  const double multiplicity = multiplicity_penalty(views.data());
  request.model.penalty = options.penalty.value_or(multiplicity);
  const auto on_iteration = [&](double cost, double change, Index active, double certificate) {
    return log.record(cost, change, active, certificate);
  };
  views.run(request, on_iteration);
  std::vector<char> allowed;
  Certificate certificate = views.last().certificate;
  if (!options.penalty && views.last().status == Status::converged) {
    allowed.assign(views.data().feature_groups(), 0);
    for (const Index u : views.last().point.feature_groups) allowed[u] = 1;
    RelevanceRequest last = request;
    last.model.penalty = 0;
    last.allowed = allowed;
    log.restart();
    views.run(last, on_iteration);
    RelevancePoint penalized_point = views.last().point;
    penalized_point.model.penalty = multiplicity;  // the rule that excluded features decides on them
    certificate.active = views.last().certificate.active;
    certificate.inactive = views.model().certificate(penalized_point, views.last().scores).inactive;
  }
  RelevanceRun run = views.last();
  run.certificate = certificate;

  Fit fit;
  ScaledResponse response;
  response.centers = {views.intercept()};
  fill_relevance(fit, {problem, scale, response, views.model(), run, std::max(request.model.penalty, multiplicity)});
  fit.hyper["penalty"] = request.model.penalty;
  fit.objective = views.cost();
  fit.trace = std::move(log.trace());
  fit.status = run.status;
  fit.message = relevance_message(fit, run, fmt::format("{} updates of the variational bound", fit.trace.size()));
  judge_left_out(fit, run, options.algorithm);
  return fit;
}

}  // namespace tamis
