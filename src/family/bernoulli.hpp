// y is 0 or 1 with log odds eta. The quadratic is the bound of Jaakkola & Jordan (2000), which is also what
// Polya-Gamma augmentation gives: below the log density everywhere, touching it at eta = +-xi.
#pragma once

#include "tamis/family/family.hpp"

namespace tamis {

class Bernoulli final : public Likelihood {
 public:
  std::string_view name() const override { return "bernoulli"; }
  bool quadratic_is_bound() const override { return true; }
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
