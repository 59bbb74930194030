// ard: automatic relevance determination, also known as sparse Bayesian learning. Every coefficient has its own prior
// variance, and the evidence decides which of them are zero. Wipf & Nagarajan, "A new view of automatic relevance
// determination", NIPS 2007.
#pragma once

#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class AutomaticRelevance final : public Method {
 public:
  std::string_view name() const override { return "ard"; }
  std::string_view summary() const override {
    return "Automatic relevance determination (sparse Bayesian learning) by reweighted L1 minimization";
  }
  std::string estimator() const override { return "ARD"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }
  bool uses_groups() const override { return true; }
  bool takes_several_targets() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
