// Convergence diagnostics of Markov chains: split R-hat and effective sample size as in Vehtari, Gelman, Simpson,
// Carpenter & Bürkner, Bayesian Analysis 16 (2021), without rank normalization.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// Mean and variance (divisor count - 1) of one piece of a chain.
struct PieceMoments {
  double count = 0;
  double mean = 0;
  double variance = 0;
};

/// Potential scale reduction from pieces of equal standing (halves of chains); 1 if nothing varies, +infinity if the
/// pieces vary between but not within, NaN-free. At least two pieces of two draws, or 1.
double potential_scale_reduction(std::span<const PieceMoments> pieces);

/// Of chains of equal length, each cut into halves.
/// Below 1.01 chains have mixed well (Vehtari et al.); 1 if nothing varies.
double split_rhat(std::span<const std::vector<double>> chains);

/// Number of independent draws that would give the mean as exactly, by Geyer's initial monotone sequence over all
/// chains; at most count * log10(count), which antithetic chains may reach. As many as there are if nothing varies.
double effective_sample_size(std::span<const std::vector<double>> chains);

}  // namespace tamis
