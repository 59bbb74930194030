// Posterior means, deviations, Monte Carlo standard errors and R-hat from the tallies of all chains.
//
// Standard error  the larger of two estimates: nonoverlapping batch means over all chains, and the spread of the chain
//                 means. Batches of about sqrt(samples) sweeps are too short where a chain hardly moves; then the
//                 chains differ, and the second estimate shows it.
// Effective size  variance / squared standard error; above the number of draws where Rao-Blackwellization tells more
#include "method/gibbs/summary.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr double largest_rhat = 1e6;

// Squared standard error of the overall mean: variance of the batch means / batches, or variance of the chain means /
// chains, whichever is larger. One batch or one chain gives no estimate of its
// kind.
double squared_error(double batches, double sum, double squares, std::span<const double> chain_means) {
  double error = 0;
  if (batches > 1) error = std::max(0.0, squares - sum * sum / batches) / (batches * (batches - 1));
  const auto chains = static_cast<double>(chain_means.size());
  if (chains < 2) return error;
  double mean = 0, between = 0;
  for (const double m : chain_means) mean += m / chains;
  for (const double m : chain_means) between += (m - mean) * (m - mean);
  return std::max(error, between / (chains * (chains - 1)));
}

}  // namespace

FeatureSummary summarize_features(std::span<const Tally> tallies, Index features) {
  FeatureSummary summary;
  const auto draws = static_cast<double>(tallies.front().recorded() * std::ssize(tallies));
  std::vector<double> inclusions, means;
  std::vector<PieceMoments> inclusion_halves, mean_halves;
  for (Index j = 0; j < features; ++j) {
    FeatureSums sums;
    Tally::Batches batches;
    inclusions.clear(), means.clear(), inclusion_halves.clear(), mean_halves.clear();
    for (const Tally& tally : tallies) {
      const FeatureSums total = tally.total(j);
      const Tally::Batches of_chain = tally.batches(j);
      const auto recorded = static_cast<double>(tally.recorded());
      sums.inclusion += total.inclusion;
      sums.mean += total.mean;
      sums.square += total.square;
      batches.count += of_chain.count;
      batches.inclusion += of_chain.inclusion;
      batches.inclusion_square += of_chain.inclusion_square;
      batches.mean += of_chain.mean;
      batches.mean_square += of_chain.mean_square;
      inclusions.push_back(total.inclusion / recorded);
      means.push_back(total.mean / recorded);
      for (const int half : {0, 1}) {
        inclusion_halves.push_back(tally.half_of_inclusion(j, half));
        mean_halves.push_back(tally.half_of_mean(j, half));
      }
    }
    const double mean = sums.mean / draws;
    const double variance = std::max(0.0, sums.square / draws - mean * mean);
    const double error = squared_error(batches.count, batches.mean, batches.mean_square, means);
    summary.inclusion.push_back(std::clamp(sums.inclusion / draws, 0.0, 1.0));
    summary.mean.push_back(mean);
    summary.deviation.push_back(std::sqrt(variance));
    summary.inclusion_error.push_back(
        std::sqrt(squared_error(batches.count, batches.inclusion, batches.inclusion_square, inclusions)));
    // Chains stuck at different values have an infinite R-hat, which JSON cannot hold.
    summary.rhat.push_back(std::min(
        largest_rhat, std::max(potential_scale_reduction(inclusion_halves), potential_scale_reduction(mean_halves))));
    summary.effective.push_back(error > 0 ? variance / error : draws);
  }
  return summary;
}

std::vector<std::vector<double>> chains_of(std::span<const Tally> tallies, SeriesName which) {
  std::vector<std::vector<double>> chains;
  for (const Tally& tally : tallies) chains.push_back(tally.series().*which);
  return chains;
}

double mean_of(std::span<const Tally> tallies, SeriesName which) {
  double mean = 0;
  for (const Tally& tally : tallies) {
    const std::vector<double>& chain = tally.series().*which;
    for (const double x : chain) mean += x / static_cast<double>(chain.size() * tallies.size());
  }
  return mean;
}

double median_of(std::span<const Tally> tallies, SeriesName which) {
  std::vector<double> all;
  for (const Tally& tally : tallies)
    all.insert(all.end(), (tally.series().*which).begin(), (tally.series().*which).end());
  const auto middle = all.begin() + std::ssize(all) / 2;
  std::ranges::nth_element(all, middle);
  return *middle;
}

std::vector<TracePoint> trace_of(std::span<const Tally> tallies, Index burn_in, double objective_shift) {
  const Index recorded = tallies.front().recorded();
  const Index points = std::min<Index>(50, recorded);
  std::vector<TracePoint> trace;
  for (Index k = 0; k < points; ++k) {
    const Index first = k * recorded / points, last = (k + 1) * recorded / points;
    const double count = static_cast<double>((last - first) * std::ssize(tallies));
    double objective = objective_shift, size = 0;
    for (const Tally& tally : tallies) {
      for (Index i = first; i < last; ++i) {
        objective += tally.series().log_likelihood[i] / count;
        size += tally.series().size[i] / count;
      }
    }
    const double change = trace.empty() ? 0.0 : objective - trace.back().objective;
    trace.push_back({burn_in + last, objective, change, std::lround(size), 0});
  }
  return trace;
}

}  // namespace tamis
