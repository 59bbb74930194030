#include "method/bvs/normal_scores.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "tamis/base/index.hpp"

namespace tamis {
namespace {

struct Moments {
  double mean = 0, square = 0, fourth = 0;
};

Moments moments_of(std::span<const double> x, std::span<const double> weights) {
  double total = 0;
  Moments moments;
  for (Index i = 0; i < std::ssize(x); ++i) {
    total += weights[i];
    moments.mean += weights[i] * x[i];
  }
  moments.mean /= total;
  for (Index i = 0; i < std::ssize(x); ++i) {
    const double square = (x[i] - moments.mean) * (x[i] - moments.mean);
    moments.square += weights[i] / total * square;
    moments.fourth += weights[i] / total * square * square;
  }
  return moments;
}

}  // namespace

std::vector<double> normal_scores(std::span<const double> y, std::span<const double> weights) {
  std::vector<Index> order(y.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](Index a, Index b) { return y[a] < y[b]; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> scores(y.size(), 0.0);
  double below = 0;
  for (Index first = 0; first < std::ssize(order);) {
    Index last = first;
    double tied = 0;
    for (; last < std::ssize(order) && y[order[last]] == y[order[first]]; ++last) tied += weights[order[last]];
    // The mean of rank - 1/2 over the rows of a tie.
    const double share = std::clamp((below + 0.5 * tied) / total, 1e-15, 1 - 1e-15);
    const double score = std::numbers::sqrt2 * boost::math::erf_inv(2 * share - 1);
    for (; first < last; ++first) scores[order[first]] = score;
    below += tied;
  }
  const Moments moments = moments_of(scores, weights);
  const double spread = std::sqrt(moments.square);
  for (double& score : scores) score = spread > 0 ? (score - moments.mean) / spread : 0.0;
  return scores;
}

double excess_kurtosis(std::span<const double> residuals, std::span<const double> weights) {
  const Moments moments = moments_of(residuals, weights);
  return moments.square > 0 ? moments.fourth / (moments.square * moments.square) - 3 : 0.0;
}

// The kurtosis of n normal numbers has standard deviation sqrt(24 / n), with a long upper tail.
bool has_heavy_tails(double excess_kurtosis, double samples) {
  constexpr double least = 1, deviations = 4;
  return excess_kurtosis > std::max(least, deviations * std::sqrt(24 / std::max(samples, 1.0)));
}

}  // namespace tamis
