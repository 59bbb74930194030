// exact: gaussian spike-and-slab regression by enumeration of all subsets, the reference for every approximation:
//   y = offset + b0 + X b + noise,  noise ~ N(0, noise_variance),  b0 flat,
//   b_j = 0 with probability 1 - prior_inclusion, otherwise b_j ~ N(0, slab_variance), on the working scale.
// Hyper-parameters that are not given maximize the evidence.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

class Exact final : public Method {
 public:
  std::string_view name() const override { return "exact"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by enumeration of all subsets (at most 20 features): exact inclusion "
           "probabilities";
  }
  std::string estimator() const override { return "ExactSpikeSlab"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.is_quadratic() ? "" : "a quadratic loss with gaussian noise";
  }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }
  Index most_features() const override { return 20; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
