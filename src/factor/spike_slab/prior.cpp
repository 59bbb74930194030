#include "factor/spike_slab/prior.hpp"

#include "factor/sampling/chains.hpp"
#include "factor/spike_slab/samplers.hpp"

namespace tamis::factor {
namespace {

SlabPrior prior_of(const FactorTask& task) {
  SlabPrior prior;
  prior.active = task.options.real("inclusion_active");
  // Overcomplete codes of real data are sparse: a flat prior on the rate would start far from there.
  const bool overcomplete = task.cells.family() == CellFamily::gaussian && task.problem.factors > task.cells.cols();
  prior.inactive = task.options.maybe_real("inclusion_inactive").value_or(overcomplete ? 9 : 1);
  return prior;
}

}  // namespace

std::string_view SpikeSlabPrior::summary() const {
  return "scores are exactly zero or normal; Markov chains with exact conditional draws";
}

std::vector<Field> SpikeSlabPrior::fields() const {
  std::vector<Field> fields = chain_fields();
  fields.push_back(Field::real("inclusion_active", "e of the Beta(e, f) prior on the share of rows with a factor", 1.0,
                               0, 1e9, true));
  fields.push_back(Field::real("inclusion_inactive",
                               "f of that prior; not set: 1, or 9 for gaussian data with more factors than columns",
                               std::monostate{}, 0, 1e9, true));
  return fields;
}

void SpikeSlabPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  const SlabPrior prior = prior_of(task);
  const auto make = [&](const ChainKey& key) { return spike_slab_sampler(task, prior, key); };
  run_chains(task, make, true, result);
}

}  // namespace tamis::factor
