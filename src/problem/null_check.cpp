#include "problem/null_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "family/null_intercept.hpp"

namespace tamis {
namespace {

// Shares of the null model's deviance by which a model may be worse. Solvers stop at a tolerance near 1e-6.
constexpr double rounding = 1e-5, of_posterior_means = 0.1;
// Of the mean squared response: differences below it are rounding errors of the predictor.
constexpr double resolution = 1e-12;

// The rows that count, as sums over them need them: rows of weight 0 may hold anything.
struct Rows {
  std::vector<double> weights;  // of sum 1
  std::vector<double> y;

  Rows(const Problem& problem, std::span<const double> response) : weights(response.size(), 1.0), y(response.size()) {
    if (!problem.weights.empty()) weights.assign(problem.weights.begin(), problem.weights.end());
    double total = 0;
    for (const double weight : weights) total += weight;
    for (Index i = 0; i < std::ssize(y); ++i) {
      weights[i] /= total;
      if (weights[i] > 0) y[i] = response[i];
    }
  }
};

struct Target {
  std::span<const double> y;
  double intercept;
  std::span<const double> coefficients;
};

// Mean deviance at the linear predictor, which has no offset yet.
double mean_deviance(const Problem& problem, const Rows& rows, std::span<const double> eta) {
  double sum = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    if (rows.weights[i] == 0) continue;
    const double offset = problem.offset.empty() ? 0.0 : problem.offset[i];
    sum += rows.weights[i] * problem.likelihood.deviance(rows.y[i], eta[i] + offset);
  }
  return sum;
}

std::vector<double> predictor(const Design& X, const Target& target) {
  std::vector<Index> columns;
  std::vector<double> values;
  for (Index j = 0; j < std::ssize(target.coefficients); ++j) {
    if (target.coefficients[j] == 0) continue;
    columns.push_back(j);
    values.push_back(target.coefficients[j]);
  }
  std::vector<double> eta(X.rows(), target.intercept);
  X.multiply_add(Columns(columns), std::span<const double>(values), std::span<double>(eta));
  return eta;
}

struct Deviances {
  double model = 0, null = 0, floor = 0;
  bool is_worse(double share) const { return !(model <= (1 + share) * null + floor); }
};

Deviances deviances_of(const Problem& problem, const Target& target) {
  const Rows rows(problem, target.y);
  double intercept = 0, square = 0;
  if (problem.intercept) intercept = null_intercept(problem.likelihood, rows.y, rows.weights, problem.offset);
  for (Index i = 0; i < std::ssize(rows.y); ++i) square += rows.weights[i] * rows.y[i] * rows.y[i];
  const std::vector<double> flat(rows.y.size(), intercept);
  return {mean_deviance(problem, rows, predictor(problem.X, target)), mean_deviance(problem, rows, flat),
          resolution * square};
}

}  // namespace

void refuse_worse_than_null(const Problem& problem, Fit& fit) {
  if (fit.status == Status::cancelled || fit.status == Status::numerical_failure) return;
  const double allowed =
      fit.status == Status::converged && fit.standard_deviations.empty() ? rounding : of_posterior_means;
  for (Index l = -1; l < std::ssize(fit.more_targets); ++l) {
    const Target target = l < 0 ? Target{problem.y, fit.intercept, fit.coefficients}
                                : Target{problem.more_responses.column(l), fit.more_targets[l].intercept,
                                         fit.more_targets[l].coefficients};
    const Deviances found = deviances_of(problem, target);
    // Without a finite null model, as of counts that are all 0, there is nothing to compare with.
    if (!std::isfinite(found.null) || !found.is_worse(allowed)) continue;
    fit.status = Status::numerical_failure;
    fit.message = fmt::format(
        "the {} of the training data is {:.4g}, above the {:.4g} of the model without features: the result is of no "
        "use; try another method; {}",
        problem.likelihood.words().validation_error, found.model, found.null, fit.message);
    return;
  }
}

}  // namespace tamis
