// The only list of experiments: a new one is a function in the folder of its paper and a line here.
#include "experiments/garrote/experiments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "experiments/factor/experiments.hpp"
#include "experiments/laplace/experiments.hpp"
#include "experiments/masking/experiments.hpp"
#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"

namespace tamis::experiments {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      garrote::table1(),
      garrote::table2(),
      garrote::table3(),
      garrote::table4(),
      garrote::figure1(),
      garrote::figure2(),
      garrote::figure3(),
      garrote::figure4(),
      garrote::figure5(),
      garrote::figure6(),
      garrote::figure7(),
      garrote::figure8(),
      garrote::figures9_and_10(),
      garrote::figure11(),
      garrote::figure12(),
      garrote::compressed_sensing(),
      relevance::figure1(),
      relevance::convergence(),
      relevance::recovery(),
      relevance::nonnegative(),
      relevance::several_targets(),
      relevance::scaling(),
      relevance::masking_figure1(),
      masking::figure2(),
      masking::figure3(),
      masking::figure4(),
      masking::figure5(),
      laplace::figure1_regression(),
      laplace::figure1_classification(),
      laplace::figure1_uncertainty(),
      laplace::table1_synthetic(),
      laplace::table1(),
      factor_models::figure2a(),
      factor_models::figure2b(),
      factor_models::figure3(),
      factor_models::figure4(),
      factor_models::geweke(),
  };
  return all;
}

const Experiment& experiment(std::string_view name) {
  std::vector<std::string> names;
  for (const Experiment& known : experiments()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw InvalidOption(fmt::format("unknown experiment '{}'{}; available experiments: {}", name,
                                  did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace tamis::experiments
