// Fixed-point updates of the prior variances: reweighted L2, EM and MacKay.
//
// Model      cost L(gamma) of relevance.hpp; q = mean / gamma and z = (1 - Sigma_ii / gamma) / gamma from the
//            posterior.
// Updates    EM             gamma <- mean^2 + Sigma_ii = gamma + gamma^2 (q^2 - z)    Wipf & Nagarajan (2007), Eq. 5
//            MacKay         gamma <- mean^2 / (1 - Sigma_ii / gamma) = gamma q^2 / z   Eq. 6
//            reweighted L2  gamma <- |mean| / sqrt(z) = gamma sqrt(q^2 / z)    minimizer of Eq. 14 in gamma at x = mean
// Invariant  EM and reweighted L2 never raise L; MacKay may, and is accepted whatever it does.
// Hazard     gamma_i = 0 is a fixed point of all three, optimal or not (the paper's Section 1), and gamma -> 0 is
//            reached in the limit only. Hence the start has every gamma positive, and the end removes shrinking
//            features explicitly; optimality is reported by the certificate, not assumed.
#include <algorithm>
#include <cmath>

#include "method/ard/algorithms.hpp"

namespace tamis {
namespace {

// Iterations per iteration allowed to reweighted L1: these rules take many cheap small steps.
constexpr Index steps_per_step = 20;
constexpr double cost_tolerance = 1e-8;
// A group is dropped when gamma |phi|^2 < 1e-12 noise: it can no longer explain a measurable share of the response, and
// its 1/gamma would overflow next.
constexpr double negligible = 1e-12;
// Largest KKT violation at which a run that used up its iterations still counts as converged.
constexpr double optimal_enough = 1e-2;

// Invariants between steps: run_.point is the posterior at the last gammas, all positive; groups that were dropped
// never come back, since gamma = 0 is a fixed point. last_valid_ is the point before the last update.
class FixedPoint {
 public:
  FixedPoint(Relevance& model, FixedPointRule rule, const RelevanceRequest& request, const RelevanceWatch& on_iteration)
      : model_(model), data_(model.data()), rule_(rule), request_(request), on_iteration_(on_iteration) {}

  RelevanceRun run() {
    start();
    while (run_.point.numerically_valid && step()) {
    }
    if (!run_.point.numerically_valid) {
      run_.status = Status::numerical_failure;
      run_.point = last_valid_;
    }
    finish();
    return std::move(run_);
  }

 private:
  void start();
  bool step();
  void finish();
  bool accept_if_lower(RelevancePoint next);
  bool prune_shrinking();
  double updated(std::size_t k, Index first, double penalty_slope) const;

  Relevance& model_;
  const RelevanceData& data_;
  FixedPointRule rule_;
  const RelevanceRequest& request_;
  const RelevanceWatch& on_iteration_;
  RelevanceRun run_;
  RelevancePoint last_valid_;
};

// gamma_u |phi_u|^2 is the same for all groups and adds up to |Y|^2 / t: the start is invariant to the scales
// of columns and response, unlike a common gamma.
void FixedPoint::start() {
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  if (request_.from != nullptr) {
    feature_groups = request_.from->feature_groups;
    gamma = request_.from->gamma;
  } else {
    const double t = static_cast<double>(data_.targets());
    for (Index u = 0; u < data_.feature_groups(); ++u) {
      if (data_.group_norms()[u] == 0 || (!request_.allowed.empty() && request_.allowed[u] == 0)) continue;
      feature_groups.push_back(u);
    }
    for (const Index u : feature_groups) {
      gamma.push_back(data_.response_square() /
                      (t * static_cast<double>(feature_groups.size()) * data_.group_norms()[u]));
    }
  }
  run_.point = model_.posterior_at(std::move(feature_groups), std::move(gamma), request_.model);
}

// The penalty is concave in gamma like log|Sigma|, so its slope joins z exactly as the tangent of log|Sigma| does (Eq.
// 7), and the updates stay monotone.
double FixedPoint::updated(std::size_t k, Index first, double penalty_slope) const {
  const RelevancePoint& point = run_.point;
  const double gamma = point.gamma[k], t = static_cast<double>(data_.targets());
  const Index size = data_.members(point.feature_groups[k]).size();
  double square = 0, known = 0;  // |mean|^2 / t, and gamma z
  for (Index a = first; a < first + size; ++a) {
    known += 1 - point.remaining[a];
    for (Index l = 0; l < data_.targets(); ++l) square += point.mean(a, l) * point.mean(a, l) / t;
  }
  const double z = known / gamma + penalty_slope;
  if (rule_ == FixedPointRule::reweighted_l2) return z > 0 ? std::sqrt(square / z) : 0.0;
  if (rule_ == FixedPointRule::mackay) return z > 0 ? square / (gamma * z) : 0.0;
  // EM's M step with the penalty's tangent: minimizes d log gamma + second / gamma + slope gamma over gamma, d = size
  // of the group. The root is written without the difference sqrt(d^2 + e) - d, which cancels for small slopes.
  const double d = static_cast<double>(size), second = square + gamma * (d - known);
  if (penalty_slope == 0) return second / d;
  return 2 * second / (d + std::sqrt(d * d + 4 * penalty_slope * second));
}

bool FixedPoint::step() {
  if (run_.iterations >= steps_per_step * request_.max_iterations) {
    run_.status = Status::iteration_limit;
    return false;
  }
  last_valid_ = run_.point;
  const RelevanceCost model = run_.point.model;
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  double change = 0, largest = 0;
  Index first = 0;
  for (Index k = 0; k < std::ssize(run_.point.feature_groups); ++k) {
    const Index u = run_.point.feature_groups[k];
    const double slope = model_.with_penalty(0, u, run_.point.gamma[k], model);
    const double next = updated(k, first, slope);
    first += data_.members(u).size();
    change = std::max(change, std::abs(next - run_.point.gamma[k]));
    largest = std::max(largest, next);
    if (!(next * data_.group_norms()[u] > negligible * model.noise_variance)) continue;
    feature_groups.push_back(u);
    gamma.push_back(next);
  }
  RelevanceCost next_model = model;
  // EM for the noise: (|Y - Phi mean|^2 / t + noise sum_a (1 - remaining_a)) / dof; the sum is the trace of the hat
  // matrix.
  if (request_.learn_noise) {
    double explained = 0;
    for (const double share : run_.point.remaining) explained += 1 - share;
    next_model.noise_variance =
        (run_.point.residual_square / static_cast<double>(data_.targets()) + model.noise_variance * explained) /
        std::max(1.0, data_.degrees_of_freedom());
  }
  RelevancePoint next = model_.posterior_at(std::move(feature_groups), std::move(gamma), next_model);
  if (!next.numerically_valid) {
    run_.point.numerically_valid = false;
    return false;
  }
  const double fall = next.cost - run_.point.cost;
  if (rule_ != FixedPointRule::mackay && fall > 0) return false;  // monotone rules rise by rounding only: converged
  run_.point = std::move(next);
  ++run_.iterations;
  if (!on_iteration_(run_.point, fall, 0)) {
    run_.status = Status::cancelled;
    return false;
  }
  return std::abs(fall) > cost_tolerance * data_.degrees_of_freedom() || change >= request_.tolerance * largest;
}

// Prunes what the updates only shrink. Single features: coordinate refinement, which has exact zeros. Groups: drop
// those whose stationarity is violated downwards (|q|^2 < z), one round at a time, as long as the cost falls.
void FixedPoint::finish() {
  const bool may = request_.refine_coordinates && !run_.point.by_samples && !request_.learn_noise &&
                   run_.status != Status::cancelled && run_.status != Status::numerical_failure;
  if (may && !data_.has_groups()) accept_if_lower(coordinate_refinement(model_, run_.point, 1e-8));
  run_.scores = model_.scores(run_.point);
  while (may && data_.has_groups() && prune_shrinking()) {
    while (step()) {
    }
    run_.scores = model_.scores(run_.point);
  }
  run_.certificate = model_.certificate(run_.point, run_.scores, request_.allowed);
  const bool optimal = run_.certificate.worst() <= optimal_enough;
  if (may && run_.status == Status::iteration_limit && optimal) run_.status = Status::converged;
}

bool FixedPoint::accept_if_lower(RelevancePoint next) {
  const double change = next.cost - run_.point.cost;
  if (!next.numerically_valid || change > 0) return false;
  run_.point = std::move(next);
  ++run_.iterations;
  if (!on_iteration_(run_.point, change, 0)) run_.status = Status::cancelled;
  return true;
}

bool FixedPoint::prune_shrinking() {
  std::vector<Index> feature_groups;
  std::vector<double> gamma;
  for (Index k = 0; k < std::ssize(run_.point.feature_groups); ++k) {
    const Index u = run_.point.feature_groups[k];
    const double z = model_.with_penalty(run_.scores.z[u], u, run_.point.gamma[k], run_.point.model);
    if (run_.scores.q_squared[u] < (1 - optimal_enough) * z) continue;
    feature_groups.push_back(u);
    gamma.push_back(run_.point.gamma[k]);
  }
  if (feature_groups.size() == run_.point.feature_groups.size()) return false;
  return accept_if_lower(model_.posterior_at(std::move(feature_groups), std::move(gamma), run_.point.model));
}

}  // namespace

RelevanceRun fixed_point(Relevance& model, FixedPointRule rule, const RelevanceRequest& request,
                         const RelevanceWatch& on_iteration) {
  return FixedPoint(model, rule, request, on_iteration).run();
}

}  // namespace tamis
