// The only list of priors: a new one is its declaration and its place in the list here.
#include <fmt/format.h>

#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis {

namespace factor {

const FactorPrior& spike_slab_prior();
const FactorPrior& mean_field_prior();
const FactorPrior& laplace_prior();
const FactorPrior& exponential_prior();
const FactorPrior& gaussian_prior();
const FactorPrior& l1_prior();
const FactorPrior& no_prior();

}  // namespace factor

// The order of lists: recommended first, point estimates last.
std::vector<const FactorPrior*> factor_priors() {
  using namespace factor;
  return {&spike_slab_prior(), &mean_field_prior(), &laplace_prior(), &exponential_prior(),
          &gaussian_prior(),   &l1_prior(),         &no_prior()};
}

const FactorPrior& factor_prior(std::string_view name) {
  std::vector<std::string> names;
  for (const FactorPrior* known : factor_priors()) {
    if (known->name() == name) return *known;
    names.emplace_back(known->name());
  }
  throw InvalidOption(fmt::format("unknown prior '{}'{}; available priors: {}", name, did_you_mean(name, names),
                                  fmt::join(names, ", ")));
}

}  // namespace tamis
