// Dual averaging: a step size that makes Hamiltonian Monte Carlo accept a given share of its proposals. Hoffman &
// Gelman, "The No-U-Turn Sampler", JMLR 15 (2014), section 3.2.
#pragma once

#include <cmath>
#include <vector>

namespace tamis::factor {

class StepSize {
 public:
  StepSize(double first, double target)
      : log_first_(std::log(10 * first)), target_(target), log_step_(std::log(first)) {}

  // gamma, t0 and kappa of the paper: little memory of the first steps, where chains are far from the posterior;
  // averaging with t^-kappa forgets them. log(10 first) is the point shrunk towards: large steps are tried, since they
  // are cheap to refuse and small ones cost the same as large ones.
  /// To use now: exploring while it adapts, the average afterwards.
  double value(bool adapting) const { return std::exp(adapting || count_ == 0 ? log_step_ : log_average_); }

  /// The mean acceptance probability of the last proposals. Eq. 6.
  void learn(double acceptance) {
    constexpr double gamma = 0.05, offset = 10, kappa = 0.75;
    ++count_;
    const double weight = 1 / (count_ + offset);
    error_ = (1 - weight) * error_ + weight * (target_ - acceptance);
    log_step_ = log_first_ - std::sqrt(count_) / gamma * error_;
    const double forget = std::pow(count_, -kappa);
    log_average_ = forget * log_step_ + (1 - forget) * log_average_;
  }

  std::vector<double> memory() const { return {log_step_, log_average_, error_, count_}; }
  void remember(const double* memory) {
    log_step_ = memory[0];
    log_average_ = memory[1];
    error_ = memory[2];
    count_ = memory[3];
  }

 private:
  double log_first_, target_;
  double log_step_, log_average_ = 0, error_ = 0, count_ = 0;
};

}  // namespace tamis::factor
