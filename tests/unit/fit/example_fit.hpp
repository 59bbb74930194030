// A small Fit with every field filled in, for the tests of this room.
#pragma once

#include <cmath>

#include "tamis/fit/fit.hpp"

namespace tamis {

inline Fit example_fit() {
  Fit fit;
  fit.library_version = "0.1.0";
  fit.method = "sieve";
  fit.family = "gaussian";
  fit.options = {{"penalty", 0.1}, {"warm", true}, {"rule", std::string("min")}, {"gamma", std::monostate{}}};
  fit.target = "y";
  fit.offset = "log_exposure";
  fit.samples = 50;
  fit.features = {"a", "b", "c"};
  fit.intercept = 0.5;
  fit.coefficients = {2.0, 0.0, -1.0};
  fit.standard_deviations = {0.5, 0.0, 0.25};
  fit.inclusion = {0.9, 0.0, 1.0};
  fit.inclusion_kind = InclusionKind::posterior;
  fit.credible_sets = {
      {.features = {2}, .inclusion = {1.0}, .correlation = {1.0}, .probability = 1.0, .purity = 1.0},
      {.features = {0, 1}, .inclusion = {0.9, 0.0}, .correlation = {1.0, 0.75}, .probability = 0.96, .purity = 0.75}};
  fit.set_candidates = {.features = {0, 1, 2},
                        .inclusion = {0.9, 0.0, 1.0},
                        .draws = {.weights = {0.96, 0.04}, .starts = {0, 2, 3}, .features = {0, 2, 2}},
                        .correlations = {{0, 1, 0.75}}};
  fit.alternatives = {{.feature = 1, .with = 0, .correlation = -0.85}};
  fit.feature_means = {10.0, std::nan(""), -0.5};
  fit.feature_spreads = {2.5, std::nan(""), 0.75};
  fit.noise_variance = 4.0;
  fit.hyper = {{"gamma", -3.5}, {"weights", std::vector<double>{0.25, 0.0, 1.0}}, {"rule", std::string("min")}};
  fit.objective = 12.25;
  fit.trace = {{1, 20.0, 1.0, 3, 0.5}, {2, 12.25, 0.01, 2, 1e-9}};
  fit.path = {{1.0, 20.0, std::nullopt, std::nullopt, 0, 0.0}, {0.1, 12.25, 1.5, 0.2, 2, 1e-9}};
  fit.status = Status::stalled;
  fit.message = "stopped after 2 sweeps";
  fit.seconds = 0.125;
  return fit;
}

}  // namespace tamis
