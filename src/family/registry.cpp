// The only list of families: a new one is its declaration and its place in the list here.
#include "base/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

const Family& gaussian();
const Family& bernoulli();
const Family& poisson();

namespace {

// Made when it is first asked for: families are added while static objects of other files are being initialized.
Registry<const Family*>& registry() {
  static Registry<const Family*> only("add_family", {&gaussian(), &bernoulli(), &poisson()});
  return only;
}

}  // namespace

std::vector<const Family*> families() {
  const std::deque<const Family*>& list = registry().list();
  return {list.begin(), list.end()};
}

const Family& add_family(const Family& family) {
  return *registry().add(&family, [](const auto&) {});
}

const Family& family(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Family* each : registry().list()) {
    if (each->name() == name) return *each;
    names.push_back(each->name());
  }
  throw InvalidOption(
      fmt::format("family: received '{}'; expected one of {}", name.substr(0, 60), fmt::join(names, ", ")));
}

std::string_view guess_family(std::span<const double> y) {
  const auto by_resemblance = [&](const Family* a, const Family* b) { return a->resemblance(y) < b->resemblance(y); };
  return (*std::ranges::max_element(registry().list(), by_resemblance))->name();
}

}  // namespace tamis
