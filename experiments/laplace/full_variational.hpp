// Variational Bayes for the continuous spike and slab with the whole covariance of the coefficients (the method "VB" of
// the paper; after Zhe, Naqvi, Yang & Qi 2013, Bioinformatics 29): q(w) = N(mean, covariance), q(z_j) and q(s_j)
// factorized. For comparison with flas, not a method of tamis: ep costs as much per sweep and is closer to the
// posterior.
#pragma once

#include <optional>

#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {

/// What is not given: noise and slab are learned with the rest, the spike is 1e-4 of the slab that it begins with,
/// prior_inclusion .35 or the root of rows / features if less.
struct FullVariationalRequest {
  std::optional<double> prior_inclusion = {}, spike_variance = {}, slab_variance = {}, noise_variance = {};
};

/// Gaussian responses and two classes (Jaakkola & Jordan's bound). The spike is narrowed from a tenth of the slab in
/// steps of ten: begun at its own width the ascent ends where it begins.
Fit fit_full_variational(const Problem& problem, const FullVariationalRequest& request, const Control& control);

}  // namespace tamis::experiments::laplace
