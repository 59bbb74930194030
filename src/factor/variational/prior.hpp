// Prior vb: spike and slab by mean field, for speed and many rows.
#pragma once

#include "tamis/factor/factor.hpp"

namespace tamis::factor {

class MeanFieldPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "vb"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

}  // namespace tamis::factor
