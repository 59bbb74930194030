// Families that are not tamis's own: exponential waiting times, with no more than every family must have, and the same
// with a noise variance, which factor models cannot estimate.
#pragma once

#include <cmath>
#include <limits>

#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

/// y > 0 with mean e^eta; loss y e^-eta + eta.
class WaitingTimes : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "waiting"};
    return traits;
  }
  void check(std::span<const double> y, std::span<const double>) const override {
    for (const double value : y) {
      if (!complaint(value).empty()) throw InvalidInput("response: a waiting time is not above 0");
    }
  }
  std::string_view complaint(double value) const override { return value > 0 ? "" : "expects positive numbers"; }
  double loss(double y, double eta) const override { return y * std::exp(-eta) + eta; }
  double log_density(double y, double eta) const override { return -loss(y, eta); }
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override {
    for (Index i = 0; i < std::ssize(y); ++i) {
      curvature[i] = y[i] * std::exp(-eta[i]);
      residual[i] = curvature[i] - 1;
    }
  }
  double quadratic(std::span<const double> y, std::span<const double> eta, std::span<const double>,
                   std::span<double> weights, std::span<double> working) const override {
    double constant = 0;
    for (Index i = 0; i < std::ssize(y); ++i) {
      weights[i] = y[i] * std::exp(-eta[i]);
      working[i] = eta[i] + (weights[i] - 1) / weights[i];
      constant += log_density(y[i], eta[i]) + 0.5 * weights[i] * (working[i] - eta[i]) * (working[i] - eta[i]);
    }
    return constant;
  }
  double conjugate(double y, double residual) const override {
    const double u = 1 + residual;  // y e^-eta where it is attained
    return u > 0 ? u * std::log(u / y) - u : u < 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  double mean(double eta) const override { return std::exp(eta); }
  double link(double mean) const override { return std::log(mean); }
  double deviance(double y, double eta) const override { return 2 * (loss(y, eta) - 1 - std::log(y)); }
  Interval interval(double mean, double, double level) const override {
    return {-mean * std::log(0.5 * (1 + level)), -mean * std::log(0.5 * (1 - level))};
  }
  double draw(double eta, double, RandomStream& random) const override {
    return -std::exp(eta) * std::log(1 - random.uniform01());
  }
};

class NoisyWaitingTimes final : public WaitingTimes {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "noisy-waiting", .has_noise = true};
    return traits;
  }
};

inline const bool waiting_times_are_registered = [] {
  static const WaitingTimes waiting;
  static const NoisyWaitingTimes noisy;
  add_family(waiting);
  add_family(noisy);
  return true;
}();

}  // namespace tamis
