// Estimates and Monte Carlo errors from weighted sums.
//
// Pooled     sums over all chains / sum of weights
// Error      se_j = sqrt(V_j / chains), V_j the variance of a chain's own inclusion probability pi_jm: the larger of
//              the variance over the chains, with chains - 1 degrees of freedom, and
//              the mean of that and of what the two parts of every chain say, d^2 f (1 - f), d their difference and f
//              the share of the first, weighted by degrees of freedom.
//            Four chains agree by accident now and then; that their parts do so too is rarer. The first alone counts
//            where chains sit in different modes. A single chain is judged by its parts.
// R-hat      sqrt(1 + var over m (pi_jm) / max(pi_j (1 - pi_j), .001)): reported, no criterion
#include "method/bvs/summary.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

// What one chain says of the inclusion of a feature.
struct ChainInclusion {
  double weight = 0;  // of all its states
  double mean = 0;
  double variance = 0;  // of the mean, by the difference of its two parts
};

ChainInclusion inclusion_of(const BvsChain& chain, Index j) {
  const WeightedSums &first = chain.tally().previous(), &second = chain.tally().current();
  ChainInclusion result{.weight = first.weight + second.weight};
  result.mean = (first.inclusion[j] + second.inclusion[j]) / result.weight;
  if (!(first.weight > 0 && second.weight > 0)) return result;
  const double share = first.weight / result.weight;
  const double difference = first.inclusion[j] / first.weight - second.inclusion[j] / second.weight;
  result.variance = difference * difference * share * (1 - share);
  return result;
}

// Visits the sums of all chains.
template <class Visit>
void visit_sums(std::span<const BvsChain> chains, const Visit& visit) {
  for (const BvsChain& chain : chains) {
    visit(chain.tally().previous());
    visit(chain.tally().current());
  }
}

}  // namespace

double InclusionSummary::largest_error() const { return error.empty() ? 0.0 : std::ranges::max(error); }

InclusionSummary summarize_inclusion(std::span<const BvsChain> chains) {
  const auto count = static_cast<double>(chains.size());
  const Index p = std::ssize(chains.front().tally().current().inclusion);
  double total = 0;
  for (const BvsChain& chain : chains) total += chain.tally().weight();
  InclusionSummary summary{std::vector<double>(p), std::vector<double>(p), std::vector<double>(p, 1.0)};
  std::vector<double> means(chains.size());
  for (Index j = 0; j < p; ++j) {
    double pooled = 0, mean = 0, within = 0, between = 0;
    for (Index m = 0; m < std::ssize(chains); ++m) {
      const ChainInclusion own = inclusion_of(chains[m], j);
      pooled += own.weight / total * own.mean;
      mean += own.mean / count;
      within += own.variance / count;
      means[m] = own.mean;
    }
    for (const double own : means) between += (own - mean) * (own - mean) / std::max(count - 1, 1.0);
    const double both = ((count - 1) * between + count * within) / (2 * count - 1);
    const double variance = std::max(between, both);
    summary.inclusion[j] = std::clamp(pooled, 0.0, 1.0);
    summary.error[j] = std::sqrt(variance / count);
    summary.rhat[j] = std::sqrt(1 + variance / std::max(pooled * (1 - pooled), 0.001));
  }
  return summary;
}

MomentSummary summarize_moments(std::span<const BvsChain> chains) {
  const Index p = std::ssize(chains.front().tally().current().mean);
  MomentSummary summary{std::vector<double>(p), std::vector<double>(p)};
  double total = 0;
  visit_sums(chains, [&](const WeightedSums& sums) { total += sums.moment_weight; });
  if (!(total > 0)) return summary;
  visit_sums(chains, [&](const WeightedSums& sums) {
    for (Index j = 0; j < p; ++j) {
      summary.mean[j] += sums.mean[j] / total;
      summary.deviation[j] += sums.square[j] / total;
    }
    summary.intercept += sums.intercept / total;
    summary.noise_variance += sums.noise / total;
    summary.log_likelihood += sums.log_likelihood / total;
    summary.log_scale += sums.log_scale / total;
  });
  for (Index j = 0; j < p; ++j) {
    summary.deviation[j] = std::sqrt(std::max(0.0, summary.deviation[j] - summary.mean[j] * summary.mean[j]));
  }
  return summary;
}

SizeSummary summarize_size(std::span<const BvsChain> chains) {
  std::vector<double> sizes;
  double total = 0;
  visit_sums(chains, [&](const WeightedSums& sums) {
    sizes.resize(std::max(sizes.size(), sums.sizes.size()), 0.0);
    for (Index k = 0; k < std::ssize(sums.sizes); ++k) {
      sizes[k] += sums.sizes[k];
      total += sums.sizes[k];
    }
  });
  SizeSummary summary;
  double below = 0;
  bool open = true;
  for (Index k = 0; k < std::ssize(sizes); ++k) {
    summary.mean += static_cast<double>(k) * sizes[k] / total;
    if (below <= 0.025 * total) summary.lower = k;
    below += sizes[k];
    if (open) summary.upper = k;
    if (below >= 0.975 * total) open = false;
  }
  return summary;
}

double share_of_weights(std::span<const BvsChain> chains, Index states) {
  double weight = 0, squares = 0;
  visit_sums(chains, [&](const WeightedSums& sums) {
    weight += sums.weight;
    squares += sums.square_weight;
  });
  return squares > 0 && states > 0 ? weight * weight / squares / static_cast<double>(states) : 1.0;
}

}  // namespace tamis
