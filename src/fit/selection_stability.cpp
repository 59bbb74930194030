// Similarity of feature sets: stability of the selection over folds, and the Jaccard index of two sets.
// Model      for M sets Z of k features on average out of d, with s_f the variance of "feature f is selected" over the
//            sets: stability = 1 - mean_f(s_f) / (k/d (1 - k/d)). 1 if all sets are equal, 0 in expectation for random
//            sets of these sizes; corrected for chance, which a mean Jaccard index is not.
// Paper      Nogueira, Sechidis & Brown (2018) JMLR 18(174), Eq. 4. Undefined for sets that are all empty or all full.
#include <algorithm>

#include "tamis/fit/comparison.hpp"

namespace tamis {

std::optional<double> selection_stability(const std::vector<std::vector<Index>>& sets, Index features) {
  if (sets.size() < 2 || features < 1) return std::nullopt;
  const auto count = static_cast<double>(sets.size());
  const auto width = static_cast<double>(features);
  std::vector<double> share(features, 0.0);
  double mean_size = 0;
  for (const std::vector<Index>& set : sets) {
    for (const Index feature : set) share[feature] += 1 / count;
    mean_size += static_cast<double>(set.size()) / count;
  }
  const double filled = mean_size / width;
  double least = width, most = 0;
  for (const std::vector<Index>& set : sets) {
    least = std::min(least, static_cast<double>(set.size()));
    most = std::max(most, static_cast<double>(set.size()));
  }
  if (most == 0 || least == width) return std::nullopt;
  double variance = 0;  // unbiased, averaged over features
  for (const double s : share) variance += count / (count - 1) * s * (1 - s) / width;
  return 1 - variance / (filled * (1 - filled));  // Eq. 4
}

double jaccard(const std::vector<Index>& a, const std::vector<Index>& b) {
  std::vector<Index> common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  const std::size_t all = a.size() + b.size() - common.size();
  return all == 0 ? 1.0 : static_cast<double>(common.size()) / static_cast<double>(all);
}

}  // namespace tamis
