// The sites of the spike-and-slab prior, one per feature, and the three ways to move them: together, one at a time,
// and in the double loop, from the fastest to the safest. The fixed points are the same.
#pragma once

#include <vector>

#include "method/ep/likelihood_part.hpp"

namespace tamis {

class PriorSites {
 public:
  explicit PriorSites(const ScaledProblem& problem);

  /// Every site the normal of the prior's own variance.
  void reset(const SpikeSlabHyper& hyper);
  /// Tilted moments of every prior given its cavity, and the site that would reproduce them. Returns the sum of log
  /// (tilted mass / mass of cavity times site). `constrained`: sites that would have less precision than a small
  /// multiple of the slab's get that.
  double tilt(const SpikeSlabHyper& hyper, const FeatureMarginals& marginals, bool constrained);
  /// After tilt(): the largest undamped move of a mean, in units of the predictor.
  double largest_move(const FeatureMarginals& marginals);

  /// All at once, keeping the share `damping` of the old ones.
  void move_together(double damping);
  /// One after the other, each from a cavity that contains the moves before it: the joint normal cannot become
  /// improper.
  void move_in_turn(const SpikeSlabHyper& hyper, LikelihoodPart& likelihood, double damping);
  /// One outer iteration (double_loop.cpp), its inner problem solved to `accuracy`, in units of the predictor.
  void move_in_double_loop(const SpikeSlabHyper& hyper, LikelihoodPart& likelihood, const FeatureMarginals& marginals,
                           double accuracy);

  const std::vector<NaturalParameters>& sites() const { return sites_; }
  const std::vector<TiltedPrior>& tilted() const { return tilted_; }

 private:
  std::vector<double> units_;  // root mean square of each feature
  std::vector<NaturalParameters> sites_, target_;
  std::vector<TiltedPrior> tilted_;
  // Sites that move in turn, largest wanted move first, whatever the order of columns; those that want less than a
  // thousandth of it wait, as there are thousands of them.
  std::vector<Index> order_;
};

}  // namespace tamis
