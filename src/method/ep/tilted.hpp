// The step of expectation propagation: a factor times the approximation of all others (the cavity, a normal density),
// and the mass, mean and variance of that product.
#pragma once

#include <algorithm>

#include "prior/hyper_prior.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

/// A normal density of one variable by its natural parameters, also the ratio of two: precision may be negative then.
struct NaturalParameters {
  double precision = 0;
  double natural_mean = 0;  ///< precision times mean
};

/// Of the spike-and-slab prior.
struct TiltedPrior : TiltedNormal {
  double inclusion = 0;
  double slab_square = 0;  ///< mean of the squared coefficient given the slab
};

/// cavity.precision > 0.
TiltedPrior tilt_prior(const SpikeSlabHyper& hyper, const NaturalParameters& cavity);

/// Of a row of that family, at a linear predictor offset + eta, eta ~ cavity; its density to a power in (0, 1].
TiltedNormal tilted_row(const Family& family, double y, double power, double offset, const NaturalParameters& cavity);

/// A row that counts `weight` times is so many copies of one factor, each with a site of its own (they are equal); a
/// row that counts less than once is one factor to that power.
struct SitePower {
  explicit SitePower(double weight) : power(std::min(weight, 1.0)), count(std::max(weight, 1.0)) {}
  double power;
  double count;
};

/// What a factor is replaced by: the normal that turns the cavity into one of the tilted mean and variance.
NaturalParameters site_of(const TiltedNormal& tilted, const NaturalParameters& cavity);

/// Log of the constant of that replacement, so that cavity times site has the tilted mass.
double log_scale(const TiltedNormal& tilted, const NaturalParameters& cavity, const NaturalParameters& site);

}  // namespace tamis
