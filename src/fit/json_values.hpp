// Writer for the parts that all kinds of model files share: numbers, options, traces, one line per top-level key. NaN
// and infinities, which JSON lacks, become null.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/fit/fit.hpp"

namespace tamis::json {

using Value = nlohmann::ordered_json;

/// null unless finite.
Value number(double value);
Value number(const std::optional<double>& value);
Value numbers(const std::vector<double>& values);
/// Whole numbers are written as such: 10, not 10.0.
Value options(const std::map<std::string, OptionValue>& values);
Value trace(const std::vector<TracePoint>& points);

/// Collects "key": value lines. A name that is not UTF-8 is written with replacement marks rather than not at all.
class Lines {
 public:
  Lines() = default;
  /// What gets long is handed on in pieces, and finish() returns the last one.
  explicit Lines(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}
  void add(const char* key, const Value& value);
  /// Begins a line: its JSON has to be appended to what is returned, and now and then flush() called.
  std::string& begin(const char* key);
  void flush();
  std::string finish() && { return std::move(text_) + "\n}\n"; }

 private:
  std::string text_;
  bool begun_ = false;
  std::function<void(std::string_view)> sink_;
};

}  // namespace tamis::json
