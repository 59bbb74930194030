// y is a count with log rate eta. Above a log rate of 300 (a rate of 1e130, where no data are) the exponential
// goes on as its own second-order Taylor polynomial: convex, twice differentiable, and nothing overflows when a
// solver oversteps. mean, link, loss, density, deviance and conjugate all follow it consistently.
#pragma once

#include "tamis/family/family.hpp"

namespace tamis {

class Poisson final : public Likelihood {
 public:
  std::string_view name() const override { return "poisson"; }
  bool quadratic_is_bound() const override { return false; }
  void check(std::span<const double> y, std::span<const double> weights) const override;
  double quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double> eta_variance,
                   std::span<double> weights, std::span<double> working) const override;
  double log_density(double y, double eta) const override;
  double loss(double y, double eta) const override;
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override;
  double conjugate(double y, double residual) const override;
  double mean(double eta) const override;
  double link(double mean) const override;
  double deviance(double y, double eta) const override;

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override;
};

}  // namespace tamis
