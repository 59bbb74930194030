// vg: the Variational Garrote (Kappen & Gomez, Machine Learning 96, 2014). y = sum_i s_i w_i x_i + noise, s_i ~
// Bernoulli with log odds gamma. The posterior of s is approximated by independent Bernoullis (mean field), weights and
// noise are maximum a posteriori estimates, gamma is chosen along a path.
#pragma once

#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class VariationalGarrote final : public Method {
 public:
  std::string_view name() const override { return "vg"; }
  std::string_view summary() const override {
    return "Variational garrote: mean-field spike-and-slab regression with a flat slab; gamma chosen along a path";
  }
  std::string estimator() const override { return "VariationalGarrote"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
