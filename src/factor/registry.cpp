// The only list of priors: a new one is its file pair and a line here.
#include "base/registry.hpp"

#include <fmt/format.h>

#include "factor/continuous/prior.hpp"
#include "factor/point/prior.hpp"
#include "factor/spike_slab/prior.hpp"
#include "factor/variational/prior.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis {
namespace {

std::deque<const FactorPrior*> own_priors() {
  static const factor::SpikeSlabPrior spike_slab;
  static const factor::L1Prior l1;
  static const factor::NoPrior none;
  static const factor::ContinuousPrior laplace(factor::ScoreShape::laplace);
  static const factor::ContinuousPrior exponential(factor::ScoreShape::exponential);
  static const factor::ContinuousPrior gaussian(factor::ScoreShape::gaussian);
  static const factor::MeanFieldPrior vb;
  return {&spike_slab, &vb, &laplace, &exponential, &gaussian, &l1, &none};
}

// Made when it is first asked for: priors are added while static objects of other files are being initialized.
Registry<const FactorPrior*>& registry() {
  static Registry<const FactorPrior*> only("add_factor_prior", own_priors());
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
