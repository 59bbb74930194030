// ep: spike-and-slab regression by expectation propagation. The model is that of gibbs; the posterior is approximated
// by a normal distribution whose marginals agree with every prior seen from all the others. The accurate approximation.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

class ExpectationPropagation final : public Method {
 public:
  std::string_view name() const override { return "ep"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by expectation propagation: approximate posterior inclusion probabilities";
  }
  std::string estimator() const override { return "ExpectationPropagation"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.tilted() != nullptr ? "" : "the moments of its tilted distributions";
  }
  bool has_inclusion() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
