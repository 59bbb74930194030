// A Comparison for the tests of its views.
#pragma once

#include <cmath>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// Two methods, two folds; a third that failed.
inline Comparison example_comparison() {
  Comparison comparison;
  comparison.family = "gaussian";
  comparison.error_name = "RMSE";
  comparison.target = "y";
  comparison.samples = 20;
  comparison.features = {"first", "second", "third", "fourth"};
  comparison.folds = comparison.finished_folds = 2;
  comparison.fold_of_row.assign(20, 0);
  comparison.baseline_error = FoldMean{3, 0.1};
  for (const char* name : {"lasso", "vg", "exact"}) comparison.methods.emplace_back().method = name;
  for (std::size_t m = 0; m < 2; ++m) {
    ComparedMethod& method = comparison.methods[m];
    method.fit.emplace();
    method.fit->method = method.method;
    method.fit->family = comparison.family;
    method.fit->samples = comparison.samples;
    method.fit->features = comparison.features;
    method.fit->coefficients = {1, -2, 0, 0};
    method.kept = m == 0 ? std::vector<Index>{0, 1} : std::vector<Index>{1};
    method.folds.resize(2);
    for (FoldResult& fold : method.folds) fold.kept = {1};
    method.scored = 2;
    method.error = FoldMean{m == 0 ? 1.5 : 1.25, 0.1};
    method.excess = FoldMean{m == 0 ? 0.25 : 0, m == 0 ? 0.05 : 0};
    method.log_score = FoldMean{-1.75, 0.02};
    method.coverage = FoldMean{0.9, 0.02};
    method.kept_count = FoldMean{1, 0};
    method.stability = 1.0;
    method.calibration = {{0.5, 0.4, 20}, {0.9, 0.95, 20}};
  }
  comparison.methods[0].folds[0].status = Status::iteration_limit;
  comparison.methods[2].failure = "too many features";
  comparison.methods[2].folds.resize(2);
  for (FoldResult& fold : comparison.methods[2].folds) fold.failure = "too many features";
  comparison.best = 1;
  comparison.agreement = Matrix(3, 3);
  comparison.agreement(0, 0) = comparison.agreement(1, 1) = 1;
  comparison.agreement(0, 1) = comparison.agreement(1, 0) = 0.5;
  for (Index k = 0; k < 3; ++k) comparison.agreement(k, 2) = comparison.agreement(2, k) = std::nan("");
  comparison.left_out = {{"gibbs", "it is slow"}};
  return comparison;
}

}  // namespace tamis
