// The algorithms of Bayesian Masking: what is updated after what until nothing moves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "method/masking/mask_state.hpp"
#include "tamis/base/observer.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

/// em: Algorithm 1. collapsed: as em, but the rate of each feature is solved for together with its masks; a dying rate
/// then dies at once, where em moves it by (1 - pi) / (2 N) per iteration; with SQUAREM. eg: gradient steps instead of
/// em's closed forms for weights and rates. hybrid: Algorithm 2, em for `switch_after` iterations, then eg.
enum class MaskAlgorithm { collapsed, hybrid, em, eg };

struct MaskRequest {
  MaskAlgorithm algorithm = MaskAlgorithm::collapsed;
  std::optional<double> noise_variance = {};
  std::optional<double> delta = {};  ///< rate below which a feature is pruned; not given: 1 / (2 N)
  double tolerance = 1e-3;  ///< of N |change of a rate| and of |change of a weight| in its own standard deviations
  std::optional<Index> max_iterations = {};
  Index switch_after = 200;    ///< T of hybrid
  double learning_rate = 0.1;  ///< of eg, in units of 1 / (N noise_precision) for a weight of a column of unit size
  bool reparametrize = true;   ///< eg's steps in (beta, beta pi)
};

struct MaskResult {
  Status status = Status::converged;
  std::vector<TracePoint> trace;
  double certificate = 0;  ///< the last change, in the units of `tolerance`
  Index pruned = 0;
};

/// Maximizes from the current state. Reports to `observer` (may be nullptr) and polls it after every iteration.
MaskResult maximize_criterion(MaskState& state, const MaskRequest& request, Observer* observer);

}  // namespace tamis
