// The only list of priors: a new one is its declaration and its place in the list here.
#include "base/registry.hpp"

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

namespace {

// The order of lists: recommended first, point estimates last. Made when it is first asked for: priors are added while
// static objects of other files are being initialized.
Registry<const FactorPrior*>& registry() {
  using namespace factor;
  static Registry<const FactorPrior*> only(
      "add_factor_prior", {&spike_slab_prior(), &mean_field_prior(), &laplace_prior(), &exponential_prior(),
                           &gaussian_prior(), &l1_prior(), &no_prior()});
  return only;
}

}  // namespace

std::vector<const FactorPrior*> factor_priors() {
  const std::deque<const FactorPrior*>& list = registry().list();
  return {list.begin(), list.end()};
}

const FactorPrior& add_factor_prior(const FactorPrior& prior) {
  return *registry().add(&prior, [](const auto&) {});
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
