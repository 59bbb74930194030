// Coordinate ascent on the evidence lower bound of the continuous spike and slab.
//
// Model      w_j | z_j ~ N(0, slab) or N(0, spike),  z_j | s_j ~ Bernoulli(s_j),  s_j ~ Beta(2 pi, 2 (1 - pi)), flat b0
// Bound      with 1 / v_j = z_j / slab + (1 - z_j) / spike at the means z_j of q(z_j), and the best q(w, b0) and q(s):
//              L = rows + log mass of N(0, v) under them + log prior of slab + sum_j [ 1/2 log v_j
//                  - 1/2 (z_j log slab + (1 - z_j) log spike)
//                  + log B(2 pi + z_j, 2 (1 - pi) + 1 - z_j) - log B(2 pi, 2 (1 - pi)) + H(z_j) ]
// Round      q(w, b0) (joint_normal_step.cpp); all q(z_j), which are independent given it; slab and noise at the
//            maximum of L. Rows of a loss that is not quadratic are its bound at the present q(w, b0). No step lowers
//            L.
// Spike      narrowed from a tenth of the slab in steps of ten: begun at its own width with even inclusion, every
//            coefficient of size sqrt(spike) is at home in the spike, and the ascent ends where it begins. Bounds of
//            different widths do not compare: the trace is that of the last one.
// Papers     Zhe, Naqvi, Yang & Qi (2013), Bioinformatics 29(16); Naqvi et al. (2016), IJCAI, "VB", for the Beta prior;
//            Jaakkola & Jordan (2000), Statistics and Computing 10, classes
#include "method/vb/variational_ascent.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr double first_width = 0.1, narrower = 0.1;  // of the spike, as a share of the slab
constexpr double default_spike = 1e-4;               // likewise
constexpr double passing_tolerance = 1e-4;           // at widths that are only passed
constexpr double least_noise = 1e-4;                 // of the response's variance, when it is learned
constexpr double least_ratio = 10;                   // of a learned slab to the spike
// Slab variance ~ inverse gamma of shape 2 and scale the start, as of ep: what it adds to count and squares.
constexpr double slab_prior_count = 6, slab_prior_scale = 2;

}  // namespace

// Inclusion and slab as of the other spike-and-slab methods (problem/spike_slab_options.cpp).
VariationalAscent::VariationalAscent(const ScaledProblem& scaled, const VariationalRequest& request, Observer* observer)
    : scaled_(scaled), request_(request), observer_(observer), normal_(scaled, !scaled.gaussian()) {
  const auto p = static_cast<double>(scaled.features());
  const double known = scaled.family().traits().row_information, information = known > 0 ? known : 1;
  prior_inclusion_ = request.prior_inclusion.value_or(std::min(0.25, information * scaled.samples() / (10 * p)));
  const double expected = std::max(1.0, prior_inclusion_ * p), explained = scaled.gaussian() ? 1 : 5;
  first_slab_ = request.slab_variance.value_or(explained / (expected * scaled.mean_curvature()));
}

VariationalState VariationalAscent::start(double noise) const {
  VariationalState state;
  state.slab = first_slab_;
  state.spike = request_.spike_variance.value_or(default_spike * first_slab_);
  state.noise = scaled_.gaussian() ? request_.noise_variance.value_or(noise) : 1.0;
  state.inclusion.assign(scaled_.features(), prior_inclusion_);
  state.coefficients.fit.assign(scaled_.rows(), 0.0);
  state.coefficients.fit_variance.assign(scaled_.rows(), 0.0);
  return state;
}

// What the rows tell of their predictors: a precision and a center each. Returns what does not depend on the predictor.
double VariationalAscent::view_rows(const VariationalState& state, std::vector<double>& information,
                                    std::vector<double>& working) const {
  const std::span<const double> weights = scaled_.weights(), offset = scaled_.offset();
  const Index n = scaled_.rows();
  information.assign(weights.begin(), weights.end());
  working.assign(scaled_.response().begin(), scaled_.response().end());
  if (scaled_.gaussian()) {
    for (double& b : information) b /= state.noise;
    return -0.5 * scaled_.samples() * std::log(2 * M_PI * state.noise);
  }
  double constant = 0;
  for (Index i = 0; i < n; ++i) {
    const double eta = state.coefficients.fit[i] + (offset.empty() ? 0.0 : offset[i]);
    double precision = 0, center = 0;
    // Row by row: constants count as often as their rows.
    const double c =
        scaled_.family().quadratic(scaled_.response().subspan(i, 1), {&eta, 1},
                                   {&state.coefficients.fit_variance[i], 1}, {&precision, 1}, {&center, 1});
    constant += weights[i] * c;
    information[i] = weights[i] * precision;
    working[i] = center - (offset.empty() ? 0.0 : offset[i]);
  }
  return constant;
}

// The terms of the bound that belong to the features.
double VariationalAscent::bound_of_inclusion(const VariationalState& state) const {
  const double in = 2 * prior_inclusion_, out = 2 - in;
  const auto log_beta = [](double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); };
  const auto entropy = [](double z) { return z > 0 ? -z * std::log(z) : 0.0; };
  double sum = 0;
  for (const double z : state.inclusion) {
    const double precision = z / state.slab + (1 - z) / state.spike;
    sum -= 0.5 * (std::log(precision) + z * std::log(state.slab) + (1 - z) * std::log(state.spike));
    sum += log_beta(in + z, out + 1 - z) - log_beta(in, out) + entropy(z) + entropy(1 - z);
  }
  return sum;
}

void VariationalAscent::round(VariationalState& state) {
  std::vector<double> information, working, prior;
  const double constant = view_rows(state, information, working);
  for (const double z : state.inclusion) prior.push_back(1 / (z / state.slab + (1 - z) / state.spike));
  state.coefficients = normal_.step(information, working, prior, scaled_.gaussian() ? 1 / state.noise : 0.0);
  double bound = constant + state.coefficients.log_mass + bound_of_inclusion(state);
  if (!request_.slab_variance) {
    bound -= 0.5 * (slab_prior_count * std::log(state.slab) + slab_prior_scale * first_slab_ / state.slab);
  }
  const double before = state.trace.empty() ? bound : state.bound();
  state.trace.push_back({std::ssize(state.trace) + 1, bound, bound - before, 0, 0});
}

// q(s_j) = Beta(2 pi + z_j, 2 (1 - pi) + 1 - z_j), then q(z_j). Returns the largest change of a probability.
double VariationalAscent::update_inclusion(VariationalState& state) const {
  using boost::math::digamma;
  const double in = 2 * prior_inclusion_, out = 2 - in;
  double change = 0;
  for (Index j = 0; j < std::ssize(state.inclusion); ++j) {
    double& z = state.inclusion[j];
    const double square = std::pow(state.coefficients.mean[j], 2) + state.coefficients.variance[j];
    const double told = 0.5 * (std::log(state.spike / state.slab) + square * (1 / state.spike - 1 / state.slab));
    const double next = logistic(told + digamma(in + z) - digamma(out + 1 - z));
    change = std::max(change, std::abs(next - z));
    z = next;
  }
  state.trace.back().active = std::ranges::count_if(state.inclusion, [](double z) { return z > 0.5; });
  return change;
}

// Slab under its weak prior, and noise. Returns the largest change of a logarithm.
double VariationalAscent::em_step(VariationalState& state) const {
  double change = 0;
  const auto learn = [&](double& variance, double next) {
    change = std::max(change, std::abs(std::log(next / variance)));
    variance = next;
  };
  const JointNormalStep& q = state.coefficients;
  if (!request_.slab_variance) {
    double squares = slab_prior_scale * first_slab_, count = slab_prior_count;
    for (Index j = 0; j < std::ssize(state.inclusion); ++j) {
      squares += state.inclusion[j] * (q.mean[j] * q.mean[j] + q.variance[j]);
      count += state.inclusion[j];
    }
    learn(state.slab, std::max(least_ratio * state.spike, squares / count));
  }
  if (!request_.noise_variance && scaled_.gaussian()) {
    double square = state.noise * q.effective;
    for (Index i = 0; i < scaled_.rows(); ++i) {
      const double left = scaled_.response()[i] - q.fit[i];
      square += scaled_.weights()[i] * left * left;
    }
    learn(state.noise, std::max(least_noise, square / scaled_.samples()));
  }
  return change;
}

void VariationalAscent::settle(VariationalState& state, bool learns, double tolerance) {
  state.trace.clear();
  state.status = Status::iteration_limit;
  for (Index k = 0; k < request_.most_rounds; ++k) {
    round(state);
    state.change = update_inclusion(state);
    if (learns) state.change = std::max(state.change, em_step(state));
    state.trace.back().certificate = state.change;
    if (observer_ != nullptr && observer_->cancelled()) {
      state.status = Status::cancelled;
      return;
    }
    if (state.change <= tolerance) {
      state.status = Status::converged;
      return;
    }
  }
}

void VariationalAscent::anneal(VariationalState& state) {
  const double narrowest = state.spike;
  for (double width = first_width * state.slab; width > narrowest; width *= narrower) {
    state.spike = width;
    settle(state, /*learns=*/false, std::max(request_.tolerance, passing_tolerance));
    if (state.status == Status::cancelled) return;
  }
  state.spike = narrowest;
  settle(state, /*learns=*/true, request_.tolerance);
}

}  // namespace tamis
