#include "experiments/laplace/rivals.hpp"

#include <cmath>

#include "experiments/laplace/full_variational.hpp"
#include "experiments/laplace/point_mass_map.hpp"

namespace tamis::experiments::laplace {

Rival rival(std::string label, std::string method, std::map<std::string, OptionValue> options) {
  return {std::move(label),
          [method = std::move(method), options = std::move(options)](const Problem& problem, const Control& control) {
            return tamis::fit(problem, method, options, control);
          }};
}

double test_error(const Fit& fit, const Design& X, std::span<const double> y) {
  const std::vector<double> eta = linear_predictor(fit, X);
  const bool classes = family(fit.family).is_binary();
  double sum = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    sum += classes ? ((eta[i] > 0) != (y[i] > 0.5) ? 1 : 0) : (eta[i] - y[i]) * (eta[i] - y[i]);
  }
  const double mean = sum / static_cast<double>(eta.size());
  return classes ? mean : std::sqrt(mean);
}

Rival factorized_ep() { return rival("ep-l", "ep", {{"factorised", true}}); }

std::vector<Rival> rivals() {
  const std::map<std::string, OptionValue> least{{"rule", std::string("min")}};
  return {
      rival("flas", "flas"),
      rival("flas*", "flas", {{"variant", std::string("joint")}}),
      rival("ep", "ep"),
      rival("pmf", "pmf"),
      {"vb", [](const Problem& problem, const Control& control) { return fit_full_variational(problem, {}, control); }},
      {"mm", fit_point_mass_map},
      rival("ard", "ard"),
      rival("capped L1", "capped-l1", least),
      rival("elastic net", "elastic-net", least),
      rival("lasso", "lasso", least)};
}

}  // namespace tamis::experiments::laplace
