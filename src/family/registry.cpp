// The only list of families: a new one is a file pair and a line here.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "family/bernoulli.hpp"
#include "family/gaussian.hpp"
#include "family/poisson.hpp"
#include "tamis/base/error.hpp"

namespace tamis {

std::vector<const Likelihood*> likelihoods() {
  static const Gaussian gaussian;
  static const Bernoulli bernoulli;
  static const Poisson poisson;
  return {&gaussian, &bernoulli, &poisson};
}

const Likelihood& likelihood(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Likelihood* each : likelihoods()) {
    if (each->name() == name) return *each;
    names.push_back(each->name());
  }
  throw InvalidOption(fmt::format("family: \"{}\" is unknown; use one of {}", name, fmt::join(names, ", ")));
}

std::string_view guess_family(std::span<const double> y) {
  const bool binary = std::all_of(y.begin(), y.end(), [](double value) { return value == 0 || value == 1; });
  return binary && response_varies(y, {}) ? "bernoulli" : "gaussian";
}

}  // namespace tamis
