// Prior spike-slab: scores that are exactly zero or normal, by Markov chain Monte Carlo.
//
// Model      x_n ~ Expon(intercept + v_n Theta)    Eq. 2
//            v_nk ~ pi_k N(mu_k, sigma_k^2) + (1 - pi_k) delta_0, pi_k ~ Beta(e, f)    Eqs. 3 and 4
// Algorithm  Gibbs sweeps: scores with their indicators, loadings, hyperparameters. Conditionals are exact where the
//            family has them, otherwise Metropolis steps (samplers.hpp); several chains side by side (chains.hpp)
// Paper      Mohamed, Heller & Ghahramani (2012), ICML
#include "factor/sampling/chains.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::factor {
namespace {

SlabPrior prior_of(const FactorTask& task) {
  SlabPrior prior;
  prior.active = task.options.real("inclusion_active");
  // Overcomplete codes of real data are sparse, so the prior's mean rate e / (e + f) is .1: a flat prior on the rate
  // would start far from there.
  const bool overcomplete = task.cells.family().is_quadratic() && task.problem.factors > task.cells.cols();
  prior.inactive = task.options.maybe_real("inclusion_inactive").value_or(overcomplete ? 9 : 1);
  return prior;
}

ChainStart start_of(const FactorTask& task) {
  const std::string& word = task.options.text("start");
  constexpr Index many_factors = 24;
  const bool many = task.cells.family().is_quadratic() && task.problem.factors >= many_factors;
  return word == "l1" || (word == "auto" && many) ? ChainStart::l1 : ChainStart::random;
}

class SpikeSlabPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "spike-slab"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool is_sampler() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

std::string_view SpikeSlabPrior::summary() const {
  return "spike-and-slab prior: scores exactly zero or normal; Gibbs sampling";
}

std::vector<Field> SpikeSlabPrior::fields() const {
  std::vector<Field> fields = chain_fields();
  fields.push_back(Field::real("inclusion_active",
                               "e of the Beta(e, f) prior on the fraction of rows in which a factor is active", 1.0, 0,
                               1e9, true));
  fields.push_back(
      Field::real("inclusion_inactive",
                  "f of the Beta(e, f) prior; default: 1, or 9 for family gaussian with more factors than columns",
                  std::monostate{}, 0, 1e9, true));
  fields.push_back(Field::choice(
      "start",
      "initial state of the chains; auto: a short l1 fit for family gaussian with 24 or more factors, random otherwise",
      {"auto", "random", "l1"}, "auto"));
  return fields;
}

void SpikeSlabPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  const SlabPrior prior = prior_of(task);
  const ChainStart start = start_of(task);
  const auto make = [&](const ChainKey& key) {
    auto sampler = spike_slab_sampler(task, prior, key);
    sampler->begin_at(start);
    return sampler;
  };
  run_chains(task, make, true, result);
}

}  // namespace

const FactorPrior& spike_slab_prior() {
  static const SpikeSlabPrior prior;
  return prior;
}

}  // namespace tamis::factor
