// Coordinate descent on the ard cost over the selected features, each gamma at its exact minimizer.
//
// Model      L as a function of one gamma, all others fixed (Tipping & Faul 2003, plus the multiplicity penalty c):
//              log(1 + gamma s) - q^2 gamma / (1 + gamma s) + c log(1 + gamma |phi|^2 / noise)
//            with s = phi'Sigma^-1 phi and q = phi'Sigma^-1 y, Sigma without this feature.
// Algorithm  sweeps over the features; mean and covariance follow each change by a rank-one update, O(k^2); every 10
//            sweeps the posterior is recomputed, which bounds what the updates accumulate in rounding.
// Why        reweighted L1, L2 and EM converge linearly, and slowly where gamma -> 0 is the answer; this step has the
//            exact zero and the last digits. Features that left do not come back here: entering is the caller's test.
// Invariant  the result never has a larger cost than the point that was given.
#include <algorithm>
#include <cmath>

#include "method/ard/algorithms.hpp"

namespace tamis {
namespace {

// Limit of work in multiplications (a sweep takes k^3), limit of sweeps, and sweeps per fresh posterior.
constexpr double max_work = 4e9;
constexpr Index max_sweeps = 500;
constexpr Index sweeps_between = 10;

// covariance_ and mean_ are the posterior at point_.gamma up to the rounding of the updates since construction; a
// feature whose gamma became 0 keeps its row and column, which are 0 then.
class CoordinateDescent {
 public:
  CoordinateDescent(Relevance& model, RelevancePoint point)
      : model_(model), point_(std::move(point)), covariance_(model.covariance(point_)), mean_(point_.mean) {}

  // Largest relative change of a gamma. Removing a feature counts as 0: what it changes in the others shows in the next
  // sweep.
  double sweep() {
    double largest = 0;
    for (Index a = 0; a < point_.size(); ++a) {
      if (point_.gamma[a] > 0) largest = std::max(largest, step(a));
    }
    return largest;
  }

  RelevancePoint take() {
    std::vector<Index> feature_groups;
    std::vector<double> gamma;
    for (Index k = 0; k < std::ssize(point_.feature_groups); ++k) {
      if (!(point_.gamma[k] > 0)) continue;
      feature_groups.push_back(point_.feature_groups[k]);
      gamma.push_back(point_.gamma[k]);
    }
    return model_.posterior_at(std::move(feature_groups), std::move(gamma), point_.model);
  }

 private:
  double step(Index a) {
    double& gamma = point_.gamma[a];
    const double variance = covariance_(a, a);
    // From the posterior with the feature: 1/variance = s + 1/gamma, and mean/variance = q.
    const double s = std::max(0.0, 1 / variance - 1 / gamma);  // leaving the feature out
    double q_squared = 0;
    for (Index l = 0; l < mean_.cols(); ++l) {
      const double q = mean_(a, l) / variance;
      q_squared += q * q / static_cast<double>(mean_.cols());
    }
    const double size = model_.data().group_norms()[point_.feature_groups[a]] / point_.model.noise_variance;
    const double wanted = best_variance(s, q_squared, point_.model.penalty, size);
    if (!std::isfinite(wanted)) return 0;
    // The change of prior precision 1/gamma; removal is its limit at infinity, where added / (1 + added v) = 1 / v.
    const double added = wanted > 0 ? 1 / wanted - 1 / gamma : 0.0;
    update(a, wanted > 0 ? added / (1 + added * variance) : 1 / variance);
    const double change = wanted > 0 ? std::abs(wanted - gamma) / std::max(wanted, gamma) : 0.0;
    gamma = wanted;
    return change;
  }

  // Sherman-Morrison: Cov -= factor c c' and mean -= factor c mean_a, where c = Cov e_a.
  void update(Index a, double factor) {
    const Index k = point_.size();
    column_.assign(covariance_.col(a), covariance_.col(a) + k);
    for (Index l = 0; l < mean_.cols(); ++l) {
      const double by = factor * mean_(a, l);
      for (Index i = 0; i < k; ++i) mean_(i, l) -= by * column_[i];
    }
    for (Index b = 0; b < k; ++b) {
      const double by = factor * column_[b];
      if (by == 0) continue;
      double* to = covariance_.col(b);
      for (Index i = 0; i < k; ++i) to[i] -= by * column_[i];
    }
  }

  Relevance& model_;
  RelevancePoint point_;
  Matrix covariance_, mean_;
  std::vector<double> column_;
};

}  // namespace

double cost_of_one(double gamma, double s, double q_squared, double penalty, double size) {
  return std::log1p(gamma * s) - q_squared * gamma / (1 + gamma * s) + penalty * std::log1p(gamma * size);
}

double best_variance(double s, double q_squared, double penalty, double size) {
  if (!(s > 0)) return 0;
  // Tipping & Faul (2003): gamma = (q^2 - s) / s^2 if q^2 > s, else the feature is pruned.
  if (penalty == 0) return q_squared > s ? (q_squared - s) / (s * s) : 0.0;
  // The derivative vanishes where a gamma^2 + b gamma + c = 0; the larger root is the minimum. Written so that root and
  // b never cancel.
  const double a = s * s * size * (1 + penalty);
  const double b = s * s + s * size - q_squared * size + 2 * penalty * size * s;
  const double c = s - q_squared + penalty * size;
  const double square = b * b - 4 * a * c;
  if (square < 0) return 0;
  const double root = std::sqrt(square);
  const double gamma = b <= 0 ? (root - b) / (2 * a) : -2 * c / (b + root);
  if (!(gamma > 0)) return 0;
  // With a penalty gamma = 0 can be a second local minimum; its cost is 0, so the sign decides.
  return cost_of_one(gamma, s, q_squared, penalty, size) < 0 ? gamma : 0.0;
}

RelevancePoint coordinate_refinement(Relevance& model, RelevancePoint point, double tolerance) {
  const double k = static_cast<double>(point.size());
  const auto sweeps = std::min(max_sweeps, static_cast<Index>(max_work / std::max(1.0, k * k * k)));
  for (Index done = 0; done < sweeps;) {
    CoordinateDescent refine_coordinates(model, point);
    double change = 0;
    for (Index more = 0; more < sweeps_between && done < sweeps; ++more, ++done) {
      change = refine_coordinates.sweep();
      if (change <= tolerance) break;
    }
    RelevancePoint next = refine_coordinates.take();
    if (!next.numerically_valid || next.cost > point.cost) break;
    point = std::move(next);
    if (change <= tolerance) break;
  }
  return point;
}

}  // namespace tamis
