// The work of `vg`: the path of the prior's log odds gamma, forward and backward, its choice, and the solution.
//
// Model      y = offset + b0 + sum_i s_i w_i x_i + noise, prior odds of s_i = 1: exp(gamma). Minimizes the free energy
//            F(m, w, beta; gamma), Eq. 7 of Kappen & Gomez, Machine Learning 96 (2014); bernoulli by the
//            Jaakkola-Jordan bound of the likelihood
// Note       F lacks the prior's normalization p log(1 + exp(gamma)): it compares solutions at one gamma, never two
//            gammas. That is why gamma needs held-out rows; pmf, which has the bound itself, does not.
#pragma once

#include <optional>

#include "tamis/method/method.hpp"

namespace tamis {

enum class GarroteSolver { coordinate, primal, dual };

/// Prior odds of e^100: more includes nothing more.
inline constexpr double largest_gamma = 100;

struct GarroteRequest {
  std::optional<double> gamma = {};  ///< fixed: no search
  std::optional<double> noise_precision = {};
  Index steps = 50;
  double epsilon = 1e-3;
  GarroteSolver solver = GarroteSolver::coordinate;
  double slab_variance = 0;  ///< > 0: log odds are corrected for a slab of this width
  bool one_standard_error = false;
  double tolerance = 1e-5;
};

Fit fit_garrote(const Problem& problem, const GarroteRequest& request, const Control& control);

}  // namespace tamis
