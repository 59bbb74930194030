// Continuous spike and slab: w ~ N(0, slab_variance) with probability prior_inclusion, otherwise N(0, spike_variance).
// George & McCulloch (1993); here as in Naqvi et al., "Fast Laplace approximation for sparse Bayesian spike and slab
// models" (FLAS).
#pragma once

#include <span>

namespace tamis {

class TwoNormal {
 public:
  TwoNormal() = default;
  /// 0 < spike_variance < slab_variance, 0 < prior_inclusion < 1.
  TwoNormal(double prior_inclusion, double spike_variance, double slab_variance);

  double spike_variance() const { return spike_; }
  double slab_variance() const { return slab_; }
  double prior_inclusion() const { return inclusion_; }
  double prior_log_odds() const { return prior_log_odds_; }

  /// log of the density at w.
  double log_density(double w) const;
  /// Log odds and probability that w came from the slab.
  double log_odds(double w) const { return at_zero_ + contrast_ * w * w; }
  double slab_probability(double w) const;
  /// Expected 1 / variance of the component that w came from: d log density / dw = -precision(w) w. It falls with |w|,
  /// so a parabola of this curvature through w's slope lies above -log density everywhere.
  double precision(double w) const;
  /// |w| from which the slab is the more probable origin; 0 if it always is.
  double threshold() const { return threshold_; }
  /// Mean of slab_probability over w ~ N(mean, variance), to about 1e-10.
  double mean_slab_probability(double mean, double variance) const;
  /// The same for many; those whose variance is about the spike's, as most are in a fit, share what they can.
  void mean_slab_probabilities(std::span<const double> means, std::span<const double> variances,
                               std::span<double> out) const;

 private:
  double widest_step(double variance) const;
  double mean_by_steps(double mean, double sd, double step) const;
  double mean_by_pieces(double mean, double sd) const;

  double inclusion_ = 0.5, spike_ = 1e-4, slab_ = 1;
  double prior_log_odds_ = 0;
  double at_zero_ = 0;   // log odds at w = 0
  double contrast_ = 0;  // half the difference of the precisions
  double threshold_ = 0;
  double spike_constant_ = 0, slab_constant_ = 0;  // log of each part of the density at 0
  double pole_ = 0;                                // how far from the real line slab_probability is analytic
};

}  // namespace tamis
