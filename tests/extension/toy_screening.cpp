// A toy method, as somebody would write it who has only the public headers: marginal screening. Every feature is scored
// by its correlation with the residual of the null model alone; the fit goes along the coefficients that those above a
// threshold would have alone, shrunk as by the nonnegative garrote (Breiman, Technometrics 37, 1995), as far as the
// loss falls, less the share that the garrote takes. It uses the family only through Family.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

double weighted_sum(std::span<const double> w, std::span<const double> v) {
  return std::inner_product(w.begin(), w.end(), v.begin(), 0.0);
}

// The data, and a predictor that moves.
struct WorkingData {
  explicit WorkingData(const Problem& p)
      : problem(p), weights(p.y.size(), 1.0), eta(p.y.size()), residual(p.y.size()), curvature(p.y.size()) {
    if (!problem.weights.empty()) weights.assign(problem.weights.begin(), problem.weights.end());
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= total;  // they sum to one
    if (!problem.offset.empty()) eta.assign(problem.offset.begin(), problem.offset.end());
  }

  double loss() const { return problem.likelihood.total_loss(problem.y, eta, weights); }
  void differentiate() { problem.likelihood.derivatives(problem.y, eta, residual, curvature); }
  void move(double step, const std::vector<double>& direction) {
    for (Index i = 0; i < std::ssize(eta); ++i) eta[i] += step * direction[i];
  }
  double newton_step(const std::vector<double>& direction) {
    differentiate();
    double slope = 0, bend = 0;
    for (Index i = 0; i < std::ssize(eta); ++i) {
      slope += weights[i] * residual[i] * direction[i];
      bend += weights[i] * curvature[i] * direction[i] * direction[i];
    }
    return bend > 0 ? slope / bend : 0;
  }

  const Problem& problem;
  std::vector<double> weights, eta, residual, curvature;
};

// The step of at most `longest` at which the loss is least, by Newton's method, halved where the loss does not fall;
// the predictor moves there.
double best_step(WorkingData& data, const std::vector<double>& direction, double longest) {
  constexpr int most_steps = 100;
  constexpr double rounding = 1e-13;
  double step = 0, loss = data.loss();
  for (int k = 0; k < most_steps; ++k) {
    double change = std::clamp(step + data.newton_step(direction), -longest, longest) - step;
    data.move(change, direction);
    while (!(data.loss() <= loss + rounding * (1 + std::abs(loss))) && std::abs(change) > rounding) {
      change *= 0.5;
      data.move(-change, direction);
    }
    step += change;
    loss = data.loss();
    if (std::abs(change) <= rounding * (1 + std::abs(step))) break;
  }
  return step;
}

// The intercept alone; 0 if there is none.
double fit_null_model(WorkingData& data) {
  if (!data.problem.intercept) return 0;
  const std::vector<double> ones(data.eta.size(), 1.0);
  const double start =
      data.problem.likelihood.link(weighted_sum(data.weights, data.problem.y)) - weighted_sum(data.weights, data.eta);
  data.move(start, ones);
  return start + best_step(data, ones, std::numeric_limits<double>::infinity());
}

class ToyScreening final : public Method {
 public:
  std::string_view name() const override { return "toy-screening"; }
  std::string_view summary() const override { return "one step along the features that correlate on their own"; }
  std::vector<Field> fields() const override {
    return {Field::real("threshold", "what correlations with the residual of the null model must exceed", 0.2, 0, 1)};
  }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

// Means and deviations of the columns; without an intercept nothing is centered, and they spread about zero.
ColumnMoments moments_of(const Problem& problem) {
  ColumnMoments moments = column_moments(problem.X, problem.weights);
  if (!problem.intercept) {
    std::ranges::transform(moments.mean, moments.deviation, moments.deviation.begin(),
                           [](double mean, double deviation) { return std::hypot(mean, deviation); });
    std::ranges::fill(moments.mean, 0.0);
  }
  return moments;
}

struct Screened {
  std::vector<double> coefficients;
  double intercept = 0;  // what keeps the mean of the predictor
  Index kept = 0;
  double largest = 0;                   // correlation of all features
  double correlations = 0, shrunk = 0;  // of those that are kept, and what the garrote leaves of them
};

Screened screen(const WorkingData& null, double threshold) {
  const Problem& problem = null.problem;
  const ColumnMoments moments = moments_of(problem);
  std::vector<double> pull(null.residual.size()), pulls(moments.mean.size());
  std::ranges::transform(null.weights, null.residual, pull.begin(), std::multiplies<>());
  problem.X.transpose_multiply(problem.X.all(), std::span<const double>(pull), std::span<double>(pulls));
  const double sum = std::accumulate(pull.begin(), pull.end(), 0.0);
  const double spread = std::sqrt(weighted_sum(pull, null.residual));
  const double curvature = weighted_sum(null.weights, null.curvature);
  Screened found{.coefficients = std::vector<double>(pulls.size())};
  for (Index j = 0; j < std::ssize(pulls); ++j) {
    if (moments.deviation[j] == 0 || spread == 0) continue;
    const double correlation = (pulls[j] - moments.mean[j] * sum) / moments.deviation[j] / spread;
    found.largest = std::max(found.largest, std::abs(correlation));
    if (std::abs(correlation) <= threshold) continue;
    const double shrunk = correlation - threshold * threshold / correlation;
    const double alone = shrunk * spread / curvature;
    found.coefficients[j] = alone / moments.deviation[j];
    found.intercept -= found.coefficients[j] * moments.mean[j];
    found.correlations += std::abs(correlation);
    found.shrunk += std::abs(shrunk);
    ++found.kept;
  }
  return found;
}

// How far along `found` the loss is least, shrunk. Not beyond ten times: where two classes are separated it falls for
// ever.
double step_along(const Screened& found, WorkingData& data) {
  constexpr double longest = 10;
  std::vector<double> along(data.eta.size(), found.intercept);
  const Design& X = data.problem.X;
  X.multiply_add(X.all(), std::span<const double>(found.coefficients), std::span<double>(along));
  const double best = best_step(data, along, longest);
  const double shrunk = found.kept > 0 ? best * found.shrunk / found.correlations : 0;
  data.move(shrunk - best, along);
  return shrunk;
}

Fit ToyScreening::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  WorkingData data(problem);
  Fit fit;
  fit.intercept = fit_null_model(data);
  fit.coefficients.assign(problem.X.cols(), 0.0);
  fit.objective = data.loss();
  fit.trace.push_back({.iteration = 0, .objective = fit.objective});
  if (control.observer != nullptr && control.observer->cancelled()) {
    fit.status = Status::cancelled;
    fit.message = "cancelled before any feature was screened";
  } else {
    data.differentiate();
    const Screened found = screen(data, options.real("threshold"));
    const double step = step_along(found, data);
    std::ranges::transform(found.coefficients, fit.coefficients.begin(), [&](double b) { return step * b; });
    fit.intercept += step * found.intercept;
    fit.objective = data.loss();
    fit.trace.push_back({.iteration = 1, .objective = fit.objective, .change = std::abs(step), .active = found.kept});
    fit.message = fmt::format("kept {} of {} features; the largest correlation is {:.3g}", found.kept, problem.X.cols(),
                              found.largest);
  }
  if (problem.likelihood.has_noise()) fit.noise_variance = 2 * fit.objective;
  return fit;
}

const ToyScreening screening;
[[maybe_unused]] const Method& added = add_method(screening);

}  // namespace
}  // namespace tamis
