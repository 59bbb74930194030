// What is remembered of a chain: running sums for every feature, so that memory does not grow with the number of draws,
// and the whole series of a few numbers. Features are summed by what is expected of them given all the others
// (Rao-Blackwell), which has a smaller variance than the draws themselves.
#pragma once

#include <vector>

#include "fit/chain_diagnostics.hpp"
#include "method/gibbs/chain.hpp"

namespace tamis {

/// Sums of one feature over some sweeps.
struct FeatureSums {
  double inclusion = 0;
  double inclusion_square = 0;
  double mean = 0;
  double mean_square = 0;  ///< of the conditional means
  double square = 0;       ///< mean of the squared coefficients
};

/// The numbers whose series are kept.
struct ChainSeries {
  std::vector<double> log_likelihood, size, intercept, noise_variance, slab_variance, prior_inclusion;
};

class Tally {
 public:
  /// `samples` sweeps will be recorded: an even number of batches, about the root of it.
  Tally(Index features, Index samples);

  void record(const Chain& chain);
  void exchange(Archive& archive);
  Index recorded() const { return recorded_; }
  const ChainSeries& series() const { return series_; }

  /// Of both halves; what is in the batch that is still open counts with its half.
  FeatureSums total(Index feature) const;
  PieceMoments half_of_inclusion(Index feature, int half) const;
  PieceMoments half_of_mean(Index feature, int half) const;

  /// Means of the batches that are complete: how many, and sums over them of mean and squared mean.
  struct Batches {
    double count = 0;
    double inclusion = 0, inclusion_square = 0;
    double mean = 0, mean_square = 0;
  };
  Batches batches(Index feature) const;

 private:
  void close_batch();
  Index batch_end(Index batch) const { return batch * samples_ / batch_count_; }
  FeatureSums half(Index feature, int half) const;
  double half_count(int half) const;

  Index samples_;
  Index batch_count_;
  Index batch_ = 0;  // the open one
  Index recorded_ = 0;
  std::vector<FeatureSums> open_;       // of the open batch
  std::vector<FeatureSums> halves_[2];  // of closed batches
  std::vector<Batches> batches_;
  ChainSeries series_;
};

}  // namespace tamis
