// Split R-hat and effective sample size of scalar chains.
//
// Model      M half-chains of n draws each. W: mean of their variances; B/n: variance of their means; pooled variance V
//            = (n - 1)/n W + B/n.
// Algorithm  R-hat = sqrt(V / W).
//            ESS = M n / tau, tau = -1 + 2 sum_k P_k, P_k = rho_{2k} + rho_{2k+1}, with the autocorrelations rho_t = 1
//            - (W - mean autocovariance at lag t) / V combined over the chains, which also counts the distance between
//            chain means. The sum ends at the first P_k <= 0 and P_k is replaced by its running minimum (Geyer's
//            initial monotone sequence).
// Invariant  never NaN: constant draws give R-hat 1 and as many effective draws as there are, chains that are constant
//            at different values give +infinity.
// Papers     Gelman & Rubin (1992) Stat. Sci. 7(4); Geyer (1992) Stat. Sci. 7(4); Vehtari, Gelman, Simpson, Carpenter &
//            Bürkner (2021) Bayesian Analysis 16(2): splitting, combined autocorrelations, bound on the ESS. Their rank
//            normalization is not used: inclusion indicators are binary and their ranks are ties.
#include "fit/chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamis {
namespace {

// Variances of means below this share of the squared mean, (1e-12)^2, are rounding errors: the chains are constant.
constexpr double rounding = 1e-24;

// Two passes and a shift by the first draw: coefficients far from zero with a tiny variance keep their digits.
PieceMoments moments_of(std::span<const double> x) {
  PieceMoments piece{static_cast<double>(x.size()), 0, 0};
  // From the first value: the mean of equal values is exactly theirs.
  for (const double value : x) piece.mean += (value - x.front()) / piece.count;
  piece.mean += x.front();
  for (const double value : x) piece.variance += (value - piece.mean) * (value - piece.mean) / (piece.count - 1);
  return piece;
}

// Each chain is split in two, so that a trend within a chain shows as a difference between its halves. The middle draw
// of an odd number is left out.
std::vector<std::span<const double>> halves_of(std::span<const std::vector<double>> chains) {
  std::vector<std::span<const double>> halves;
  for (const std::vector<double>& chain : chains) {
    const std::span<const double> draws(chain);
    halves.push_back(draws.first(draws.size() / 2));
    halves.push_back(draws.last(draws.size() / 2));
  }
  return halves;
}

// Biased estimate with divisor n: positive semidefinite, and of smaller variance at large lags. O(n) per lag; an FFT
// would give all lags at once, but the sum below usually ends after a few.
double autocovariance(std::span<const double> x, double mean, Index lag) {
  double sum = 0;
  for (Index i = 0; i + lag < std::ssize(x); ++i) sum += (x[i] - mean) * (x[i + lag] - mean);
  return sum / static_cast<double>(x.size());
}

}  // namespace

// R-hat from sufficient statistics, so that a sampler need not store the draws of all coefficients.
double potential_scale_reduction(std::span<const PieceMoments> pieces) {
  if (pieces.size() < 2 || std::ranges::any_of(pieces, [](const PieceMoments& q) { return q.count < 2; })) return 1;
  const auto m = static_cast<double>(pieces.size());
  double within = 0, mean = 0, between = 0, count = 0;
  for (const PieceMoments& piece : pieces) {
    within += piece.variance / m;
    mean += piece.mean / m;
    count += piece.count / m;
  }
  for (const PieceMoments& piece : pieces) between += (piece.mean - mean) * (piece.mean - mean) / (m - 1);
  if (between <= rounding * mean * mean) return 1;
  if (!(within > 0)) return std::numeric_limits<double>::infinity();
  return std::sqrt((count - 1) / count + between / within);
}

double split_rhat(std::span<const std::vector<double>> chains) {
  std::vector<PieceMoments> pieces;
  for (const std::span<const double> half : halves_of(chains)) {
    if (half.size() < 2) return 1;
    pieces.push_back(moments_of(half));
  }
  return potential_scale_reduction(pieces);
}

double effective_sample_size(std::span<const std::vector<double>> chains) {
  const std::vector<std::span<const double>> halves = halves_of(chains);
  if (halves.empty() || halves.front().size() < 2) return static_cast<double>(halves.size());
  const Index length = std::ssize(halves.front());
  const auto n = static_cast<double>(length), m = static_cast<double>(halves.size());
  std::vector<PieceMoments> pieces;
  double within = 0, mean = 0;
  for (const std::span<const double> half : halves) {
    pieces.push_back(moments_of(half));
    within += pieces.back().variance / m;
    mean += pieces.back().mean / m;
  }
  double total = within * (n - 1) / n;
  for (const PieceMoments& piece : pieces) total += (piece.mean - mean) * (piece.mean - mean) / (m - 1);
  if (!(total > rounding * mean * mean)) return n * m;
  // W here has divisor n - 1, the autocovariances n: the factor (n - 1)/n makes rho_0 exactly 1 for equal chain means.
  const auto correlation = [&](std::size_t lag) {
    double covariance = 0;
    for (Index h = 0; h < std::ssize(halves); ++h) covariance += autocovariance(halves[h], pieces[h].mean, lag) / m;
    return 1 - (within * (n - 1) / n - covariance) / total;
  };
  // Sums of neighboring autocorrelations are positive and decreasing for a reversible chain (Geyer): the sum ends where
  // noise breaks that.
  double sum = 0, last = std::numeric_limits<double>::infinity();
  for (Index lag = 0; lag + 1 < length; lag += 2) {
    const double pair = (lag == 0 ? 1.0 : correlation(lag)) + correlation(lag + 1);
    if (!(pair > 0)) break;
    last = std::min(last, pair);
    sum += 2 * last;
  }
  const double draws = n * m;
  // Antithetic chains may have tau < 1; the ESS is bounded by M n log10(M n), as in Vehtari et al.
  return std::min(draws / std::max(sum - 1, 1e-12), draws * std::log10(draws));
}

}  // namespace tamis
