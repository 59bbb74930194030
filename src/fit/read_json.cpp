// The model file, read: untrusted like every other file. Everything that predict and select rely on is checked
// here once, and refused with the key, what was found and what was expected. Unknown keys are ignored, so that
// a later version may add some without a new schema.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "fit/family.hpp"
#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// A parsed file and where it came from: values by key, each of the right type or an error that says so.
class Reader {
 public:
  Reader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  [[noreturn]] void refuse(const std::string& reason) const { throw InvalidInput(where_ + ": " + reason); }

  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(fmt::format("'{}' is missing; the model file is not complete", key));
    return *found;
  }
  bool has(const char* key) const { return object_.contains(key); }

  std::string word(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) refuse_type(key, value, "text");
    return value.get<std::string>();
  }
  std::vector<std::string> words(const char* key) const {
    std::vector<std::string> result;
    for (const Json& value : list(key)) {
      if (!value.is_string()) refuse_type(item(key, result.size()), value, "text");
      result.push_back(value.get<std::string>());
    }
    return result;
  }
  double number(const char* key) const { return as_number(key, at(key)); }
  /// A number that may be null because it was not finite when written (NaN here) or is not known.
  double number_or_nan(const char* key) const { return as_number_or_nan(key, at(key)); }
  std::optional<double> maybe_number(const char* key) const {
    if (!has(key) || at(key).is_null()) return std::nullopt;
    return number(key);
  }
  std::vector<double> numbers(const char* key) const {
    std::vector<double> result;
    for (const Json& value : list(key)) result.push_back(as_number(item(key, result.size()), value));
    return result;
  }
  Index count(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_integer()) refuse_type(key, value, "a whole number from 0");
    // An unsigned value beyond Index would wrap into a negative one: refused like any negative one.
    const auto result = value.get<Index>();
    if (result < 0) refuse_type(key, value, "a whole number from 0");
    return result;
  }
  const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) refuse_type(key, value, "a list");
    return value;
  }
  const Json& object(const char* key) const {
    const Json& value = at(key);
    if (!value.is_object()) refuse_type(key, value, "an object");
    return value;
  }

  double as_number(const std::string& name, const Json& value) const {
    if (!value.is_number()) refuse_type(name, value, "a finite number");
    return value.get<double>();
  }
  double as_number_or_nan(const std::string& name, const Json& value) const {
    return value.is_null() ? not_a_number : as_number(name, value);
  }
  static std::string item(const std::string& key, std::size_t position) { return fmt::format("{}[{}]", key, position); }
  [[noreturn]] void refuse_type(const std::string& name, const Json& value, std::string_view expected) const {
    std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > 40) shown = value.type_name();
    refuse(fmt::format("'{}' is {}; expected {}", name, shown, expected));
  }

 private:
  const Json& object_;
  std::string where_;
};

// Parsing with two refusals that the library leaves to us: a key that comes twice (which of the two is meant?) and
// nesting deeper than any model file.
Json parse(const std::string& text, const std::string& where) {
  constexpr std::size_t deepest = 8;
  std::vector<std::unordered_set<std::string>> keys;  // of every object that is open now
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (static_cast<std::size_t>(depth) > deepest) {
      throw InvalidInput(fmt::format("{}: nested deeper than {} levels; this is no tamis model", where, deepest));
    }
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InvalidInput(fmt::format("{}: the key '{}' comes twice", where, value.get<std::string>().substr(0, 60)));
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {
    std::string reason = error.what();
    reason = reason.substr(reason.find("] ") + 2, 160);  // without the library's own error number
    throw InvalidInput(fmt::format("{}: broken JSON: {}", where, reason));
  }
}

void check_schema(const Reader& in) {
  constexpr std::string_view stem = "tamis.fit/";
  constexpr int newest = 1;
  if (!in.has("schema")) in.refuse("this is no tamis model: it has no 'schema'");
  const std::string schema = in.word("schema");
  int number = 0;
  const char* end = schema.data() + schema.size();
  const bool ours = schema.starts_with(stem) && schema.size() > stem.size() &&
                    std::from_chars(schema.data() + stem.size(), end, number).ptr == end && number >= 1;
  if (!ours) in.refuse(fmt::format("the schema is '{}'; expected {}{}", schema.substr(0, 60), stem, newest));
  if (number > newest) {
    in.refuse(
        fmt::format("the schema {} is newer than this version reads ({}{}); use a newer tamis", schema, stem, newest));
  }
}

std::map<std::string, OptionValue> read_options(const Reader& in) {
  std::map<std::string, OptionValue> options;
  for (const auto& [name, value] : in.object("options").items()) {
    if (value.is_null()) {
      options[name] = std::monostate{};
    } else if (value.is_boolean()) {
      options[name] = value.get<bool>();
    } else if (value.is_string()) {
      options[name] = value.get<std::string>();
    } else {
      options[name] = in.as_number("options." + name, value);
    }
  }
  return options;
}

std::map<std::string, HyperValue> read_hyper(const Reader& in) {
  std::map<std::string, HyperValue> hyper;
  for (const auto& [name, value] : in.object("hyper").items()) {
    const std::string full_name = "hyper." + name;
    if (value.is_string()) {
      hyper[name] = value.get<std::string>();
    } else if (value.is_array()) {
      std::vector<double> numbers;
      for (const Json& entry : value) numbers.push_back(in.as_number_or_nan(in.item(full_name, numbers.size()), entry));
      hyper[name] = std::move(numbers);
    } else {
      hyper[name] = in.as_number_or_nan(full_name, value);
    }
  }
  return hyper;
}

// Numbers by name of feature; NaN for a feature that is not named. A file without the key: empty.
std::vector<double> read_by_feature(const Reader& in, const char* key, const std::vector<std::string>& features) {
  if (!in.has(key)) return {};
  const Json& object = in.object(key);
  std::vector<double> values(features.size(), not_a_number);
  std::size_t found = 0;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const auto value = object.find(features[j]);
    if (value == object.end()) continue;
    values[j] = in.as_number(fmt::format("{}.{}", key, features[j].substr(0, 60)), *value);
    ++found;
  }
  if (found != object.size()) in.refuse(fmt::format("'{}' names a feature that the model does not have", key));
  return values;
}

template <typename Point, typename ReadPoint>
std::vector<Point> read_points(const Reader& in, const char* key, const std::string& where, ReadPoint read_point) {
  std::vector<Point> points;
  for (const Json& value : in.list(key)) {
    const std::string name = Reader::item(key, points.size());
    if (!value.is_object()) in.refuse_type(name, value, "an object");
    points.push_back(read_point(Reader(value, fmt::format("{}: {}", where, name))));
  }
  return points;
}

TracePoint read_trace_point(const Reader& in) {
  TracePoint point;
  point.iteration = in.count("iteration");
  point.objective = in.number_or_nan("objective");
  point.change = in.number_or_nan("change");
  point.active = in.count("active");
  if (in.has("certificate")) point.certificate = in.number_or_nan("certificate");
  return point;
}

PathPoint read_path_point(const Reader& in) {
  PathPoint point;
  point.value = in.number_or_nan("value");
  point.objective = in.number_or_nan("objective");
  point.validation_error = in.maybe_number("validation_error");
  point.validation_se = in.maybe_number("validation_se");
  point.active = in.count("active");
  if (in.has("certificate")) point.certificate = in.number_or_nan("certificate");
  return point;
}

TargetFit read_target(const Reader& in) {
  return {in.word("target"), in.number("intercept"), in.numbers("coefficients"), in.numbers("standard_deviations")};
}

// What the types alone do not say: lengths, ranges, and names that can be matched.
void check_content(const Reader& in, const Fit& fit) {
  const std::size_t p = fit.features.size();
  const auto check_length = [&](const char* key, std::size_t length, bool may_be_empty) {
    if (length == p || (may_be_empty && length == 0)) return;
    in.refuse(fmt::format("'{}' has {} entries for {} features", key, length, p));
  };
  check_length("coefficients", fit.coefficients.size(), false);
  check_length("standard_deviations", fit.standard_deviations.size(), true);
  check_length("inclusion", fit.inclusion.size(), true);
  for (const TargetFit& one : fit.more_targets) {
    check_length("more_targets.coefficients", one.coefficients.size(), false);
    check_length("more_targets.standard_deviations", one.standard_deviations.size(), true);
  }
  const auto check_range = [&](const char* key, const std::vector<double>& values, double highest, const char* words) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (values[j] < 0 || values[j] > highest) {
        in.refuse(fmt::format("'{}[{}]' is {}; expected {}", key, j, values[j], words));
      }
    }
  };
  check_range("inclusion", fit.inclusion, 1, "a probability from 0 to 1");
  check_range("standard_deviations", fit.standard_deviations, std::numeric_limits<double>::max(), "a number from 0");
  if (fit.noise_variance && *fit.noise_variance < 0) {
    in.refuse(fmt::format("'noise_variance' is {}; expected a number from 0 or null", *fit.noise_variance));
  }
  if (!fit.levels.empty() && fit.levels.size() != 2) {
    in.refuse(fmt::format("'levels' has {} entries; expected none or two", fit.levels.size()));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : fit.features) {
    if (!seen.insert(name).second) in.refuse(fmt::format("the feature '{}' comes twice", name.substr(0, 60)));
  }
}

// Runs a check that knows nothing of files, and adds the file to its words.
template <typename Check>
auto at_file(const Reader& in, Check check) {
  try {
    return check();
  } catch (const InvalidInput& error) {
    in.refuse(error.what());
  }
}

}  // namespace

Fit from_json(const std::string& text, const std::string& where) {
  const Json root = parse(text, where);
  const Reader in(root, where);
  if (!root.is_object()) in.refuse("this is no tamis model: expected a JSON object");
  check_schema(in);
  Fit fit;
  fit.schema = in.word("schema");
  fit.library_version = in.word("library_version");
  fit.method = in.word("method");
  fit.family = in.word("family");
  at_file(in, [&] { return family_of(fit.family); });
  fit.options = read_options(in);
  if (in.has("target")) fit.target = in.word("target");
  if (in.has("levels")) fit.levels = in.words("levels");
  fit.samples = in.count("samples");
  fit.features = in.words("features");
  fit.intercept = in.number("intercept");
  fit.coefficients = in.numbers("coefficients");
  fit.standard_deviations = in.numbers("standard_deviations");
  fit.inclusion = in.numbers("inclusion");
  in.at("noise_variance");
  fit.noise_variance = in.maybe_number("noise_variance");
  fit.hyper = read_hyper(in);
  fit.objective = in.number_or_nan("objective");
  fit.trace = read_points<TracePoint>(in, "trace", where, read_trace_point);
  fit.path = read_points<PathPoint>(in, "path", where, read_path_point);
  fit.status = at_file(in, [&] { return status_of(in.word("status")); });
  fit.message = in.word("message");
  fit.seconds = in.number_or_nan("seconds");
  if (in.has("more_targets")) fit.more_targets = read_points<TargetFit>(in, "more_targets", where, read_target);
  check_content(in, fit);
  fit.feature_means = read_by_feature(in, "feature_means", fit.features);
  fit.feature_spreads = read_by_feature(in, "feature_spreads", fit.features);
  return fit;
}

Fit load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw MissingFile(fmt::format("{}: the model cannot be opened", path));
  // The first character decides whether reading on is worth it: data files and devices may be without end.
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) throw MissingFile(fmt::format("{}: the model cannot be read", path));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::size_t first =
      text.find_first_not_of(text.starts_with("\xEF\xBB\xBF") ? "\xEF\xBB\xBF \t\r\n" : " \t\r\n");
  if (first == std::string::npos || text[first] != '{') {
    throw InvalidInput(fmt::format("{}: this is no tamis model: {}", path,
                                   text.empty() ? "the file is empty" : "it does not begin with '{'"));
  }
  text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return from_json(text, path);
}

}  // namespace tamis
