// Reweighted L1 minimization of the ard cost (Wipf & Nagarajan, NIPS 2007, Section 2).
//
// Model      L(gamma) = log|Sigma| + tr(Y'Sigma^-1 Y) / t + penalty                                     Eqs. 2 and 21
// Algorithm  log|Sigma| and the penalty are concave in gamma: their tangent of slope z bounds them        Eq. 7
//              1 z = diag(Phi'Sigma^-1 Phi) + slope of the penalty at the current gamma                   Eq. 10
//              2 X = argmin 1/2 |Y - Phi X|^2 + noise sum_u sqrt(t z_u) |X_u|                              Eq. 12
//              3 gamma_u = |X_u| / sqrt(t z_u)                                                            Lemma 2
//              4 X = posterior mean at gamma, the warm start of the next lasso                            Eq. 3
//            finally coordinate refinement, and more iterations if a feature should enter after it
// Invariant  L does not rise from one iteration to the next.
// Departures start z = |phi|^2 / noise: the paper's z = 1 has units, so its result depends on the columns' scales.
//            Step 4: from another start an inexact lasso may raise L. With t targets the weights carry sqrt(t): without
//            it the KKT violation of the result is .76.
// Errata     Eq. 21 has XX' where YY' is meant; Theorem 1 should read gamma(k+1) in A(gamma(k)).
#include <algorithm>
#include <cmath>

#include "method/ard/algorithms.hpp"
#include "method/ard/group_lasso.hpp"

namespace tamis {
namespace {

// A KKT violation of an excluded feature above this resumes the iterations after coordinate refinement; and the
// relative change of a gamma at which the refinement ends.
constexpr double entry_tolerance = 1e-6;
constexpr double refinement_tolerance = 1e-8;

// Invariants between steps: run_.point is the posterior at the gammas of the last lasso; z_ is the tangent there (of
// all groups, or if lazy_ of the working set, the others bounded from below); the lasso's coefficients are the point's
// mean, except under the sign constraint. run_.status is `converged` until something else ends the iterations.
class ReweightedL1 {
 public:
  ReweightedL1(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& on_iteration)
      : model_(model),
        data_(model.data()),
        request_(request),
        on_iteration_(on_iteration),
        lasso_(model, request.nonnegative, request.allowed),
        weights_(data_.feature_groups()),
        lazy_(request.model.penalty > 0 || !request.allowed.empty()) {}

  RelevanceRun run() {
    start();
    while (run_.status == Status::converged) {
      while (step()) {
      }
      if (run_.status != Status::converged || !refine_coordinates()) break;
    }
    if (request_.want_scores) {
      if (lazy_) run_.scores = model_.scores(run_.point);
      run_.certificate = model_.certificate(run_.point, run_.scores, request_.allowed);
    }
    return std::move(run_);
  }

 private:
  void start();
  void resume(const RelevancePoint& from);
  double take_tangent();
  void take_scores();
  void refine(std::span<const Index> feature_groups);
  bool step();
  bool refine_coordinates();
  bool accept(RelevancePoint next);
  double largest_change(const RelevancePoint& next) const;

  Relevance& model_;
  const RelevanceData& data_;
  const RelevanceRequest& request_;
  const RelevanceWatch& on_iteration_;
  GroupLasso lasso_;
  std::vector<double> weights_, z_;
  // z is computed for the working set only. With a penalty c the slope c |phi|^2 / noise is a lower bound of z that
  // costs nothing, and a feature whose gradient is below the weight of the bound needs no better one; features that are
  // not allowed need none. Saves the O(p k^2) of all z in every iteration.
  bool lazy_;
  RelevanceRun run_;
};

void ReweightedL1::start() {
  const double noise = request_.model.noise_variance;
  if (request_.from != nullptr) {
    resume(*request_.from);
    return;
  }
  // At gamma = 0: Sigma = noise I, and z = |phi|^2 / noise is its exact slope.
  run_.point = model_.posterior_at({}, {}, request_.model);
  take_scores();
  z_.assign(data_.feature_groups(), 1.0);
  if (request_.paper_start) return;
  for (Index u = 0; u < data_.feature_groups(); ++u)
    z_[u] = (1 + request_.model.penalty) * data_.group_norms()[u] / noise;
}

void ReweightedL1::resume(const RelevancePoint& from) {
  // A warm start needs the tangent at its own point, not the one of gamma = 0.
  const Matrix* coefficients = from.constrained ? &from.mean : nullptr;
  run_.point = model_.posterior_at(from.feature_groups, from.gamma, request_.model, coefficients);
  take_scores();
  take_tangent();
  lasso_.warm(run_.point.features, run_.point.mean);
}

void ReweightedL1::take_scores() {
  if (!lazy_) {
    run_.scores = model_.scores(run_.point);
    return;
  }
  const Index feature_groups = data_.feature_groups();
  run_.scores = {std::vector<double>(feature_groups, 0.0), std::vector<double>(feature_groups, 0.0)};
  model_.score_groups(run_.point, lasso_.in_play(), run_.scores);
}

// Replaces the lower bound of z by z itself for suspects of the working set's check.
void ReweightedL1::refine(std::span<const Index> feature_groups) {
  model_.score_groups(run_.point, feature_groups, run_.scores);
  const double t = static_cast<double>(data_.targets());
  for (const Index u : feature_groups) {
    z_[u] = model_.with_penalty(run_.scores.z[u], u, 0, run_.point.model);
    weights_[u] = run_.point.model.noise_variance * std::sqrt(t * z_[u]);
  }
}

// Eq. 10 at the current point; returns the largest KKT violation | |q|^2 / (t z) - 1 | of the selected groups.
double ReweightedL1::take_tangent() {
  z_.resize(data_.feature_groups());
  for (Index u = 0; u < data_.feature_groups(); ++u)
    z_[u] = model_.with_penalty(run_.scores.z[u], u, 0, run_.point.model);
  double active = 0;
  for (Index k = 0; k < std::ssize(run_.point.feature_groups); ++k) {
    const Index u = run_.point.feature_groups[k];
    z_[u] = model_.with_penalty(run_.scores.z[u], u, run_.point.gamma[k], run_.point.model);
    active = std::max(active, std::abs(run_.scores.q_squared[u] / z_[u] - 1));
  }
  return active;
}

double ReweightedL1::largest_change(const RelevancePoint& next) const {
  std::vector<double> before(data_.feature_groups(), 0.0);
  double largest = 0, change = 0;
  for (Index k = 0; k < std::ssize(run_.point.feature_groups); ++k)
    before[run_.point.feature_groups[k]] = run_.point.gamma[k];
  for (Index k = 0; k < std::ssize(next.feature_groups); ++k) {
    double& old = before[next.feature_groups[k]];
    largest = std::max(largest, next.gamma[k]);
    change = std::max(change, std::abs(next.gamma[k] - old));
    old = 0;
  }
  for (const double left : before) change = std::max(change, left);
  return change == 0 ? 0.0 : change / largest;
}

// Accepts the point and takes its tangent. A rise can only be rounding: then the last point is kept and the iteration
// ends. The first step of a cold start is exempt, since z = 1 is no tangent of anything. False: no further step.
bool ReweightedL1::accept(RelevancePoint next) {
  if (!next.numerically_valid) {
    run_.status = Status::numerical_failure;
    return false;
  }
  const double change = next.cost - run_.point.cost;
  const bool first = run_.iterations == 0 && request_.from == nullptr;
  if (!first && change > 0) return false;
  const double moved = largest_change(next);
  run_.point = std::move(next);
  take_scores();
  ++run_.iterations;
  const double active = take_tangent();
  if (!on_iteration_(run_.point, first ? 0.0 : change, active)) {
    run_.status = Status::cancelled;
    return false;
  }
  const bool converged =
      std::abs(change) <= request_.cost_tolerance * data_.degrees_of_freedom() && moved < request_.tolerance;
  return !(converged && !first);
}

bool ReweightedL1::step() {
  if (run_.iterations >= request_.max_iterations) {
    run_.status = Status::iteration_limit;
    return false;
  }
  const double t = static_cast<double>(data_.targets());
  const RelevanceCost model = run_.point.model;
  for (Index u = 0; u < data_.feature_groups(); ++u) weights_[u] = model.noise_variance * std::sqrt(t * z_[u]);
  const bool tangent = run_.iterations > 0 || request_.from != nullptr;
  lasso_.solve(weights_, request_.lasso_tolerance,
               lazy_ && tangent ? [this](std::span<const Index> some) { refine(some); } : GroupLasso::Refine());
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  lasso_.support(feature_groups, gamma);
  for (Index k = 0; k < std::ssize(feature_groups); ++k) gamma[k] /= std::sqrt(t * z_[feature_groups[k]]);
  const Matrix coefficients = request_.nonnegative ? lasso_.coefficients(feature_groups) : Matrix();
  RelevancePoint next =
      model_.posterior_at(feature_groups, gamma, model, request_.nonnegative ? &coefficients : nullptr);
  // EM step of the noise at the new gammas; the sum is the trace of the hat matrix.
  if (request_.learn_noise && next.numerically_valid) {
    double explained = 0;
    for (const double share : next.remaining) explained += 1 - share;
    const double noise =
        (next.residual_square / t + model.noise_variance * explained) / std::max(1.0, data_.degrees_of_freedom());
    next = model_.posterior_at(feature_groups, gamma, {noise, model.penalty},
                               request_.nonnegative ? &coefficients : nullptr);
  }
  if (!accept(std::move(next))) return false;
  // Under the constraint the lasso's own solution is the point: the posterior mean may violate the sign.
  if (!request_.nonnegative) lasso_.warm(run_.point.features, run_.point.mean);
  return true;
}

// True if a feature should enter at the refined point: the iterations then go on from there.
bool ReweightedL1::refine_coordinates() {
  if (!request_.refine_coordinates || request_.nonnegative || request_.learn_noise || data_.has_groups()) return false;
  RelevancePoint better = coordinate_refinement(model_, run_.point, refinement_tolerance);
  if (!better.numerically_valid || better.cost > run_.point.cost) return false;
  if (!accept(std::move(better))) {
    if (run_.status != Status::converged) return false;
  }
  lasso_.warm(run_.point.features, run_.point.mean);
  if (lazy_) run_.scores = model_.scores(run_.point);
  return model_.certificate(run_.point, run_.scores, request_.allowed).inactive > entry_tolerance;
}

}  // namespace

RelevanceRun reweighted_l1(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& on_iteration) {
  return ReweightedL1(model, request, on_iteration).run();
}

}  // namespace tamis
