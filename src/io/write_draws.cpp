// Posterior draws as files for other programs.
//
// Formats    .json: the arguments of arviz.from_dict (posterior, sample_stats, coords, dims), each variable nested as
//            [chain][draw] or [chain][draw][feature]. Otherwise NPZ: one array per variable with the same axes, and
//            feature_names.
// Missing    NaN and infinities become null in JSON and stay what they are in NPZ.
// Order      variables keep the order of the sampler; values are stored with chains outermost, as ArviZ expects.
// Example    {"posterior": {"intercept": [[0.1, 0.2], [0.1, 0.3]], "beta": [[[1, 0], [1, 0.1]], [[0.9, 0], [1, 0]]]},
//             "sample_stats": {...}, "coords": {"feature": ["a", "b"]}, "dims": {"beta": ["feature"]}}
//            two chains of two draws, two features.
#include "tamis/io/write_draws.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/write_npz.hpp"
#include "tamis/base/atomic_file.hpp"

namespace tamis {
namespace {

void append_number(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  std::array<char, 32> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

// Formatted directly: a tree of JSON values would take many times the memory of the numbers.
void append_variable(std::string& text, const Draws& draws, const DrawnVariable& variable) {
  text += '"' + variable.name + "\": [";
  std::size_t at = 0;
  for (Index c = 0; c < draws.chains; ++c) {
    text += c > 0 ? ",\n[" : "[";
    for (Index s = 0; s < draws.samples; ++s) {
      if (s > 0) text += ',';
      if (variable.listed) text += '[';
      for (Index k = 0; k < variable.items; ++k) {
        if (k > 0) text += ',';
        append_number(text, variable.values[at++]);
      }
      if (variable.listed) text += ']';
    }
    text += ']';
  }
  text += ']';
}

void append_group(std::string& text, const char* name, const Draws& draws,
                  const std::vector<DrawnVariable>& variables) {
  text += std::string("\"") + name + "\": {\n";
  for (Index k = 0; k < std::ssize(variables); ++k) {
    if (k > 0) text += ",\n";
    append_variable(text, draws, variables[k]);
  }
  text += "}";
}

// The arguments of arviz.from_dict by name.
std::string arviz_json(const Draws& draws) {
  using Json = nlohmann::ordered_json;
  Json dims = Json::object();
  for (const DrawnVariable& variable : draws.posterior) {
    if (variable.listed) dims[variable.name] = {"feature"};
  }
  std::string text = "{";
  append_group(text, "posterior", draws, draws.posterior);
  text += ",\n";
  append_group(text, "sample_stats", draws, draws.statistics);
  text += ",\n\"coords\": " + Json{{"feature", draws.features}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text + ",\n\"dims\": " + dims.dump() + "}\n";
}

std::string npz(const Draws& draws) {
  io::NpzText file;
  for (const auto* group : {&draws.posterior, &draws.statistics}) {
    for (const DrawnVariable& variable : *group) {
      std::vector<Index> shape = {draws.chains, draws.samples};
      if (variable.listed) shape.push_back(variable.items);
      file.add(variable.name, shape, variable.values);
    }
  }
  file.add("feature_names", draws.features);
  return std::move(file).finish();
}

}  // namespace

void write_draws(const std::string& path, const Draws& draws) {
  write_file_atomically(path, path.ends_with(".json") ? arviz_json(draws) : npz(draws));
}

}  // namespace tamis
