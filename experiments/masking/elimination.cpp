#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "experiments/masking/experiments.hpp"

namespace tamis::experiments::masking {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct LeastSquares {
  MatrixXd inverse;  // of X'X
  VectorXd weights;
  double square = 0;  // of the residual
};

LeastSquares least_squares(const SimulatedSet& set) {
  const Eigen::Map<const MatrixXd> X(set.X.col(0), set.X.rows(), set.X.cols());
  const Eigen::Map<const VectorXd> y(set.y.col(0), set.y.rows());
  LeastSquares fit;
  fit.inverse = (X.transpose() * X).llt().solve(MatrixXd::Identity(X.cols(), X.cols()));
  fit.weights = fit.inverse * (X.transpose() * y);
  fit.square = (y - X * fit.weights).squaredNorm();
  return fit;
}

}  // namespace

std::vector<double> backward_elimination(const SimulatedSet& set, double noise_variance) {
  LeastSquares fit = least_squares(set);
  const auto n = static_cast<double>(set.rows());
  const Index p = set.cols();
  // BIC without what all models share.
  const auto misfit = [&](double square) {
    return std::isnan(noise_variance) ? n * std::log(square / n) : square / noise_variance;
  };
  std::vector<bool> in(p, true);
  for (;;) {
    Index weakest = -1;
    double least = HUGE_VAL;
    for (Index j = 0; j < p; ++j) {
      if (!in[j]) continue;
      const double cost = fit.weights[j] * fit.weights[j] / fit.inverse(j, j);
      if (cost < least) {
        least = cost;
        weakest = j;
      }
    }
    if (weakest < 0 || misfit(fit.square + least) - misfit(fit.square) >= std::log(n)) break;
    const VectorXd column = fit.inverse.col(weakest);
    const double corner = column[weakest];
    fit.weights -= column * (fit.weights[weakest] / corner);
    fit.inverse -= column * column.transpose() / corner;
    fit.weights[weakest] = 0;
    fit.square += least;
    in[weakest] = false;
  }
  std::vector<double> coefficients(fit.weights.begin(), fit.weights.end());
  for (Index j = 0; j < std::ssize(coefficients); ++j) {
    if (!in[j]) coefficients[j] = 0;
  }
  return coefficients;
}

double unbiased_noise(const SimulatedSet& set) {
  return least_squares(set).square / static_cast<double>(set.rows() - set.cols());
}

std::vector<double> plain_coefficients(const Trial& trial, Recorder& record, const Simulation& drawn,
                                       const std::string& label, std::string_view method,
                                       const std::map<std::string, OptionValue>& options, int folds, bool intercept) {
  const DenseDesign X(drawn.train.X);
  const Problem problem{.X = X,
                        .y = drawn.train.y.column(0),
                        .likelihood = family("gaussian"),
                        .intercept = intercept,
                        .standardize = false};
  const Control control{.seed = trial.seed, .threads = 1, .folds = folds, .observer = trial.observer};
  const Fit found = tamis::fit(problem, method, options, control);
  record.ended(label, found.status == Status::converged);
  return found.coefficients;
}

MaskData plain_data(const Simulation& drawn) {
  const auto y = drawn.train.y.column(0);
  return {family("gaussian"),
          MaskMatrix(drawn.train.X),
          {y.begin(), y.end()},
          {},
          std::vector<double>(y.size(), 1.0),
          false};
}

}  // namespace tamis::experiments::masking
