// What a chain over models samples from: given auxiliary variables (slab scale, row precisions) the likelihood is
// normal, and coefficients, intercept and noise are integrated out.
#pragma once

#include <memory>
#include <vector>

#include "method/bvs/odds.hpp"
#include "method/bvs/size_prior.hpp"
#include "problem/scaled_response.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// Prior as asked for.
struct BvsPrior {
  SizePrior size;
  OwnPriors own;
  bool independent = false;  ///< slab N(0, v) instead of the g-prior
  double slab_variance = 0;  ///< v; 0: sampled
};

/// Conditional moments of a coefficient given its model: inside mean t m and variance t C scale; outside, were it
/// added, mean t r / s and variance (t / s) (scale - fall r^2 / s).
struct MomentTerms {
  double shrinkage = 1;
  double scale = 1;
  double fall = 0;
  double noise_variance = 1;
  double intercept = 0;
};

/// One draw of everything, working scale.
struct DrawnModel {
  std::vector<double> coefficients;  ///< of the model's features
  double intercept = 0;
  double noise_variance = 0;
};

class Target {
 public:
  virtual ~Target() = default;

  virtual NormalEquations equations() = 0;
  /// `counted`: features inside without a prior of their own.
  virtual OddsTerms terms(const ActiveModel& model, Index counted) const = 0;
  virtual MomentTerms moments(const ActiveModel& model) const = 0;
  /// Means and variances of the coefficients inside, if they are those of another response than the odds.
  virtual bool has_other_response() const { return false; }
  virtual void moments_inside(const ActiveModel& model, std::vector<double>& mean, std::vector<double>& variance) const;

  /// The g of a g-prior, which a chain moves at its own cost of O(p); 0: none to move.
  virtual double scale() const { return 0; }
  virtual void set_scale(double) {}
  /// Log density of log g with the model, and of log g alone, up to constants; the quantiles of g alone.
  virtual double log_scale_density(const ActiveModel&) const { return 0; }
  virtual double log_scale_prior() const { return 0; }
  virtual double scale_quantile(double) const { return 0; }

  /// Share of events that renew the auxiliary variables; 0: there are none.
  virtual double refresh_share() const { return 0; }
  /// Draws them, and rebuilds the model; may also change which features are inside.
  virtual void refresh(ActiveModel&, RandomStream&) {}

  /// For traces.
  virtual double log_likelihood(const ActiveModel& model) const = 0;
  virtual DrawnModel draw(const ActiveModel& model, RandomStream& random) const = 0;
  virtual void exchange(Archive& archive) = 0;
};

/// Largest model: p, what the rows can tell of, and a bound on the cost.
Index most_in_model(const ScaledProblem& scaled);

/// Gaussian: sums over rows that all chains share.
class GaussianData {
 public:
  /// `response`: the one that decides which features are in; empty: the problem's own.
  GaussianData(const ScaledProblem& scaled, const BvsPrior& prior, std::span<const double> response);

  const ScaledProblem& scaled() const { return scaled_; }
  const BvsPrior& prior() const { return prior_; }
  GramColumns& gram() const { return gram_; }
  std::span<const double> correlation() const { return correlation_; }
  /// Of the problem's own response, where another one decides; else empty.
  std::span<const double> own_correlation() const { return own_correlation_; }

 private:
  const ScaledProblem& scaled_;
  const BvsPrior& prior_;
  mutable GramColumns gram_;
  std::vector<double> correlation_, own_correlation_;
};

std::unique_ptr<Target> gaussian_target(const GaussianData& data);
std::unique_ptr<Target> augmented_target(const ScaledProblem& scaled, const BvsPrior& prior, Index chains,
                                         std::uint64_t seed, Index chain);

/// How many Gram columns may be kept, for all chains together.
Index gram_columns_within_memory(const ScaledProblem& scaled);

}  // namespace tamis
