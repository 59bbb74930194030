// Priors without a spike: laplace (LXPCA), exponential (NXPCA, scores are not negative) and gaussian (BXPCA).
//
// Model      x_n ~ Expon(intercept + v_n Theta)    Eq. 2
//            v_nk ~ b_k / 2 exp(-b_k |v_nk|), b_k exp(-b_k v_nk) or N(mu_k, sigma_k^2)
// Algorithm  Hamiltonian Monte Carlo row by row and column by column (sampler.hpp), several chains side by side
//            (chains.hpp)
// Paper      Mohamed, Heller & Ghahramani (2012), ICML
#include "factor/continuous/sampler.hpp"
#include "factor/model/task.hpp"
#include "factor/sampling/chains.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::factor {
namespace {

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

std::string_view ContinuousPrior::name() const {
  switch (shape_) {
    case ScoreShape::laplace:
      return "laplace";
    case ScoreShape::exponential:
      return "exponential";
    case ScoreShape::gaussian:
      break;
  }
  return "gaussian";
}

std::string_view ContinuousPrior::summary() const {
  switch (shape_) {
    case ScoreShape::laplace:
      return "Laplace prior: scores shrunk toward zero but not exactly zero; Hamiltonian Monte Carlo";
    case ScoreShape::exponential:
      return "exponential prior: nonnegative scores; Hamiltonian Monte Carlo";
    case ScoreShape::gaussian:
      break;
  }
  return "normal prior: scores not sparse; Hamiltonian Monte Carlo";
}

// A target of 0.8, above the 0.65 that is optimal in many dimensions (Beskos et al. 2013, Bernoulli 19), because the
// blocks, a row of scores or a column of loadings, have few.
std::vector<Field> ContinuousPrior::fields() const {
  std::vector<Field> fields = chain_fields();
  fields.push_back(Field::integer("leapfrog_steps", "number of leapfrog steps per trajectory", 10.0, 1, 1000));
  fields.push_back(Field::real("target_acceptance", "target acceptance rate for step size adaptation", 0.8, 0.1, 0.99));
  return fields;
}

void ContinuousPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  const HamiltonianSettings settings{.shape = shape_,
                                     .leapfrog_steps = task.options.integer("leapfrog_steps"),
                                     .target_acceptance = task.options.real("target_acceptance")};
  run_chains(
      task, [&](const ChainKey& key) { return hamiltonian_sampler(task, settings, key); }, false, result);
}

}  // namespace

const FactorPrior& laplace_prior() {
  static const ContinuousPrior prior(ScoreShape::laplace);
  return prior;
}

const FactorPrior& exponential_prior() {
  static const ContinuousPrior prior(ScoreShape::exponential);
  return prior;
}

const FactorPrior& gaussian_prior() {
  static const ContinuousPrior prior(ScoreShape::gaussian);
  return prior;
}

}  // namespace tamis::factor
