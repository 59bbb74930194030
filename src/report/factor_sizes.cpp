// Size of factor k: root mean square over the cells of its contribution scores_ik loadings_kd, which is |scores_k|
// |loadings_k| / sqrt(rows columns): invariant under the scale that scores and loadings can exchange.
#include "report/factor_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

double least_size(const FactorFit& fit) {
  // Threshold relative to the noise: what an optimizer leaves of a factor that was pruned is many orders below it.
  constexpr double negligible = 1e-9;  // of the noise; binary and count predictors are on a log scale
  const auto count = static_cast<double>(fit.noise_variances.size());
  if (fit.noise_variances.empty()) return negligible;
  return negligible * std::sqrt(std::accumulate(fit.noise_variances.begin(), fit.noise_variances.end(), 0.0) / count);
}

}  // namespace

std::vector<double> factor_sizes(const FactorFit& fit) {
  const double least = least_size(fit);
  std::vector<double> sizes;
  for (Index k = 0; k < fit.factors; ++k) {
    double scores = 0, loadings = 0;
    for (const double value : fit.scores.column(k)) scores += value * value;
    for (Index d = 0; d < fit.loadings.cols(); ++d) loadings += fit.loadings(k, d) * fit.loadings(k, d);
    const auto cells = static_cast<double>(std::max<Index>(1, fit.scores.rows() * fit.loadings.cols()));
    const double size = std::sqrt(scores * loadings / cells);
    sizes.push_back(size > least ? size : 0);
  }
  return sizes;
}

}  // namespace tamis
