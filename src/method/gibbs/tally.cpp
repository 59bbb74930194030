// Running sums of a chain: batches for standard errors, halves for split R-hat, whole series of a few scalars.
//
// Memory     per feature a fixed number of sums, whatever the number of draws: draws of p coefficients are kept only on
//            request (ChainDraws)
// Estimates  sums of E[s_j | rest], E[b_j | rest] and E[b_j^2 | rest] in place of the draws (Rao-Blackwell): a smaller
//            variance, and inclusion probabilities far below 1 / samples
// Batches    an even number, about sqrt(samples), that divides the sweeps as evenly as integers allow, so that a half
//            is a whole number of batches and one set of sums serves both
#include "method/gibbs/tally.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

void add(FeatureSums& to, const FeatureSums& what) {
  to.inclusion += what.inclusion;
  to.inclusion_square += what.inclusion_square;
  to.mean += what.mean;
  to.mean_square += what.mean_square;
  to.square += what.square;
}

PieceMoments piece(double count, double sum, double squares) {
  if (count < 1) return {};
  const double mean = sum / count;
  return {count, mean, count > 1 ? std::max(0.0, squares - count * mean * mean) / (count - 1) : 0.0};
}

}  // namespace

Tally::Tally(Index features, Index samples)
    : samples_(samples),
      batch_count_(std::max<Index>(1, 2 * static_cast<Index>(0.5 * std::sqrt(static_cast<double>(samples))))),
      open_(features),
      halves_{std::vector<FeatureSums>(features), std::vector<FeatureSums>(features)},
      batches_(features) {}

void Tally::record(const Chain& chain) {
  const std::span<const Conditional> conditionals = chain.conditionals();
  for (Index j = 0; j < std::ssize(open_); ++j) {
    const Conditional& c = conditionals[j];
    FeatureSums& sums = open_[j];
    sums.inclusion += c.inclusion;
    sums.inclusion_square += c.inclusion * c.inclusion;
    sums.mean += c.mean;
    sums.mean_square += c.mean * c.mean;
    sums.square += c.square;
  }
  const ChainState& state = chain.state();
  series_.log_likelihood.push_back(chain.log_likelihood());
  series_.size.push_back(static_cast<double>(chain.included()));
  series_.intercept.push_back(state.intercept);
  series_.noise_variance.push_back(state.hyper.noise_variance);
  series_.slab_variance.push_back(state.hyper.slab_variance);
  series_.prior_inclusion.push_back(state.hyper.prior_inclusion);
  if (++recorded_ >= batch_end(batch_ + 1)) close_batch();
}

void Tally::exchange(Archive& archive) {
  archive.expect(samples_, "the number of samples");
  archive(batch_);
  archive(recorded_);
  archive(open_);
  for (std::vector<FeatureSums>& half : halves_) archive(half);
  archive(batches_);
  for (std::vector<double>* series : {&series_.log_likelihood, &series_.size, &series_.intercept,
                                      &series_.noise_variance, &series_.slab_variance, &series_.prior_inclusion}) {
    archive(*series);
  }
}

void Tally::close_batch() {
  const auto count = static_cast<double>(recorded_ - batch_end(batch_));
  std::vector<FeatureSums>& half = halves_[batch_ >= batch_count_ / 2 ? 1 : 0];
  for (Index j = 0; j < std::ssize(open_); ++j) {
    add(half[j], open_[j]);
    const double inclusion = open_[j].inclusion / count, mean = open_[j].mean / count;
    Batches& batches = batches_[j];
    batches.count += 1;
    batches.inclusion += inclusion;
    batches.inclusion_square += inclusion * inclusion;
    batches.mean += mean;
    batches.mean_square += mean * mean;
    open_[j] = {};
  }
  ++batch_;
}

FeatureSums Tally::half(Index feature, int half) const {
  FeatureSums sums = halves_[half][feature];
  if ((batch_ >= batch_count_ / 2 ? 1 : 0) == half) add(sums, open_[feature]);
  return sums;
}

double Tally::half_count(int half) const {
  const Index first = std::min(recorded_, batch_end(batch_count_ / 2));
  return static_cast<double>(half == 0 ? first : recorded_ - first);
}

FeatureSums Tally::total(Index feature) const {
  FeatureSums sums = half(feature, 0);
  add(sums, half(feature, 1));
  return sums;
}

PieceMoments Tally::half_of_inclusion(Index feature, int which) const {
  const FeatureSums sums = half(feature, which);
  return piece(half_count(which), sums.inclusion, sums.inclusion_square);
}

PieceMoments Tally::half_of_mean(Index feature, int which) const {
  const FeatureSums sums = half(feature, which);
  return piece(half_count(which), sums.mean, sums.mean_square);
}

Tally::Batches Tally::batches(Index feature) const { return batches_[feature]; }

}  // namespace tamis
