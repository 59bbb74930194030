#include "experiments/laplace/reference_methods.hpp"

#include <cmath>

namespace tamis::experiments::laplace {

ReferenceMethod reference_method(std::string label, std::string method, std::map<std::string, OptionValue> options) {
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

ReferenceMethod factorized_ep() { return reference_method("ep-l", "ep", {{"factorised", true}}); }

std::vector<ReferenceMethod> reference_methods() {
  const std::map<std::string, OptionValue> least{{"rule", std::string("min")}};
  return {reference_method("flas", "flas"),
          reference_method("flas*", "flas", {{"variant", std::string("joint")}}),
          reference_method("ep", "ep"),
          reference_method("pmf", "pmf"),
          reference_method("vb", "vb"),
          reference_method("mm", "mm"),
          reference_method("ard", "ard"),
          reference_method("capped L1", "capped-l1", least),
          reference_method("elastic net", "elastic-net", least),
          reference_method("lasso", "lasso", least)};
}

}  // namespace tamis::experiments::laplace
