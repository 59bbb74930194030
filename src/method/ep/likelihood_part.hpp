// The data's part in expectation propagation: given normal sites for the features it computes the marginal of
// each coefficient, and improves its own sites, if it has any. Two kinds: all coefficients jointly, and independently.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "method/ep/tilted.hpp"
#include "problem/scaled_response.hpp"

namespace tamis {

struct FeatureMarginals {
  std::vector<double> mean, variance;  ///< of the kept features
  double intercept = 0;
  double residual_square = 0;  ///< expected, gaussian: sum of w (y - eta)^2
  double log_mass = 0;         ///< log integral of likelihood (or its sites, scaled) times the features' sites
};

class LikelihoodPart {
 public:
  virtual ~LikelihoodPart() = default;
  /// False if the sites leave nothing that has an integral, or a coefficient without a variance.
  virtual bool refresh(const SpikeSlabHyper& hyper, std::span<const NaturalParameters> features,
                       FeatureMarginals& out) = 0;
  /// After refresh(): moves its own sites, keeping the share `keep` of the old ones. Returns the largest move, in units
  /// of the predictor.
  virtual double advance(double damping) = 0;
  /// Begins anew.
  virtual void reset() = 0;
  /// Whether sites of features can be moved one at a time after refresh(), each seeing the moves before it.
  virtual bool moves_in_turn() const { return false; }
  /// The marginal of feature j without `site`, which it has; and, after it, the exchange of this site.
  virtual NaturalParameters cavity(Index /*j*/, const NaturalParameters& /*site*/) { return {}; }
  virtual void exchange(const NaturalParameters& /*site*/, const NaturalParameters& /*other*/) {}
};

/// Covariances between all coefficients: accurate; O(n^2 p) for a sweep, or O(p^3) if rows outnumber features.
std::unique_ptr<LikelihoodPart> joint_part(const ScaledProblem& problem);
/// Coefficients independent of each other in every site (EP-L): O(n p) for a sweep, 24 n p bytes.
std::unique_ptr<LikelihoodPart> factorized_part(const ScaledProblem& problem);

}  // namespace tamis
