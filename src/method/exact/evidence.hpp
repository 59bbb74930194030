// The log evidence of a gaussian spike-and-slab regression, exactly, as a function of its hyperparameters, with the
// posterior averages that belong to it.
#pragma once

#include <vector>

#include "method/exact/subset_enumeration.hpp"
#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// The data as sums. Constant columns are left out. The response is in units of its own spread, so that nothing over-
/// or underflows; hyperparameters here are in these units too.
class Evidence {
 public:
  /// Throws InvalidInput if more than `most_features` columns vary. The problem must outlive it.
  Evidence(const Problem& problem, Index most_features);

  struct Value {
    double log_evidence = 0;
    SubsetAverage average;
    double expected_size = 0;      ///< E |s|
    double expected_squares = 0;   ///< E |b|^2
    double expected_residual = 0;  ///< E |y - X b|^2 / samples
  };
  /// p(y) = int p(y | s, b, b0) p(b | s) p(s), b0 having the density 1: with samples weighted n, noise as
  /// log N is (n - 1)/2 log(2 pi noise_variance) + 1/2 log n without features, because the intercept takes one.
  Value at(const SpikeAndSlab& model) const;

  Index features() const { return std::ssize(kept_); }
  double samples() const { return scale_.total_weight(); }
  /// Of the noise: samples less the intercept.
  double degrees_of_freedom() const { return samples() - (problem_.intercept ? 1 : 0); }
  /// Mean of the squared features: what a unit coefficient explains, in units of the response.
  double mean_curvature() const;
  /// One unit of the response here, in original units.
  double unit() const { return unit_; }
  bool response_is_constant() const { return mean_square_ == 0; }
  /// Intercept, coefficients, deviations and inclusion on the original scale.
  void to_original(const SubsetAverage& average, Fit& fit) const;

 private:
  void center_response();

  const Problem& problem_;
  Standardization scale_;
  std::vector<Index> kept_;
  Matrix gram_;                      // X'WX, weights that sum to one
  std::vector<double> correlation_;  // X'Wy
  std::vector<double> response_;     // less offset and mean, in units of its spread
  double mean_ = 0;                  // of y - offset, original units
  double unit_ = 1;
  double mean_square_ = 1;  // of response_: 1, or 0 for a constant response
};

}  // namespace tamis
