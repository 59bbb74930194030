// The only list of methods: a new one is its file pair and a line here. Order is that of help texts and comparisons.
#include <fmt/format.h>

#include "method/ard/ard.hpp"
#include "method/ep/ep.hpp"
#include "method/exact/exact.hpp"
#include "method/gibbs/gibbs.hpp"
#include "method/laplace/flas.hpp"
#include "method/masking/bm.hpp"
#include "method/mean_field/pmf.hpp"
#include "method/mean_field/vg.hpp"
#include "method/penalized/capped_l1.hpp"
#include "method/penalized/penalized.hpp"
#include "method/ridge/ridge.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

std::vector<const Method*> methods() {
  // Stateless objects: a fit keeps everything it needs on its own stack, so one instance serves all threads.
  static const Lasso lasso;
  static const ElasticNet elastic_net;
  static const Ridge ridge;
  static const CappedL1 capped_l1;
  static const VariationalGarrote vg;
  static const PairedMeanField pmf;
  static const AutomaticRelevance ard;
  static const BayesianMasking bm;
  static const Flas flas;
  static const ExpectationPropagation ep;
  static const Gibbs gibbs;
  static const Exact exact;
  return {&lasso, &elastic_net, &ridge, &capped_l1, &vg, &pmf, &ard, &bm, &flas, &ep, &gibbs, &exact};
}

const Method& method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method* known : methods()) {
    if (known->name() == name) return *known;
    names.emplace_back(known->name());
  }
  throw InvalidOption(fmt::format("unknown method '{}'{}; available methods: {}", name, did_you_mean(name, names),
                                  fmt::join(names, ", ")));
}

Fit fit(const Problem& problem, std::string_view name, const std::map<std::string, OptionValue>& options,
        const Control& control) {
  return method(name).fit(problem, options, control);
}

}  // namespace tamis
