// The only list of methods: a new one is its declaration and its place in the list here. Order is that of help texts
// and comparisons.
#include <fmt/format.h>

#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

const Method& lasso();
const Method& elastic_net();
const Method& ridge();
const Method& capped_l1();
const Method& vg();
const Method& pmf();
const Method& ard();
const Method& bm();
const Method& flas();
const Method& ep();
const Method& gibbs();
const Method& exact();

std::vector<const Method*> methods() {
  // Stateless objects: a fit keeps everything it needs on its own stack, so one instance serves all threads.
  return {&lasso(), &elastic_net(), &ridge(), &capped_l1(), &vg(),    &pmf(),
          &ard(),   &bm(),          &flas(),  &ep(),        &gibbs(), &exact()};
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
