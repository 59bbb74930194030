// Reader of model files, which are untrusted like every other input. A value is requested by key and type; a mismatch
// is refused with the key, what was found and what was expected. Unknown keys are ignored, so that a later version may
// add some without a new schema.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis::json {

using Parsed = nlohmann::json;

/// A parsed file and where it came from: values by key, each of the right type or an error that says so.
class Reader {
 public:
  Reader(const Parsed& object, std::string where) : object_(object), where_(std::move(where)) {}

  [[noreturn]] void refuse(const std::string& reason) const { throw InvalidInput(where_ + ": " + reason); }

  const Parsed& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) refuse(fmt::format("the key '{}' is missing; the model file is incomplete", key));
    return *found;
  }
  bool has(const char* key) const { return object_.contains(key); }

  std::string word(const char* key) const {
    const Parsed& value = at(key);
    if (!value.is_string()) refuse_type(key, value, "a string");
    return value.get<std::string>();
  }
  std::vector<std::string> words(const char* key) const {
    std::vector<std::string> result;
    for (const Parsed& value : list(key)) {
      if (!value.is_string()) refuse_type(item(key, result.size()), value, "a string");
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
    for (const Parsed& value : list(key)) result.push_back(as_number(item(key, result.size()), value));
    return result;
  }
  Index count(const char* key) const {
    const Parsed& value = at(key);
    if (!value.is_number_integer()) refuse_type(key, value, "a nonnegative integer");
    // An unsigned value beyond Index would wrap into a negative one: refused like any negative one.
    const auto result = value.get<Index>();
    if (result < 0) refuse_type(key, value, "a nonnegative integer");
    return result;
  }
  const Parsed& list(const char* key) const {
    const Parsed& value = at(key);
    if (!value.is_array()) refuse_type(key, value, "an array");
    return value;
  }
  const Parsed& object(const char* key) const {
    const Parsed& value = at(key);
    if (!value.is_object()) refuse_type(key, value, "an object");
    return value;
  }

  double as_number(const std::string& name, const Parsed& value) const {
    if (!value.is_number()) refuse_type(name, value, "a finite number");
    return value.get<double>();
  }
  double as_number_or_nan(const std::string& name, const Parsed& value) const {
    return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : as_number(name, value);
  }
  static std::string item(const std::string& key, std::size_t position) { return fmt::format("{}[{}]", key, position); }
  [[noreturn]] void refuse_type(const std::string& name, const Parsed& value, std::string_view expected) const {
    std::string shown = value.dump(-1, ' ', true, Parsed::error_handler_t::replace);
    if (shown.size() > 40) shown = value.type_name();
    refuse(fmt::format("'{}' is {}; expected {}", name, shown, expected));
  }

 private:
  const Parsed& object_;
  std::string where_;
};

/// The text of a model file. The first character decides whether it is read to its end: data files and devices may have
/// none. Throws MissingFile, or InvalidInput if it is no JSON object.
std::string model_text(const std::string& path);

/// Refuses broken JSON with its place, a key that comes twice, nesting deeper than any model file, and what is no
/// object.
Parsed parse(const std::string& text, const std::string& where);

/// The schema is `stem` and a number from 1 to `newest`, or the file is refused.
void check_schema(const Reader& in, std::string_view stem, int newest);

/// A regression model, checked as a whole.
Fit read_fit(const Parsed& root, const std::string& where);

std::map<std::string, OptionValue> read_options(const Reader& in);
TracePoint read_trace_point(const Reader& in);

/// A list of objects, each read by `read_point`.
template <typename Point, typename ReadPoint>
std::vector<Point> read_points(const Reader& in, const char* key, const std::string& where, ReadPoint read_point) {
  std::vector<Point> points;
  for (const Parsed& value : in.list(key)) {
    const std::string name = Reader::item(key, points.size());
    if (!value.is_object()) in.refuse_type(name, value, "an object");
    points.push_back(read_point(Reader(value, fmt::format("{}: {}", where, name))));
  }
  return points;
}

/// Runs a check that knows nothing of files, and adds the file to its words.
template <typename Check>
auto at_file(const Reader& in, Check check) {
  try {
    return check();
  } catch (const InvalidInput& error) {
    in.refuse(error.what());
  }
}

}  // namespace tamis::json
