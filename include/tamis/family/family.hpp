// Likelihood: how y is distributed given the linear predictor eta. A method that fits weighted gaussian data
// fits every likelihood through quadratic(); solvers that need the exact function use value() and derivatives().
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tamis {

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  /// "gaussian", "bernoulli", "poisson"
  virtual std::string_view name() const = 0;
  /// True when quadratic() lies below the log density everywhere (then a method may promise a monotone
  /// objective); false when it only touches it to second order.
  virtual bool quadratic_is_bound() const = 0;
  /// True when the loss is exactly quadratic in eta with constant curvature (gaussian).
  virtual bool is_quadratic() const { return false; }
  /// True when the response has a noise variance of its own.
  virtual bool has_noise() const { return false; }

  /// Throws InvalidInput naming the first row (plural from 1) that this family does not allow, and what to do.
  /// A response whose fit is undefined (one class, all zero counts, no row of positive weight) is refused too;
  /// a constant gaussian response is not: its fit is the intercept. Empty weights: all ones.
  virtual void check(std::span<const double> y, std::span<const double> weights) const = 0;

  /// Quadratic view at q(eta_i) = N(eta_mean_i, eta_variance_i) (empty variance: zeros): E log p(y|eta) is
  /// constant - 1/2 sum_i weights_i (working_i - eta_i)^2, below or near it. Returns the constant, the same for a
  /// point eta and for the mean over q, where (working_i - eta_i)^2 is (working_i - eta_mean_i)^2 + eta_variance_i.
  virtual double quadratic(std::span<const double> y, std::span<const double> eta_mean,
                           std::span<const double> eta_variance, std::span<double> weights,
                           std::span<double> working) const = 0;

  /// log p(y | eta) with all constants; gaussian at noise variance 1.
  virtual double log_density(double y, double eta) const = 0;
  /// Loss -log p(y | eta) without what does not depend on eta: 1/2 (y - eta)^2, log(1 + e^eta) - y eta, e^eta - y eta.
  virtual double loss(double y, double eta) const = 0;
  /// residual_i = -d loss / d eta, curvature_i = d^2 loss / d eta^2 (>= 0).
  virtual void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                           std::span<double> curvature) const = 0;
  /// Fenchel conjugate of the loss at -residual: sup over eta of (-residual * eta - loss). For duality gaps;
  /// +infinity outside its domain.
  virtual double conjugate(double y, double residual) const = 0;

  /// E[y | eta] and its inverse.
  virtual double mean(double eta) const = 0;
  virtual double link(double mean) const = 0;
  /// Deviance of one observation, 2 (saturated - fitted log likelihood).
  virtual double deviance(double y, double eta) const = 0;

  /// Sum of w_i loss(y_i, eta_i).
  /// Empty weights: ones.
  double total_loss(std::span<const double> y, std::span<const double> eta, std::span<const double> weights) const;

 protected:
  /// out_i = loss(y_i, eta_i): the inner loop of total_loss, for a kind that can do many at once.
  virtual void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const;
};

/// The likelihood of that name; throws InvalidOption listing the names.
const Likelihood& likelihood(std::string_view name);
/// All of them: the contract tests run over this list.
std::vector<const Likelihood*> likelihoods();
/// Whether the response has two different values among the rows of positive weight (empty weights: all rows).
bool response_varies(std::span<const double> y, std::span<const double> weights);
/// Throws InvalidInput with a sentence for people if it does not: for programs whose user surely meant another
/// column. Methods themselves accept a constant gaussian response.
void check_response_varies(std::span<const double> y, std::span<const double> weights);
/// The family a response looks like: two values 0/1 -> bernoulli, anything else -> gaussian. Counts are not
/// guessed: a response of small whole numbers may well be a score.
std::string_view guess_family(std::span<const double> y);

}  // namespace tamis
