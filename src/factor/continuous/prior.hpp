// Priors without a spike: laplace (LXPCA), exponential (NXPCA, scores are not negative) and gaussian (BXPCA), by
// Hamiltonian Monte Carlo.
#pragma once

#include "tamis/factor/factor.hpp"

namespace tamis::factor {

enum class ScoreShape { laplace, exponential, gaussian };

class ContinuousPrior final : public FactorPrior {
 public:
  explicit ContinuousPrior(ScoreShape shape) : shape_(shape) {}
  std::string_view name() const override;
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool is_sampler() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
  ScoreShape shape_;
};

}  // namespace tamis::factor
