// Minimizing the ard cost over the variances of covariance components.
//
// Model      Sigma = noise I + sum_i x_i K_i, cost log|Sigma| + tr(Y'Sigma^-1 Y) / t + penalty
//                                                                        Wipf & Nagarajan (2007), Eqs. 20 and 21
// Algorithm  reweighted L1: 1 slopes z_i = tr(Sigma^-1 K_i) of log|Sigma| and of the penalty                     Eq. 10
//                           2 the weighted group-norm problem, solved for its variances (component_descent.cpp)  Eq. 12
//            reweighted L2 x sqrt(q^2 / z); EM x + x^2 (q^2 - z) / rank, Eq. 5; MacKay x q^2 / z, Eq. 6
//            all end with Newton's method on the cost itself, in which components also enter and leave.
// Invariant  the cost does not rise, except by MacKay's rule.
// Noise      is one more component, the identity, if it is learned: Restricted maximum likelihood, with the intercept
//            integrated out.
// Start      x = 0 and its exact slopes tr K_i / noise, invariant to all units; the paper's z = 1 has units.
#include "method/ard/component_search.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace tamis {
namespace {

constexpr Index steps_per_step = 20;      // of a fixed-point rule, for one of reweighted L1
constexpr Index inner_steps = 12;         // Newton steps of a weighted problem, started at the last solution
constexpr double inner_tolerance = 1e-4;  // of its conditions
constexpr Index refining_steps = 200;
constexpr double cost_tolerance = 1e-8;    // per degree of freedom
constexpr double negligible = 1e-12;       // a variance below this share of the noise is dropped by a fixed-point rule
constexpr double optimal_enough = 1e-2;    // at which a run that used up its steps still counts as converged
constexpr std::size_t most_starting = 64;  // components with a positive variance at the start

class ComponentMinimizer {
 public:
  ComponentMinimizer(const ComponentEvidence& evidence, const ComponentRequest& request, const ComponentWatch& watch)
      : evidence_(evidence),
        data_(evidence.data()),
        request_(request),
        watch_(watch),
        penalty_(component_penalty(evidence, request)),
        descent_(evidence, request.bounds, penalty_) {}

  ComponentRun run() {
    start();
    if (run_.point.valid) {
      const Index limit = request_.max_iterations * (is_l1() ? 1 : steps_per_step);
      while (!request_.only_refine && run_.status == Status::converged &&
             (is_l1() ? reweighted_step() : fixed_point_step())) {
        if (run_.iterations >= limit) run_.status = Status::iteration_limit;
      }
      if (request_.refine && run_.status != Status::cancelled && run_.status != Status::numerical_failure) refine();
      evidence_.take_z(run_.point, descent_.wanted());
      run_.certificate = descent_.certificate(run_.point);
    } else {
      run_.status = Status::numerical_failure;
    }
    return std::move(run_);
  }

 private:
  bool is_l1() const { return request_.algorithm == "reweighted-l1"; }
  void start();
  bool reweighted_step();
  bool fixed_point_step();
  double updated(Index i) const;
  void refine();
  bool accept(ComponentPoint next, bool may_rise = false);
  double largest_change(const ComponentVariances& a, const ComponentVariances& b) const;

  const ComponentEvidence& evidence_;
  const ComponentData& data_;
  const ComponentRequest& request_;
  const ComponentWatch& watch_;
  ComponentPenalty penalty_;
  ComponentDescent descent_;
  ComponentRun run_;
};

// Reweighted L1: its first weighted problem has the slopes of x = 0, but is solved from equal variances of the
// components that explain most, since Newton's method leaves x = 0 slowly. The others start with all.
void ComponentMinimizer::start() {
  if (request_.from != nullptr) {
    ComponentVariances from = *request_.from;
    from.noise = request_.bounds.noise_moves ? std::max(from.noise, request_.bounds.noise_floor) : request_.noise;
    run_.point = evidence_.at(std::move(from), penalty_, descent_.wanted());
    return;
  }
  ComponentVariances at{std::vector<double>(data_.size(), 0.0), request_.noise};
  ComponentPoint empty = evidence_.at(at, penalty_, descent_.wanted());
  run_.point = empty;
  if (!empty.valid) return;
  std::vector<std::pair<double, Index>> by_strength;
  for (Index i = 0; i < data_.size(); ++i) {
    const bool allowed = request_.bounds.allowed.empty() || request_.bounds.allowed[i] != 0;
    if (data_[i].plays && allowed) by_strength.emplace_back(-empty.q_squared[i] / empty.z[i], i);
  }
  std::ranges::sort(by_strength);
  if (is_l1() && by_strength.size() > most_starting) by_strength.resize(most_starting);
  for (const auto& [strength, i] : by_strength) {
    at.x[i] = data_.mean_square() / static_cast<double>(by_strength.size());
  }
  if (!is_l1() || request_.only_refine) {
    run_.point = evidence_.at(std::move(at), penalty_, descent_.wanted());
    return;
  }
  std::vector<double> slopes(data_.size() + 1, 0.0);
  for (Index i = 0; i <= data_.size(); ++i) {
    slopes[i] = request_.paper_start && i < data_.size() ? data_[i].unit : evidence_.slope(empty, penalty_, i);
  }
  descent_.set_slopes(std::move(slopes));
  ComponentPoint first = evidence_.at(std::move(at), penalty_, Slopes::none);
  for (Index k = 0; first.valid && k < 4 * inner_steps && request_.proceed() && descent_.step(first, inner_tolerance);
       ++k) {
  }
  evidence_.take_z(first, descent_.wanted());
  // x = 0 itself may be better: the weighted problem bounds the cost from it, but was not solved from it.
  if (first.valid && (request_.paper_start || first.cost <= empty.cost)) run_.point = std::move(first);
  if (!watch_(run_.point, 0, 0)) run_.status = Status::cancelled;
}

double ComponentMinimizer::largest_change(const ComponentVariances& a, const ComponentVariances& b) const {
  double change = std::abs(a.noise - b.noise), largest = request_.bounds.noise_moves ? b.noise : 0.0;
  for (Index i = 0; i < data_.size(); ++i) {
    change = std::max(change, std::abs(a.x[i] - b.x[i]));
    largest = std::max(largest, b.x[i]);
  }
  return change == 0 ? 0.0 : change / largest;
}

// False: no further step. A rise can only be rounding: then the last point is kept.
bool ComponentMinimizer::accept(ComponentPoint next, bool may_rise) {
  if (!next.valid) {
    run_.status = Status::numerical_failure;
    return false;
  }
  const double change = next.cost - run_.point.cost;
  if (change > 0 && !may_rise) return false;
  const double moved = largest_change(run_.point.at, next.at);
  evidence_.take_z(next, descent_.wanted());
  run_.point = std::move(next);
  ++run_.iterations;
  if (!watch_(run_.point, change, descent_.certificate(run_.point).active)) {
    run_.status = Status::cancelled;
    return false;
  }
  return std::abs(change) > cost_tolerance * data_.degrees_of_freedom() || moved >= request_.tolerance;
}

bool ComponentMinimizer::reweighted_step() {
  std::vector<double> slopes(data_.size() + 1, 0.0);
  for (Index i = 0; i <= data_.size(); ++i) slopes[i] = evidence_.slope(run_.point, penalty_, i);
  descent_.set_slopes(std::move(slopes));
  ComponentPoint next = run_.point;
  next.z.clear();
  for (Index k = 0; k < inner_steps && request_.proceed() && descent_.step(next, inner_tolerance); ++k) {
  }
  descent_.set_slopes({});
  return accept(std::move(next));
}

double ComponentMinimizer::updated(Index i) const {
  const bool noise = i == data_.size();
  const double x = noise ? run_.point.at.noise : run_.point.at.x[i];
  const double q_squared = run_.point.q_squared[i], z = run_.point.z[i];
  const double slope = evidence_.slope(run_.point, penalty_, i);
  if (request_.algorithm == "reweighted-l2") return x * std::sqrt(q_squared / slope);
  if (request_.algorithm == "mackay") return x * q_squared / slope;
  // EM's M step with the tangent of the penalty: d log x + second / x + (slope - z) x, as for groups of features.
  const double d = noise ? data_.degrees_of_freedom() : static_cast<double>(data_.rank(i)), extra = slope - z;
  const double second = d * x + x * x * (q_squared - z);  // Eq. 5
  return extra <= 0 ? second / d : 2 * second / (d + std::sqrt(d * d + 4 * extra * second));
}

bool ComponentMinimizer::fixed_point_step() {
  ComponentVariances at = run_.point.at;
  for (Index i = 0; i < data_.size(); ++i) {
    if (!(at.x[i] > 0)) continue;
    at.x[i] = updated(i);
    if (!(at.x[i] > negligible * at.noise)) at.x[i] = 0;
  }
  if (request_.bounds.noise_moves) at.noise = std::max(request_.bounds.noise_floor, updated(data_.size()));
  return accept(evidence_.at(std::move(at), penalty_, Slopes::none), request_.algorithm == "mackay");
}

// Steps that lower the cost by rounding only are taken but not told: the gradient still has digits.
void ComponentMinimizer::refine() {
  descent_.set_slopes({});
  evidence_.take_z(run_.point, descent_.wanted());
  ComponentPoint next = run_.point;
  double told = next.cost;
  for (Index k = 0; k < refining_steps && descent_.step(next, request_.refined); ++k) {
    if (!request_.proceed()) {
      run_.status = Status::cancelled;
      break;
    }
    const double fall = next.cost - told;
    if (!(fall < 0)) continue;
    ++run_.iterations;
    told = next.cost;
    if (!watch_(next, fall, descent_.certificate(next).active)) {
      run_.status = Status::cancelled;
      break;
    }
  }
  run_.point = std::move(next);
  if (run_.status == Status::iteration_limit && descent_.certificate(run_.point).worst() <= optimal_enough) {
    run_.status = Status::converged;
  }
}

}  // namespace

ComponentRun minimize_components(const ComponentEvidence& evidence, const ComponentRequest& request,
                                 const ComponentWatch& watch) {
  return ComponentMinimizer(evidence, request, watch).run();
}

// Under no effect theta is about chi-square of so many degrees of freedom over their number. Where the tail has no
// digits left, gains are compared, rank / 2 (theta - 1 - log theta): the exponents of Chernoff's bounds.
double entry_theta(double rank, double c) {
  constexpr double least = 1e-290;
  const double tail = std::erfc(std::sqrt((1 + c) / 2));
  if (tail > least) return 2 * boost::math::gamma_q_inv(rank / 2, tail) / rank;
  const double wanted = (c - std::log1p(c)) / rank;
  double w = c;
  for (int k = 0; k < 100; ++k) w = std::max(w - (w - std::log1p(w) - wanted) * (1 + w) / w, 1e-12);
  return 1 + w;
}

// Beside a kinship matrix, say, that explains most of the response, a factor has a slope z far below tr K / noise. A
// penalty on the scale of the latter would keep out everything that the matrix can imitate.
ComponentPenalty component_penalty(const ComponentEvidence& evidence, const ComponentRequest& request) {
  const ComponentData& data = evidence.data();
  ComponentPenalty penalty;
  if (!(request.penalty > 0)) return penalty;
  penalty.scale.assign(data.size(), data.degrees_of_freedom() / request.noise);
  bool any = false;
  ComponentRequest large;
  large.noise = request.noise;
  large.bounds.allowed.assign(data.size(), 0);
  large.proceed = request.proceed;
  large.only_refine = true;
  large.refined = 1e-6;
  for (Index i = 0; i < data.size(); ++i) {
    penalty.weight.push_back(std::max(0.0, entry_theta(data[i].effective_rank, request.penalty) - 1));
    const bool allowed = request.bounds.allowed.empty() || request.bounds.allowed[i] != 0;
    if (!data.is_large(i) || !data[i].plays || !allowed) continue;
    large.bounds.allowed[i] = 1;
    any = true;
  }
  if (!any) return penalty;
  const ComponentRun alone =
      minimize_components(evidence, large, [&](const ComponentPoint&, double, double) { return request.proceed(); });
  for (Index i = 0; i < data.size() && alone.point.valid; ++i) {
    if (!data.is_large(i) && alone.point.z[i] > 0) penalty.scale[i] = alone.point.z[i];
  }
  return penalty;
}

}  // namespace tamis
