// Factors have no order and no sign: before draws are averaged for display, the factors of each are matched to the
// average so far (largest total cosine between the rank-one matrices v_k theta_k') and given its signs and lengths.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/checkpoint.hpp"
#include "factor/model/state.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis::factor {

/// For a square matrix of gains the column of each row such that the sum of gains is largest; one that is not finite
/// counts as 0. O(n^3).
std::vector<Index> best_assignment(const Matrix& gain);

/// Scores by row and factor, wherever they are kept: another copy would be as large as the result itself.
struct ScoreTable {
  std::function<double(Index n, Index k)> score;
  std::function<double(Index n, Index k)> inclusion = {};  ///< empty: the prior has no spike
};

/// How factors are shown: largest share of the predictor first, with a positive largest loading.
struct DisplayOrder {
  std::vector<Index> places;  ///< the factor in each place
  std::vector<double> signs;
};
DisplayOrder display_order(const FactorState& state, const ScoreTable& table);

/// Averages of factors over matched draws.
class FactorAverage {
 public:
  FactorAverage() = default;
  explicit FactorAverage(const FactorState& shape);

  void add(const FactorState& draw);
  /// The draws of another average, matched as a whole.
  void merge(FactorAverage&& other);
  Index draws() const { return draws_; }
  /// Means of loadings, hyperparameters and noise; its scores are empty.
  FactorState mean() const;
  /// Means of scores, and the share of draws in which they are not 0. Refers to this average.
  ScoreTable scores() const;

  /// For checkpoints: everything that add() changes.
  void exchange(Archive& archive);

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  Index factors_ = 0;
  bool has_intercept_ = false;
  // Sums over draws, rows x factors, row by row. As small as display allows: they are as large as the scores.
  std::vector<float> scores_;
  std::vector<std::uint32_t> active_;
  std::vector<double> loadings_;  // factors x cols
  std::vector<double> hyper_;     // inclusion, mean, variance of each factor
  std::vector<double> intercept_;
  double noise_variance_ = 0;
  Index draws_ = 0;
};

}  // namespace tamis::factor
