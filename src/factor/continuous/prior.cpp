#include "factor/continuous/prior.hpp"

#include "factor/continuous/sampler.hpp"
#include "factor/model/task.hpp"
#include "factor/sampling/chains.hpp"

namespace tamis::factor {

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
      return "Laplace scores, near zero but never there; Hamiltonian Monte Carlo";
    case ScoreShape::exponential:
      return "scores that are not negative; Hamiltonian Monte Carlo";
    case ScoreShape::gaussian:
      break;
  }
  return "normal scores, not sparse; Hamiltonian Monte Carlo";
}

std::vector<Field> ContinuousPrior::fields() const {
  std::vector<Field> fields = chain_fields();
  fields.push_back(Field::integer("leapfrog_steps", "steps of one Hamiltonian trajectory", 10.0, 1, 1000));
  fields.push_back(
      Field::real("target_acceptance", "share of proposals that the step size is adapted to", 0.8, 0.1, 0.99));
  return fields;
}

void ContinuousPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  const HamiltonianSettings settings{.shape = shape_,
                                     .leapfrog_steps = task.options.integer("leapfrog_steps"),
                                     .target_acceptance = task.options.real("target_acceptance")};
  run_chains(
      task, [&](const ChainKey& key) { return hamiltonian_sampler(task, settings, key); }, false, result);
}

}  // namespace tamis::factor
