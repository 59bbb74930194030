// The list of designs, and what is the same for all: checking parameters, naming columns.
#include "experiments/designs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/generators.hpp"
#include "tamis/base/error.hpp"

namespace tamis::experiments {
namespace {

const std::vector<DesignEntry>& entries() {
  static const std::vector<DesignEntry> all = [] {
    std::vector<DesignEntry> list;
    for (auto* papers : {garrote_designs, masking_designs, laplace_designs, laplace_table_designs, relevance_designs,
                         factor_designs, benchmark_designs}) {
      const std::vector<DesignEntry> some = papers();
      list.insert(list.end(), some.begin(), some.end());
    }
    return list;
  }();
  return all;
}

const DesignEntry& find(std::string_view name) {
  std::vector<std::string> names;
  for (const DesignEntry& entry : entries()) {
    if (entry.description.name == name) return entry;
    names.push_back(entry.description.name);
  }
  throw InvalidOption(fmt::format("unknown design '{}'; available designs: {}", name, fmt::join(names, ", ")));
}

void check(const SimulationDesign& design, const DesignParameter& parameter, double value) {
  const bool fits = value >= parameter.minimum && value <= parameter.maximum;  // false for NaN
  if (fits && (!parameter.whole || value == std::floor(value))) return;
  throw InvalidOption(fmt::format("{}: {} is {}; expected {} from {} to {} ({})", design.name, parameter.name, value,
                                  parameter.whole ? "an integer" : "a number", parameter.minimum, parameter.maximum,
                                  parameter.meaning));
}

std::map<std::string, double> complete(const SimulationDesign& design, const std::map<std::string, double>& given) {
  std::map<std::string, double> values;
  std::vector<std::string> names;
  for (const DesignParameter& parameter : design.parameters) {
    values[parameter.name] = parameter.fallback;
    names.push_back(parameter.name);
  }
  for (const auto& [name, value] : given) {
    const auto known =
        std::find_if(design.parameters.begin(), design.parameters.end(),
                     [&wanted = name](const DesignParameter& parameter) { return parameter.name == wanted; });
    if (known == design.parameters.end()) {
      throw InvalidOption(fmt::format("{}: unknown parameter '{}'; its parameters are {}", design.name, name,
                                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    check(design, *known, value);
    values[name] = value;
  }
  return values;
}

std::vector<std::string> numbered(std::string_view stem, Index count) {
  std::vector<std::string> names;
  for (Index k = 1; k <= count; ++k) names.push_back(fmt::format("{}{}", stem, k));
  return names;
}

}  // namespace

std::vector<SimulationDesign> simulation_designs() {
  std::vector<SimulationDesign> list;
  for (const DesignEntry& entry : entries()) list.push_back(entry.description);
  return list;
}

Simulation simulate(std::string_view design, std::uint64_t seed, const std::map<std::string, double>& parameters) {
  const DesignEntry& entry = find(design);
  Simulation out;
  out.design = entry.description.name;
  out.paper = entry.description.paper;
  out.family = entry.description.family;
  out.seed = seed;
  out.parameters = complete(entry.description, parameters);
  entry.draw(Parameters(out.parameters), out);
  out.feature_names = numbered("x", out.train.cols());
  const Index responses = out.train.y.cols();
  out.response_names = responses == 1 ? std::vector<std::string>{"y"} : numbered("y", responses);
  return out;
}

}  // namespace tamis::experiments
