// Reweighted L1 (Wipf & Nagarajan, NIPS 2007, Section 2). log|Sigma| is concave in gamma, so its tangent z at the
// present gamma bounds it; the bound is minimised jointly over x and gamma by a lasso whose weights are noise sqrt(z)
// (Eq. 12), and gamma = |x| / sqrt(z) (Eq. 13; with t targets sqrt(t z) in both). Two departures: the start is z =
// |phi|^2 / noise, for z = 1 has units; and the lasso is warm at the posterior mean, from where the bound can only
// fall.
#include <algorithm>
#include <cmath>

#include "method/ard/algorithms.hpp"
#include "method/ard/unit_lasso.hpp"

namespace tamis {
namespace {

// Change of the cost per sample below which a step counts as the last.
constexpr double cost_tolerance = 1e-8;
// Violation of the inactive conditions that is worth going on for after a polish.
constexpr double entry_tolerance = 1e-6;
constexpr double polish_tolerance = 1e-8;

class ReweightedL1 {
 public:
  ReweightedL1(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& watch)
      : model_(model),
        data_(model.data()),
        request_(request),
        watch_(watch),
        lasso_(model, request.nonnegative, request.allowed),
        weights_(static_cast<std::size_t>(data_.units())) {}

  RelevanceRun run() {
    start();
    while (run_.status == Status::converged) {
      while (step()) {
      }
      if (run_.status != Status::converged || !polish()) break;
    }
    run_.certificate = model_.certificate(run_.point, run_.scores, request_.allowed);
    return std::move(run_);
  }

 private:
  void start();
  void resume(const RelevancePoint& from);
  double take_tangent();
  bool step();
  bool polish();
  bool accept(RelevancePoint next);
  double largest_change(const RelevancePoint& next) const;

  Relevance& model_;
  const RelevanceData& data_;
  const RelevanceRequest& request_;
  const RelevanceWatch& watch_;
  UnitLasso lasso_;
  std::vector<double> weights_, z_;
  RelevanceRun run_;
};

void ReweightedL1::start() {
  const double noise = request_.model.noise_variance;
  if (request_.from != nullptr) {
    resume(*request_.from);
    return;
  }
  run_.point = model_.settle({}, {}, request_.model);
  run_.scores = model_.scores(run_.point);
  z_.assign(static_cast<std::size_t>(data_.units()), 1.0);
  if (request_.paper_start) return;
  for (Index u = 0; u < data_.units(); ++u) z_[u] = (1 + request_.model.penalty) * data_.unit_norms()[u] / noise;
}

void ReweightedL1::resume(const RelevancePoint& from) {
  const Matrix* coefficients = from.constrained ? &from.mean : nullptr;
  run_.point = model_.settle(from.units, from.gamma, request_.model, coefficients);
  run_.scores = model_.scores(run_.point);
  take_tangent();
  lasso_.warm(run_.point.features, run_.point.mean);
}

// z at the present point; returns the violation of the active conditions.
double ReweightedL1::take_tangent() {
  z_.resize(static_cast<std::size_t>(data_.units()));
  for (Index u = 0; u < data_.units(); ++u) z_[u] = model_.with_penalty(run_.scores.z[u], u, 0, run_.point.model);
  double active = 0;
  for (std::size_t k = 0; k < run_.point.units.size(); ++k) {
    const Index u = run_.point.units[k];
    z_[u] = model_.with_penalty(run_.scores.z[u], u, run_.point.gamma[k], run_.point.model);
    active = std::max(active, std::abs(run_.scores.pull[u] / z_[u] - 1));
  }
  return active;
}

double ReweightedL1::largest_change(const RelevancePoint& next) const {
  std::vector<double> before(static_cast<std::size_t>(data_.units()), 0.0);
  double largest = 0, change = 0;
  for (std::size_t k = 0; k < run_.point.units.size(); ++k) before[run_.point.units[k]] = run_.point.gamma[k];
  for (std::size_t k = 0; k < next.units.size(); ++k) {
    double& old = before[next.units[k]];
    largest = std::max(largest, next.gamma[k]);
    change = std::max(change, std::abs(next.gamma[k] - old));
    old = 0;
  }
  for (const double left : before) change = std::max(change, left);
  return change == 0 ? 0.0 : change / largest;
}

// Takes the new point and its tangent, unless rounding has raised the cost. False: no further step.
bool ReweightedL1::accept(RelevancePoint next) {
  if (!next.sound) {
    run_.status = Status::numerical_failure;
    return false;
  }
  const double change = next.cost - run_.point.cost;
  const bool first = run_.iterations == 0 && request_.from == nullptr;
  if (!first && change > 0) return false;
  const double moved = largest_change(next);
  run_.point = std::move(next);
  run_.scores = model_.scores(run_.point);
  ++run_.iterations;
  const double active = take_tangent();
  if (!watch_(run_.point, first ? 0.0 : change, active)) {
    run_.status = Status::cancelled;
    return false;
  }
  const bool rests = std::abs(change) <= cost_tolerance * data_.degrees_of_freedom() && moved < request_.tolerance;
  return !(rests && !first);
}

bool ReweightedL1::step() {
  if (run_.iterations >= request_.most_iterations) {
    run_.status = Status::iteration_limit;
    return false;
  }
  const double t = static_cast<double>(data_.targets());
  const RelevanceCost model = run_.point.model;
  for (Index u = 0; u < data_.units(); ++u) weights_[u] = model.noise_variance * std::sqrt(t * z_[u]);
  lasso_.solve(weights_, request_.lasso_tolerance);
  std::vector<Index> units;
  std::vector<double> gamma;
  lasso_.support(units, gamma);
  for (std::size_t k = 0; k < units.size(); ++k) gamma[k] /= std::sqrt(t * z_[units[k]]);
  const Matrix coefficients = request_.nonnegative ? lasso_.coefficients(units) : Matrix();
  RelevancePoint next = model_.settle(units, gamma, model, request_.nonnegative ? &coefficients : nullptr);
  if (request_.learn_noise && next.sound) {
    double explained = 0;
    for (const double share : next.remaining) explained += 1 - share;
    const double noise =
        (next.residual_square / t + model.noise_variance * explained) / std::max(1.0, data_.degrees_of_freedom());
    next = model_.settle(units, gamma, {noise, model.penalty}, request_.nonnegative ? &coefficients : nullptr);
  }
  if (!accept(std::move(next))) return false;
  if (!request_.nonnegative) lasso_.warm(run_.point.features, run_.point.mean);
  return true;
}

// True if the steps should go on from what it found.
bool ReweightedL1::polish() {
  if (!request_.polish || request_.nonnegative || request_.learn_noise || data_.bundled()) return false;
  RelevancePoint better = polished(model_, run_.point, polish_tolerance);
  if (!better.sound || better.cost > run_.point.cost) return false;
  if (!accept(std::move(better))) {
    if (run_.status != Status::converged) return false;
  }
  lasso_.warm(run_.point.features, run_.point.mean);
  return model_.certificate(run_.point, run_.scores, request_.allowed).inactive > entry_tolerance;
}

}  // namespace

RelevanceRun reweighted_l1(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& watch) {
  return ReweightedL1(model, request, watch).run();
}

}  // namespace tamis
