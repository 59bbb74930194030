// Options are described once: CLI flags, Python keywords, validation messages and docs are made from Fields.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/fit/fit.hpp"

namespace tamis {

enum class FieldType { real, integer, boolean, choice, text };
std::string_view name_of(FieldType type);

/// One option of a method: what it is called, what it means, what it may be.
struct Field {
  std::string name;
  std::string meaning;  ///< a clause for help texts, no full stop
  FieldType type = FieldType::real;
  OptionValue fallback;  ///< default; monostate: not set, the method decides (and the meaning says how)
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool open_minimum = false;  ///< minimum itself is excluded
  std::vector<std::string> choices = {};

  static Field real(std::string name, std::string meaning, OptionValue fallback, double minimum, double maximum,
                    bool open_minimum = false);
  static Field integer(std::string name, std::string meaning, OptionValue fallback, double minimum, double maximum);
  static Field boolean(std::string name, std::string meaning, bool fallback);
  static Field choice(std::string name, std::string meaning, std::vector<std::string> choices, std::string fallback);
  static Field text(std::string name, std::string meaning);
  /// "number > 0", "integer from 1 to 1000", "min | one-se": the range in words.
  std::string range() const;
};

/// Values for a list of Fields: complete (defaults filled in) and valid by construction.
class Options {
 public:
  Options() = default;
  /// Checks names, types and ranges against `fields`; throws InvalidOption naming the option, what was received,
  /// what is allowed, and for an unknown name the nearest known one. `owner` is the method's name for messages.
  Options(std::string_view owner, std::span<const Field> fields, const std::map<std::string, OptionValue>& given);

  bool has(std::string_view name) const;  ///< set, by the caller or by a default
  double real(std::string_view name) const;
  Index integer(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  std::optional<double> maybe_real(std::string_view name) const;
  const std::map<std::string, OptionValue>& values() const { return values_; }

 private:
  std::map<std::string, OptionValue> values_;
};

/// `text` as the type of `field` ("true", "0.5", "min"); throws InvalidOption if it does not read as one.
OptionValue parse_option(const Field& field, std::string_view text);

}  // namespace tamis
