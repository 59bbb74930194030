// flas: spike-and-slab regression by Laplace's method (Naqvi, Zhe, Qi, Yang & Ye, "Fast Laplace approximation for
// sparse Bayesian spike and slab models"): b_j ~ N(0, slab_variance) with probability prior_inclusion, otherwise N(0,
// spike_variance). The posterior mode, normal posteriors around it, and from them inclusion probabilities.
#pragma once

#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class Flas final : public Method {
 public:
  std::string_view name() const override { return "flas"; }
  std::string_view summary() const override {
    return "Fast Laplace approximation for spike-and-slab regression: posterior mode, approximate inclusion "
           "probabilities";
  }
  std::string estimator() const override { return "LaplaceSpikeSlab"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    const std::string bound = lacks_bound(family);
    return !bound.empty() || family.traits().row_information > 0 ? bound : "the information of a row";
  }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
