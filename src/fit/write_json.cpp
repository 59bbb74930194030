// The model file, written: schema "tamis.fit/1", one line per top-level key so that two models can be compared
// with diff. Numbers are written with the fewest digits that read back to the same bits; NaN and infinities,
// which JSON does not have, become null.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "tamis/base/atomic_file.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

// Options are counts and seeds as often as measures: 10, not 10.0. It reads back as the same number.
Json option_number(double value) {
  constexpr double exact_below = 9007199254740992;  // 2^53
  const bool whole = std::abs(value) < exact_below && value == std::floor(value);
  return whole && (value != 0 || !std::signbit(value)) ? Json(static_cast<std::int64_t>(value)) : number(value);
}

struct OptionToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(double value) const { return option_number(value); }
  Json operator()(const std::string& value) const { return value; }
};

struct HyperToJson {
  Json operator()(double value) const { return number(value); }
  Json operator()(const std::vector<double>& value) const { return numbers(value); }
  Json operator()(const std::string& value) const { return value; }
};

template <typename Map, typename Visitor>
Json object(const Map& values, Visitor visitor) {
  Json result = Json::object();
  for (const auto& [name, value] : values) result[name] = std::visit(visitor, value);
  return result;
}

// By name, and only those that are known: a wide model whose features are mostly out stays small.
Json by_feature(const Fit& fit, const std::vector<double>& values) {
  Json result = Json::object();
  for (std::size_t j = 0; j < std::min(values.size(), fit.features.size()); ++j) {
    if (std::isfinite(values[j])) result[fit.features[j]] = values[j];
  }
  return result;
}

Json trace_to_json(const std::vector<TracePoint>& trace) {
  Json list = Json::array();
  for (const TracePoint& point : trace) {
    list.push_back({{"iteration", point.iteration},
                    {"objective", number(point.objective)},
                    {"change", number(point.change)},
                    {"active", point.active},
                    {"certificate", number(point.certificate)}});
  }
  return list;
}

Json path_to_json(const std::vector<PathPoint>& path) {
  Json list = Json::array();
  for (const PathPoint& point : path) {
    list.push_back({{"value", number(point.value)},
                    {"objective", number(point.objective)},
                    {"validation_error", number(point.validation_error)},
                    {"active", point.active},
                    {"validation_se", number(point.validation_se)},
                    {"certificate", number(point.certificate)}});
  }
  return list;
}

// Collects "key": value lines. A name that is not UTF-8 is written with replacement marks rather than not at all.
class Lines {
 public:
  void add(const char* key, const Json& value) {
    text_ += text_.empty() ? "{\n\"" : ",\n\"";
    text_ += key;
    text_ += "\": ";
    text_ += value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  std::string finish() && { return std::move(text_) + "\n}\n"; }

 private:
  std::string text_;
};

}  // namespace

std::string to_json(const Fit& fit) {
  Lines lines;
  lines.add("schema", fit.schema);
  lines.add("library_version", fit.library_version);
  lines.add("method", fit.method);
  lines.add("family", fit.family);
  lines.add("options", object(fit.options, OptionToJson{}));
  lines.add("samples", fit.samples);
  lines.add("features", fit.features);
  lines.add("intercept", number(fit.intercept));
  lines.add("coefficients", numbers(fit.coefficients));
  lines.add("standard_deviations", numbers(fit.standard_deviations));
  lines.add("inclusion", numbers(fit.inclusion));
  lines.add("noise_variance", number(fit.noise_variance));
  lines.add("hyper", object(fit.hyper, HyperToJson{}));
  lines.add("objective", number(fit.objective));
  lines.add("trace", trace_to_json(fit.trace));
  lines.add("path", path_to_json(fit.path));
  lines.add("status", std::string(name_of(fit.status)));
  lines.add("message", fit.message);
  lines.add("seconds", number(fit.seconds));
  lines.add("target", fit.target);
  lines.add("levels", fit.levels);
  if (!fit.feature_means.empty()) lines.add("feature_means", by_feature(fit, fit.feature_means));
  if (!fit.feature_spreads.empty()) lines.add("feature_spreads", by_feature(fit, fit.feature_spreads));
  return std::move(lines).finish();
}

void save(const Fit& fit, const std::string& path) { write_file_atomically(path, to_json(fit)); }

}  // namespace tamis
