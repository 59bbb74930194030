// The only list of families: a new one is its declaration and its place in the list here.
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

std::vector<const Family*>& registered() {
  static std::vector<const Family*> list = {&gaussian(), &bernoulli(), &poisson()};
  return list;
}

}  // namespace

std::vector<const Family*> families() { return registered(); }

void add_family(const Family& family) {
  for (const Family* known : registered()) {
    if (known->name() == family.name()) {
      throw InvalidInput(
          fmt::format("add_family: there is a family '{}' already; give yours another name", family.name()));
    }
  }
  registered().push_back(&family);
}

const Family& family(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Family* each : registered()) {
    if (each->name() == name) return *each;
    names.push_back(each->name());
  }
  throw InvalidOption(
      fmt::format("family: received '{}'; expected one of {}", name.substr(0, 60), fmt::join(names, ", ")));
}

std::string_view guess_family(std::span<const double> y) {
  const auto by_resemblance = [&](const Family* a, const Family* b) { return a->resemblance(y) < b->resemblance(y); };
  return (*std::ranges::max_element(registered(), by_resemblance))->name();
}

}  // namespace tamis
