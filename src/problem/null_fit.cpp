#include "problem/null_fit.hpp"

#include <fmt/format.h>

#include "family/null_intercept.hpp"

namespace tamis {

std::vector<double> column_curvature(const Problem& problem, const Standardization& scale) {
  std::vector<double> curvature(problem.X.cols());
  if (problem.standardize) {
    for (Index j = 0; j < std::ssize(curvature); ++j) curvature[j] = scale.scale(j) > 0 ? 1 : 0;
  } else {
    scale.X().squared_norms(scale.X().all(), scale.weights(), curvature);
  }
  return curvature;
}

std::string no_noise_message(std::string_view option, const Family& likelihood) {
  return fmt::format("{}: family {} has no noise variance; remove this option", option, likelihood.name());
}

Fit null_fit(const Problem& problem, const Standardization& scale, std::string_view why) {
  Fit fit;
  const Index p = problem.X.cols();
  fit.coefficients.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.hyper["weights"] = std::vector<double>(p, 0.0);
  if (problem.intercept) {
    fit.intercept = null_intercept(problem.likelihood, problem.y, scale.weights(), problem.offset);
  }
  double square = 0;
  for (Index i = 0; i < std::ssize(problem.y); ++i) {
    const double left = problem.y[i] - (problem.offset.empty() ? 0.0 : problem.offset[i]) - fit.intercept;
    square += scale.weights()[i] * left * left;
  }
  if (problem.likelihood.has_noise()) fit.noise_variance = square;
  fit.trace.push_back({1, 0, 0, 0, 0});
  fit.message = fmt::format("no features selected because {}", why);
  return fit;
}

}  // namespace tamis
