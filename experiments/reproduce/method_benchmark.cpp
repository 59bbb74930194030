#include "experiments/reproduce/method_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tamis/method/method.hpp"

namespace tamis::experiments {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Matrix stacked(const Matrix& above, const Matrix& below) {
  Matrix both(above.rows() + below.rows(), above.cols());
  for (Index j = 0; j < above.cols(); ++j) {
    std::copy_n(above.col(j), above.rows(), both.col(j));
    std::copy_n(below.col(j), below.rows(), both.col(j) + above.rows());
  }
  return both;
}

double mean_square(std::span<const double> predicted, std::span<const double> y) {
  double sum = 0;
  for (Index i = 0; i < std::ssize(y); ++i) sum += (y[i] - predicted[i]) * (y[i] - predicted[i]);
  return y.empty() ? nan : sum / static_cast<double>(y.size());
}

}  // namespace

MethodBenchmark::MethodBenchmark(const Trial& trial, Recorder& record)
    : trial_(trial), record_(record), drawn_(simulate(trial.setting.design, trial.seed, trial.setting.parameters)) {
  merged_.X = stacked(drawn_.train.X, drawn_.validation.X);
  merged_.y = stacked(drawn_.train.y, drawn_.validation.y);
}

Fit MethodBenchmark::fit(const Contender& contender) {
  const bool validates = !contender.merges_validation && !drawn_.validation.empty();
  const SimulatedSet& rows = contender.merges_validation ? merged_ : drawn_.train;
  const DenseDesign X(rows.X), held_out(drawn_.validation.X);
  Control control{.seed = trial_.seed, .threads = 1, .observer = trial_.observer};
  if (validates) control.validation = {.X = &held_out, .y = drawn_.validation.y.column(0)};
  const Problem problem{.X = X, .y = rows.y.column(0), .likelihood = family(drawn_.family)};
  Fit result = tamis::fit(problem, contender.method, contender.options, control);
  record_.ended(contender.label, result.status == Status::converged);
  return result;
}

double mean_squared_error(const Fit& fit, const SimulatedSet& set) {
  if (set.empty()) return nan;
  return mean_square(linear_predictor(fit, DenseDesign(set.X)), set.y.column(0));
}

double mean_squared_error(std::span<const double> coefficients, const SimulatedSet& set) {
  std::vector<double> predicted(set.rows());
  const DenseDesign X(set.X);
  X.multiply_add(X.all(), coefficients, std::span<double>(predicted));
  return mean_square(predicted, set.y.column(0));
}

double l1_distance(std::span<const double> a, std::span<const double> b) {
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                               [](double x, double y) { return std::abs(x - y); });
}

Index count_selected(const Fit& fit) {
  if (!fit.inclusion.empty()) return std::ranges::count_if(fit.inclusion, [](double m) { return m > 0.5; });
  return std::ranges::count_if(fit.coefficients, [](double v) { return v != 0; });
}

double ranking_area(std::span<const double> scores, std::span<const Index> support) {
  std::vector<bool> relevant(scores.size());
  for (const Index j : support) relevant[j] = true;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(scores[a]) < std::abs(scores[b]); });
  // Mann & Whitney: each relevant feature beats the irrelevant ones below it, and half of those beside it.
  double won = 0, irrelevant_below = 0;
  for (Index k = 0, end = 0; k < std::ssize(order); k = end) {
    double hits = 0, misses = 0;
    for (; end < std::ssize(order) && std::abs(scores[order[end]]) == std::abs(scores[order[k]]); ++end) {
      (relevant[order[end]] ? hits : misses) += 1;
    }
    won += hits * (irrelevant_below + 0.5 * misses);
    irrelevant_below += misses;
  }
  const double pairs = static_cast<double>(support.size()) * irrelevant_below;
  return pairs > 0 ? won / pairs : nan;
}

}  // namespace tamis::experiments
