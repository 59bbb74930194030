// Mean-field approximation of the spike-and-slab factor model: every score is zero or normal, every loading normal, all
// independent,
//   q(V, Theta) = prod_nk [phi_nk N(m_nk, s_nk) + (1 - phi_nk) delta_0] prod_kd N(M_kd, C_kd),
// at point estimates of pi, mu, tau and the noise. The objective is the evidence bound plus the log priors of those; it
// never falls where the family's quadratic model is a bound (bernoulli: Jaakkola & Jordan's); elsewhere, as for counts,
// each step is a Newton step.
// Predictors are made row by row and column by column: nothing is as large as the data.
#pragma once

#include <memory>
#include <vector>

#include "factor/model/predictive.hpp"
#include "factor/model/state.hpp"
#include "factor/sampling/slab.hpp"

namespace tamis::factor {

class MeanField {
 public:
  /// Begins around a state: its zero scores are unlikely, the others likely.
  MeanField(const Cells& cells, const SlabPrior& prior, FactorState start);

  void update_scores();
  void update_loadings();
  /// pi, mu, tau, noise: where the objective is largest.
  void update_hyper();
  double objective() const;

  /// Scores, loadings and hyperparameters as means.
  const FactorState& mean() const { return hyper_; }
  double inclusion(Index n, Index k) const { return probability_[n * hyper_.factors + k]; }
  double noise_variance() const { return hyper_.noise_variance; }
  Belief predictor(Index n, Index d) const;
  Index active() const;  ///< scores with probability above 1/2
  /// These give back memory. Without the scores' variances only mean(), inclusion() and active() may be asked, without
  /// the scores only the last two.
  void forget_variances() { slab_variance_ = std::vector<double>(); }  // = {} would keep it
  void forget_scores() { hyper_.scores = std::vector<double>(); }

 private:
  void update_row(Index n);
  void update_column(Index d);
  double row_objective(Index n) const;
  double column_objective(Index d) const;
  void row_belief(Index n, double* mean, double* variance) const;
  void column_belief(Index d, double* mean, double* variance) const;
  double slab_mean(std::size_t i) const {  // of an active score; of one that never is, nothing depends on it
    return probability_[i] > 0 ? hyper_.scores[i] / probability_[i] : 0;
  }
  double square(Index n, Index k) const {  // E v^2
    const Index i = n * hyper_.factors + k;
    return hyper_.scores[i] * slab_mean(i) + probability_[i] * slab_variance_[i];
  }

  const Cells& cells_;
  SlabPrior prior_;
  std::unique_ptr<const LoadingPrior> loading_prior_;
  FactorState hyper_;                                // scores: E v = phi m; loadings: M; and the point estimates
  std::vector<double> probability_, slab_variance_;  // phi and s, rows x factors, row by row
  std::vector<double> loading_variance_;             // C, as the loadings
};

}  // namespace tamis::factor
