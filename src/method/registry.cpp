// The only list of methods: a new one is its file pair and a line here. Order is that of help texts and comparisons.
#include "base/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

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
namespace {

std::deque<const Method*> own_methods() {
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

// Made when it is first asked for: methods are added while static objects of other files are being initialized.
Registry<const Method*>& registry() {
  static Registry<const Method*> only("add_method", own_methods());
  return only;
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_method_name(std::string_view name) {
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return !name.empty() && is_lower(name.front()) && name.back() != '-' && name.find("--") == name.npos &&
         std::ranges::all_of(name, fits);
}

}  // namespace

std::vector<const Method*> methods() {
  const std::deque<const Method*>& list = registry().list();
  return {list.begin(), list.end()};
}

const Method& add_method(const Method& method) {
  if (!is_method_name(method.name())) {
    throw InvalidInput(fmt::format(
        "add_method: received the name '{}'; expected lower-case words and digits joined by hyphens, as capped-l1",
        method.name()));
  }
  return *registry().add(&method, [](const auto&) {});
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
