#include <cmath>

#include "experiments/relevance/experiments.hpp"

namespace tamis::experiments::relevance {

Fit plain_fit(const Trial& trial, Recorder& record, const Simulation& drawn, const std::string& label,
              std::string_view method, const std::map<std::string, OptionValue>& options) {
  const DenseDesign X(drawn.train.X);
  const Matrix& y = drawn.train.y;
  Problem problem{.X = X, .y = y.column(0), .likelihood = family("gaussian"), .intercept = false, .standardize = false};
  if (y.cols() > 1) problem.more_responses = ConstMatrixView(y.col(1), y.rows(), y.cols() - 1);
  const Control control{.seed = trial.seed, .threads = 1, .observer = trial.observer};
  Fit result = tamis::fit(problem, method, options, control);
  record.ended(label, result.status == Status::converged);
  return result;
}

double relative_error(const Fit& fit, const Truth& truth) {
  double error = 0, size = 0;
  for (Index l = 0; l < truth.coefficients.cols(); ++l) {
    const std::vector<double>& b = l == 0 ? fit.coefficients : fit.more_targets[l - 1].coefficients;
    for (Index j = 0; j < truth.coefficients.rows(); ++j) {
      error += std::pow(b[j] - truth.coefficients(j, l), 2);
      size += std::pow(truth.coefficients(j, l), 2);
    }
  }
  return std::sqrt(error / size);
}

}  // namespace tamis::experiments::relevance
