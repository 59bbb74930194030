#include "problem/standardization.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "problem/column_moments_cache.hpp"

namespace tamis {

// Center and scale of each column. With an intercept: weighted mean and standard deviation. Without: 0 and the root
// mean square. Not standardized: scale 1, but constant columns keep scale 0 and with it coefficient 0, because the
// intercept already accounts for them. `small`: see intercept_unit().
Standardization::Divisors Standardization::divisors_of(const Problem& problem) {
  std::shared_ptr<const ColumnMoments> known = ColumnMomentsCache::of(problem);
  if (problem.intercept && problem.standardize) return {known};
  ColumnMoments moments = *known;
  double largest = 0;
  for (Index j = 0; j < std::ssize(moments.mean); ++j) {
    if (!problem.intercept) {
      moments.deviation[j] = std::hypot(moments.mean[j], moments.deviation[j]);
      moments.mean[j] = 0;
    }
    largest = std::max(largest, moments.deviation[j]);
    if (!problem.standardize && moments.deviation[j] > 0) moments.deviation[j] = 1;
  }
  const bool small = !problem.standardize && largest > 0 && largest < 1;
  return {std::make_shared<const ColumnMoments>(std::move(moments)), small ? largest : 1.0};
}

Standardization::Standardization(const Problem& problem) : Standardization(problem, divisors_of(problem)) {}

Standardization::Standardization(const Problem& problem, Divisors divisors)
    : design_(problem.X, std::move(divisors.moments)), intercept_unit_(divisors.largest_spread) {
  const Index n = problem.X.rows();
  weights_.assign(n, 1.0);
  if (!problem.weights.empty()) weights_.assign(problem.weights.begin(), problem.weights.end());
  total_weight_ = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& w : weights_) w /= total_weight_;
}

double Standardization::to_original(Index j, double coefficient) const {
  const double scale = design_.scale()[j];
  return scale > 0 ? coefficient / scale : 0.0;
}

}  // namespace tamis
