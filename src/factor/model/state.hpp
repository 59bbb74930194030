// One point in the space of a factor model: what a sampler draws and an optimizer improves.
#pragma once

#include <vector>

#include "base/checkpoint.hpp"
#include "factor/model/cells.hpp"
#include "tamis/base/index.hpp"

namespace tamis::factor {

struct FactorState {
  FactorState() = default;
  FactorState(const Cells& cells, Index factor_count, bool has_intercept);

  Index rows = 0;
  Index cols = 0;
  Index factors = 0;
  bool intercept = true;
  std::vector<double> scores;      ///< V, rows x factors, row by row; 0: in the spike
  std::vector<double> loadings;    ///< Theta, row by row; the intercept, if there is one, is the last row
  std::vector<double> inclusion;   ///< pi of each factor: prior probability that a score is not 0
  std::vector<double> means;       ///< mu of active scores
  std::vector<double> precisions;  ///< tau of active scores: one over their variance under the prior
  double noise_variance = 1;       ///< stays 1 if the family has no noise

  /// Rows of `loadings`: the factors and the intercept.
  Index lines() const { return factors + (intercept ? 1 : 0); }
  double* score_row(Index n) { return scores.data() + n * factors; }
  const double* score_row(Index n) const { return scores.data() + n * factors; }
  double* loading_row(Index k) { return loadings.data() + k * cols; }
  const double* loading_row(Index k) const { return loadings.data() + k * cols; }
  /// psi of a whole row into `out` (cols entries).
  void predictor_row(Index n, double* out) const;
  /// psi of a whole column into `out` (rows entries).
  void predictor_column(Index d, double* out) const;
  double predictor(Index n, Index d) const;
  Index active() const;  ///< scores that are not 0
  /// For checkpoints.
  void exchange(Archive& archive);
};

/// log p(x | psi) with all constants, on the working scale.
double log_density(const Cells& cells, double x, double psi, double noise_variance);
/// Of all observed cells; in parallel, the same for any number of threads.
double log_likelihood(const Cells& cells, const FactorState& state);
/// Sum over observed cells of (x - psi)^2.
double residual_squares(const Cells& cells, const FactorState& state);

}  // namespace tamis::factor
