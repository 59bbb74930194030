// gibbs: spike-and-slab regression by Markov chains, the reference for approximations at any number of features:
//   y = offset + b0 + X b + noise,  noise ~ N(0, noise_variance),  b0 flat; or P(y = 1) = logistic(offset + b0 + X b);
//   b_j ~ N(0, slab_variance) with probability prior_inclusion, otherwise N(0, spike_variance), 0 for a point mass.
// Hyper-parameters that are not given are sampled too.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

class Gibbs final : public Method {
 public:
  std::string_view name() const override { return "gibbs"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by Gibbs sampling: inclusion probabilities with Monte Carlo standard errors and "
           "R-hat";
  }
  std::string estimator() const override { return "GibbsSpikeSlab"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.augmentation() != nullptr ? "" : "a conditionally gaussian augmentation";
  }
  bool has_inclusion() const override { return true; }
  bool is_sampler() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
