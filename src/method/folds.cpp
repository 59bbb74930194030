#include "method/folds.hpp"

#include <algorithm>

#include "tamis/base/random.hpp"

namespace tamis {

Folds make_folds(const Problem& problem, int wanted, std::uint64_t seed) {
  const Index n = problem.X.rows();
  const bool stratify = !problem.likelihood.is_quadratic();
  std::vector<Index> stratum[2];
  for (const Index i : RandomStream(seed, /*stream=*/0xF01D).permutation(n)) {
    const auto s = static_cast<std::size_t>(i);
    if (!problem.weights.empty() && problem.weights[s] == 0) continue;
    stratum[stratify && problem.y[s] > 0 ? 1 : 0].push_back(i);
  }
  const Index usable = static_cast<Index>(stratum[0].size() + stratum[1].size());
  // Every training set needs both classes; counts need one that is not zero.
  const bool two_classes = problem.likelihood.name() == "bernoulli";
  const bool lacking = stratify && (stratum[1].size() < 2 || (two_classes && stratum[0].size() < 2));
  if (usable < 3 || lacking) return {};
  Folds folds{static_cast<int>(std::min<Index>(wanted, usable)), std::vector<int>(static_cast<std::size_t>(n), -1)};
  int next = 0;
  for (const std::vector<Index>& rows : stratum) {
    for (const Index i : rows) {
      folds.fold_of_row[static_cast<std::size_t>(i)] = next;
      next = (next + 1) % folds.count;
    }
  }
  return folds;
}

FoldWeights split_weights(const Folds& folds, int fold, std::span<const double> weights) {
  FoldWeights split{{weights.begin(), weights.end()}, std::vector<double>(weights.size(), 0.0)};
  double kept = 0, judged = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (folds.fold_of_row[i] == fold) std::swap(split.training[i], split.judged[i]);
    kept += split.training[i];
    judged += split.judged[i];
  }
  for (double& w : split.training) w /= kept;
  for (double& w : split.judged) w /= judged;
  return split;
}

}  // namespace tamis
