// Priors whose answer is a point: l1 (a Laplace prior's mode, sparse) and none (exponential family PCA, dense).
#pragma once

#include "tamis/factor/factor.hpp"

namespace tamis::factor {

class L1Prior final : public FactorPrior {
 public:
  std::string_view name() const override { return "l1"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

class NoPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "none"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

/// A short fit with a moderate penalty, hyper-parameters and noise as it finds them: where chains with many factors and
/// the mean field begin. `chain` chooses the random start; the observer may be null.
struct FactorState short_l1_fit(const FactorTask& task, std::uint64_t chain, Observer* observer);

}  // namespace tamis::factor
