// Predictions of hidden cells from the draws of a posterior or from one approximate posterior.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/checkpoint.hpp"
#include "factor/model/state.hpp"

namespace tamis::factor {

using Belief = NormalBelief;

/// Averages over draws, cell by cell. NLP averages probabilities, not their logs.
class PredictiveTally {
 public:
  /// What is kept of every target: enough for the scores of test cells, or for predictions() too.
  enum class Keeps { scores, predictions };
  PredictiveTally(const Cells& cells, TargetList targets, Keeps keeps = Keeps::predictions);

  /// One draw.
  void add(const FactorState& state);
  /// A belief about every target instead of draws, from an approximate posterior or (variance 0) a point estimate. In
  /// parallel.
  void set(double noise_variance, const std::function<Belief(const TargetCell&)>& belief);
  /// The draws of another tally over the same targets.
  void merge(PredictiveTally&& other);

  std::span<const TargetCell> targets() const { return *targets_; }
  Index draws() const { return draws_; }
  /// Sum over test cells of -log2 of their average probability, on the original scale.
  double nlp_bits() const;
  double rmse() const;
  Index test_cells() const;
  /// All targets on the original scale, if it keeps enough.
  std::vector<PredictedCell> predictions() const;

  /// For checkpoints: what add() changes.
  void exchange(Archive& archive);

 private:
  Index size() const { return std::ssize(*targets_); }
  const TargetCell& target_at(Index i) const { return (*targets_)[i]; }
  void begin();
  double* cell(Index i);
  const double* cell(Index i) const;
  void set_cell(Index i, const Belief& psi, double noise_variance);
  double point(Index i) const;
  PredictedCell prediction(Index i) const;

  const Cells* cells_;
  TargetList targets_;
  Index numbers_;             // of each target
  std::vector<double> sums_;  // for each target, one after the other; empty before the first draw
  double noise_sum_ = 0;      // of noise variances
  Index draws_ = 0;
};

}  // namespace tamis::factor
