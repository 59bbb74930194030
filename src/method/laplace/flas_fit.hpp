// One fit of flas: request, search for what is not given, mode, posterior, and the Fit.
#pragma once

#include <optional>

#include "method/laplace/variances.hpp"
#include "prior/selection_prior.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

struct FlasRequest {
  bool joint = false;           ///< FLAS*: indicators and coefficients together
  bool start_at_ridge = false;  ///< the paper's start instead of a search by evidence
  bool collapsed = false;       ///< inclusion given the other indicators, coefficients integrated out
  bool by_cross_validation = false;
  std::optional<double> prior_inclusion, spike_variance, slab_variance, noise_variance;  ///< of the response's units
  std::optional<SelectionPrior> selection;  ///< then prior_inclusion is its mean
  bool inclusion_is_tuned = false;          ///< by a search, so that the empty model stays possible
  std::optional<HessianKind> hessian;
  NystromSets nystrom;
  double tolerance = 1e-6;

  /// Throws InvalidOption.
  FlasRequest(const Options& options, const Problem& problem);
};

/// A prior inclusion that is not given and not learned: sparse when p > n, where prior odds of 1 would make the
/// posterior dense.
double default_inclusion(double rows, double features);

/// Variances that are not given are chosen by evidence.
Fit fit_flas_once(const Problem& problem, const FlasRequest& request, const Control& control);
/// Or by the held-out error, if the request says so; so is the prior inclusion of families that do not learn it.
Fit fit_flas(const Problem& problem, const FlasRequest& request, const Control& control);

}  // namespace tamis
