// Models for tests of what is said about them.
#pragma once

#include "tamis/fit/factor_fit.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

/// y = 2 a - b among five features, with all that a method may give.
inline Fit example_fit() {
  Fit fit;
  fit.library_version = "1.2.3";
  fit.method = "sieve";
  fit.family = "gaussian";
  fit.options = {{"seed", 1.0}, {"penalty", std::monostate{}}, {"standardize", true}};
  fit.target = "y";
  fit.samples = 40;
  fit.features = {"a", "b", "c", "d", "e"};
  fit.intercept = 0.5;
  fit.coefficients = {2, -1, 0.01, 0, 0};
  fit.standard_deviations = {0.1, 0.2, 0.05, 0, 0};
  fit.inclusion = {1, 0.9, 0.2, 0.05, 0};
  fit.inclusion_kind = InclusionKind::posterior;
  fit.feature_spreads = {1, 3, 1, 1, 1};
  fit.noise_variance = 0.25;
  fit.hyper = {{"penalty", 0.1}, {"weights", std::vector<double>{1, 2}}};
  fit.path = {{.value = 1, .validation_error = 9, .validation_se = 1, .active = 0},
              {.value = 0.1, .validation_error = 2, .validation_se = 0.5, .active = 2},
              {.value = 0.01, .validation_error = 3, .validation_se = 0.5, .active = 5}};
  fit.trace = {{1, 5.0, 1, 5}, {2, 4.0, 0.1, 3}, {3, 3.5, 0.01, 2}};
  fit.seconds = 0.0123;
  return fit;
}

/// Two factors of four columns in six rows, the second one hardly used.
inline FactorFit example_factor_fit() {
  FactorFit fit;
  fit.family = "bernoulli";
  fit.prior = "spike-slab";
  fit.factors = 2;
  fit.rows = 6;
  fit.columns = {"w", "x", "y", "z"};
  fit.loadings = Matrix(2, 4);
  fit.scores = Matrix(6, 2);
  fit.inclusion = Matrix(6, 2);
  for (Index d = 0; d < 4; ++d) {
    fit.loadings(0, d) = static_cast<double>(d) - 1;
    fit.loadings(1, d) = 0.01;
  }
  for (Index n = 0; n < 6; ++n) fit.scores(n, 0) = fit.scores(n, 1) = 1;
  fit.factor_rates = {0.75, 0.25};
  fit.test_cells = 4;
  fit.nlp_bits = 2;
  fit.rmse = 0.3;
  return fit;
}

}  // namespace tamis
