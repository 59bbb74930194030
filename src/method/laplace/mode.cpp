// Posterior mode of spike-and-slab coefficients: marginal (majorization-minimization) and joint (alternating).
//
// marginal   min_w  L(w) - sum_j log(pi N(w_j | 0, r1) + (1 - pi) N(w_j | 0, r0))      Naqvi et al., Section 3.1, FLAS
//            -log prior is concave in w^2: a parabola of curvature d = E[1 / r_z | w], the factor in Eq. 3, touches it
//            from above. Each step is a ridge regression with these curvatures; the objective never rises. The paper's
//            L-BFGS may jump from one basin to another.
// joint      FLAS*: z_j = 1 if |w_j| >= a, else 0; then w by ridge with d_j = 1 / r_z, Eq. 5 in dual form; until z
//            repeats. With a Beta prior of s (SelectionPrior) the objective is maximized over s by majorization too;
//            for Beta(1, 1) s is 0 or 1 and the steps are those of Eq. 5.
// Erratum    Eq. 4 should read -max_s R.
#include "method/laplace/mode.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tamis {
namespace {

bool report(SpikeSlabMode& mode, double threshold, const ModeSettings& settings, double change) {
  const auto active = std::ranges::count_if(mode.w, [&](double w) { return std::abs(w) >= threshold; });
  const auto iteration = std::ssize(mode.trace) + 1;
  mode.trace.push_back({iteration, mode.objective, change, active, 0});
  if (settings.observer == nullptr) return true;
  settings.observer->trace(mode.trace.back());
  mode.cancelled = settings.observer->cancelled();
  return !mode.cancelled;
}

double largest(std::span<const double> values) {
  double size = 0;
  for (const double v : values) size = std::max(size, std::abs(v));
  return size;
}

// -log p(w), indicators integrated out.
template <class Prior>
double prior_cost(const Prior& prior, std::span<const double> w) {
  double cost = 0;
  for (const double v : w) cost -= prior.log_density(v);
  return cost;
}

// log p(w, z), z = 1 for the features of the slab.
double joint_log_prior(const TwoNormal& prior, std::span<const double> w, std::span<const double> precision,
                       std::span<const Index> slab) {
  const auto in = static_cast<double>(std::ssize(slab)), out = static_cast<double>(std::ssize(w)) - in;
  double sum = in * std::log(prior.prior_inclusion()) + out * std::log1p(-prior.prior_inclusion());
  for (Index j = 0; j < std::ssize(w); ++j) {
    sum += 0.5 * (std::log(precision[j] / (2 * std::numbers::pi)) - precision[j] * w[j] * w[j]);
  }
  return sum;
}

// Majorization-minimization. A parabola steeper than d with the same slope majorizes too; features near 0 all get the
// steepest, precision(0), so that one common variance serves most features and the ridge costs the others only. With D
// these curvatures and d the exact ones the step is the ridge mode under N(0, 1/D) around the fixed part (D - d) w / D.
template <class Prior>
SpikeSlabMode majorize(const DualModel& model, const Prior& prior, std::vector<double> w, RidgeMode ridge,
                       const ModeSettings& settings) {
  SpikeSlabMode mode;
  mode.w = std::move(w);
  const double steepest = prior.precision(0);
  DualModel::Loss loss = model.loss(model.predictor(mode.w), 0);
  mode.objective = loss.value + prior_cost(prior, mode.w);
  report(mode, prior.threshold(), settings, 0);
  for (Index step = 0; step < settings.max_iterations && !mode.cancelled; ++step) {
    PriorVariances variances{1 / steepest, {}, {}};
    std::vector<double> given(mode.w.size(), 0.0);
    for (Index j = 0; j < std::ssize(mode.w); ++j) {
      const double precision = prior.precision(mode.w[j]);
      // Within 10 % of the steepest curvature the common one is taken: a slightly shorter step for a much smaller
      // system.
      if (precision < 0.9 * steepest) {
        variances.large_variance.push_back(j);
        variances.values.push_back(1 / precision);
      } else {
        given[j] = (1 - precision / steepest) * mode.w[j];
      }
    }
    ridge = model.ridge(variances, model.predictor(given), ridge.dual.empty() ? nullptr : &ridge);
    std::vector<double> next = ridge_coefficients(model, variances, ridge);
    double change = 0;
    for (Index j = 0; j < std::ssize(next); ++j) {
      next[j] += given[j];
      change = std::max(change, std::abs(next[j] - mode.w[j]));
    }
    // The intercept is profiled out of the loss, so that objectives of successive steps are comparable.
    const DualModel::Loss next_loss = model.loss(model.predictor(next), ridge.intercept);
    const double objective = next_loss.value + prior_cost(prior, next);
    if (objective > mode.objective + 1e-9 * std::abs(mode.objective)) break;  // rounding: monotone otherwise
    mode.w = std::move(next);
    loss = next_loss;
    mode.objective = objective;
    if (!report(mode, prior.threshold(), settings, change)) break;
    mode.converged = change <= settings.tolerance * largest(mode.w);
    if (mode.converged) break;
  }
  mode.intercept = loss.intercept;
  for (const double v : mode.w) mode.precision.push_back(prior.precision(v));
  return mode;
}

}  // namespace

std::vector<double> ridge_coefficients(const DualModel& model, const PriorVariances& variances, const RidgeMode& mode) {
  std::vector<double> w(model.features());
  model.correlations(std::span<const double>(mode.dual), std::span(w));
  const std::vector<double> all = variances.all(model.features());
  for (Index j = 0; j < std::ssize(w); ++j) w[j] *= all[j];
  return w;
}

SpikeSlabMode marginal_mode(const DualModel& model, const TwoNormal& prior, std::vector<double> w, RidgeMode near,
                            const ModeSettings& settings) {
  return majorize(model, prior, std::move(w), std::move(near), settings);
}

SpikeSlabMode joint_selection_mode(const DualModel& model, const BestSelection& prior, std::vector<double> w,
                                   RidgeMode near, const ModeSettings& settings) {
  return majorize(model, prior, std::move(w), std::move(near), settings);
}

SpikeSlabMode joint_mode(const DualModel& model, const TwoNormal& prior, std::vector<Index> slab, RidgeMode ridge,
                         const ModeSettings& settings) {
  SpikeSlabMode mode;
  std::vector<double> before(model.features(), 0.0);
  for (Index step = 0; step < settings.max_iterations; ++step) {
    const PriorVariances variances{prior.spike_variance(), slab,
                                   std::vector<double>(slab.size(), prior.slab_variance())};
    ridge = model.ridge(variances, {}, ridge.dual.empty() ? nullptr : &ridge);
    mode.w = ridge_coefficients(model, variances, ridge);
    mode.precision.assign(mode.w.size(), 1 / prior.spike_variance());
    for (const Index j : slab) mode.precision[j] = 1 / prior.slab_variance();
    const DualModel::Loss loss = model.loss(model.predictor(mode.w), ridge.intercept);
    mode.intercept = loss.intercept;
    mode.objective = loss.value - joint_log_prior(prior, mode.w, mode.precision, slab);
    double change = 0;
    for (Index j = 0; j < std::ssize(mode.w); ++j) change = std::max(change, std::abs(mode.w[j] - before[j]));
    before = mode.w;
    if (!report(mode, prior.threshold(), settings, change)) break;
    std::vector<Index> next;
    for (Index j = 0; j < std::ssize(mode.w); ++j) {
      if (std::abs(mode.w[j]) >= prior.threshold()) next.push_back(j);
    }
    // A repeated support is a fixed point: w is its exact ridge solution.
    mode.converged = next == slab;
    if (mode.converged) break;
    slab = std::move(next);
  }
  return mode;
}

}  // namespace tamis
