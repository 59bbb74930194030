// bm: Bayesian masking (Kondo, Maeda & Hayashi, ACML 2015), y = (X o Z) beta + noise: each feature is masked in each
// row by a Bernoulli variable z_nk of rate pi_k; weights are not shrunk, and a feature whose rate falls to zero is
// pruned.
#pragma once

#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class BayesianMasking final : public Method {
 public:
  std::string_view name() const override { return "bm"; }
  std::string_view summary() const override {
    return "Bayesian masking: latent masks for each feature and row, unshrunk weights; prunes irrelevant features";
  }
  std::string estimator() const override { return "BayesianMasking"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
