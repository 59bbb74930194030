// pmf: paired mean field for spike-and-slab regression (Titsias & Lazaro-Gredilla, NIPS 2011; the same field as
// Carbonetto & Stephens 2012). An indicator and a normal weight per feature, coupled within the feature, independent
// between features; prior and noise maximize the evidence lower bound.
#pragma once

#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class PairedMeanField final : public Method {
 public:
  std::string_view name() const override { return "pmf"; }
  std::string_view summary() const override {
    return "Paired mean field: variational Bayes for spike-and-slab regression; prior and noise learned from the data";
  }
  std::string estimator() const override { return "PairedMeanField"; }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool has_inclusion() const override { return true; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
