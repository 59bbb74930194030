// The joint normal posterior of all coefficients and the intercept, given independent normal priors and weighted
// gaussian rows: one step of full variational Bayes.
#pragma once

#include <span>
#include <vector>

#include "problem/scaled_response.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

/// What a round makes of the coefficients; the intercept has a flat prior of density 1.
struct JointNormalStep {
  std::vector<double> mean, variance;  ///< of each kept feature
  double intercept = 0;
  std::vector<double> fit;           ///< mean of the predictor of each row, without offset
  std::vector<double> fit_variance;  ///< if asked for; 0 where the information is 0
  double effective = 0;              ///< sum of information times fit variance: parameters that the rows determine
  double log_mass = 0;  ///< log of the integral of exp(-1/2 sum information (working - predictor)^2) over the prior
};

class JointNormal {
 public:
  /// `wants_fit_variance`: for losses whose quadratic form depends on it.
  JointNormal(const ScaledProblem& scaled, bool wants_fit_variance)
      : scaled_(scaled), wants_fit_variance_(wants_fit_variance) {}

  /// `scale`: of the information, where it is the weights times a number; 0: it is not. Throws NumericalFailure.
  JointNormalStep step(std::span<const double> information, std::span<const double> working,
                       std::span<const double> prior_variance, double scale);

 private:
  JointNormalStep by_rows(std::span<const double> information, std::span<const double> working,
                          std::span<const double> prior_variance) const;
  JointNormalStep by_features(std::span<const double> information, std::span<const double> working,
                              std::span<const double> prior_variance, double scale);
  std::vector<double> variances_by_rows(const Matrix& factor, std::span<const double> root, std::span<const double> u,
                                        double t, std::span<const double> prior_variance) const;
  Matrix precision(std::span<const double> information, double scale);
  void add_fit_variances(const Matrix& covariance, std::span<const double> means, double total,
                         JointNormalStep& out) const;
  void finish(std::span<const double> information, std::span<const double> working,
              std::span<const double> prior_variance, JointNormalStep& out) const;

  const ScaledProblem& scaled_;
  bool wants_fit_variance_;
  Matrix gram_;  // X'WX at the weights, once it is known
};

}  // namespace tamis
