// Options of methods: declared once as Fields, checked here for the command line, Python and the library alike.
//
// A Field is name, type, range, default and meaning; help texts, Python signatures and documentation are made from it.
// Values are untrusted: the type is checked before the value is read, NaN and infinity fail every range, and every
// refusal names the option, what was received and what is expected. After construction of Options each declared name
// has a value of its type or none: a getter fails for a programming error only.
#include "tamis/method/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"

namespace tamis {

std::string_view name_of(FieldType type) {
  switch (type) {
    case FieldType::real:
      return "real";
    case FieldType::integer:
      return "integer";
    case FieldType::boolean:
      return "boolean";
    case FieldType::choice:
      return "choice";
    case FieldType::text:
      return "text";
  }
  return "";
}
namespace {

std::string shown(const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return "no value";
  if (const bool* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
  if (const double* d = std::get_if<double>(&value)) return fmt::format("{}", *d);
  return std::get<std::string>(value);
}

[[noreturn]] void refuse(const Field& field, const std::string& received) {
  const char* article = field.type == FieldType::integer ? "an " : field.type == FieldType::real ? "a " : "";
  throw InvalidOption(fmt::format("option {}: received {}; expected {}{} ({})", field.name, received, article,
                                  field.range(), field.meaning));
}

// No value is valid for every type: the method then chooses by the data, and says in `meaning` how.
void check_value(const Field& field, const OptionValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return;
  switch (field.type) {
    case FieldType::boolean:
      if (!std::holds_alternative<bool>(value)) refuse(field, shown(value));
      return;
    case FieldType::text:
      if (!std::holds_alternative<std::string>(value)) refuse(field, shown(value));
      return;
    case FieldType::choice: {
      const std::string* word = std::get_if<std::string>(&value);
      if (word == nullptr || std::ranges::find(field.choices, *word) == field.choices.end())
        refuse(field, shown(value));
      return;
    }
    case FieldType::real:
    case FieldType::integer: {
      const double* number = std::get_if<double>(&value);
      // Written so that NaN fails; isfinite also refuses infinity where a range is open.
      const bool in_range = number != nullptr && std::isfinite(*number) && *number >= field.minimum &&
                            *number <= field.maximum && !(field.open_minimum && *number == field.minimum);
      if (!in_range || (field.type == FieldType::integer && *number != std::floor(*number)))
        refuse(field, shown(value));
      return;
    }
  }
}

}  // namespace

// Named makers instead of aggregates, so that a declaration cannot give a boolean a range or a number a list of
// choices.
Field Field::real(std::string name, std::string meaning, OptionValue fallback, double minimum, double maximum,
                  bool open_minimum) {
  return {std::move(name), std::move(meaning), FieldType::real, std::move(fallback), minimum, maximum, open_minimum};
}

Field Field::integer(std::string name, std::string meaning, OptionValue fallback, double minimum, double maximum) {
  return {std::move(name), std::move(meaning), FieldType::integer, std::move(fallback), minimum, maximum};
}

Field Field::boolean(std::string name, std::string meaning, bool fallback) {
  return {std::move(name), std::move(meaning), FieldType::boolean, fallback};
}

Field Field::choice(std::string name, std::string meaning, std::vector<std::string> choices, std::string fallback) {
  Field field{std::move(name), std::move(meaning), FieldType::choice, std::move(fallback)};
  field.choices = std::move(choices);
  return field;
}

Field Field::text(std::string name, std::string meaning) {
  return {std::move(name), std::move(meaning), FieldType::text, std::monostate{}};
}

std::string Field::range() const {
  switch (type) {
    case FieldType::boolean:
      return "true | false";
    case FieldType::choice:
      return fmt::format("{}", fmt::join(choices, " | "));
    case FieldType::text:
      return "text";
    default:
      break;
  }
  std::string kind = type == FieldType::integer ? "integer" : "number";
  // An infinite bound is no bound and is not shown.
  const bool below = std::isfinite(minimum);
  const bool above = std::isfinite(maximum);
  const char* sign = open_minimum ? ">" : ">=";
  if (below && above) {
    return fmt::format("{} {}", kind,
                       open_minimum ? fmt::format("> {} and <= {}", minimum, maximum)
                                    : fmt::format("from {} to {}", minimum, maximum));
  }
  if (below) return fmt::format("{} {} {}", kind, sign, minimum);
  if (above) return fmt::format("{} <= {}", kind, maximum);
  return kind;
}

// Defaults are not checked: one out of its range would be a bug of the method.
Options::Options(std::string_view owner, std::span<const Field> fields,
                 const std::map<std::string, OptionValue>& given) {
  for (const Field& field : fields) values_[field.name] = field.fallback;
  for (const auto& [name, value] : given) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    // An unknown name is an error, not a warning: a misspelled option would silently be the default.
    if (field == fields.end()) {
      std::vector<std::string> names;
      for (const Field& f : fields) names.push_back(f.name);
      throw InvalidOption(fmt::format("{} has no option '{}'{}; its options are: {}", owner, name,
                                      did_you_mean(name, names), fmt::join(names, ", ")));
    }
    check_value(*field, value);
    // An explicit "no value" keeps the default.
    if (!std::holds_alternative<std::monostate>(value)) values_[name] = value;
  }
}

bool Options::has(std::string_view name) const {
  return !std::holds_alternative<std::monostate>(values_.at(std::string(name)));
}
double Options::real(std::string_view name) const { return std::get<double>(values_.at(std::string(name))); }
Index Options::integer(std::string_view name) const { return static_cast<Index>(real(name)); }
bool Options::boolean(std::string_view name) const { return std::get<bool>(values_.at(std::string(name))); }
const std::string& Options::text(std::string_view name) const {
  return std::get<std::string>(values_.at(std::string(name)));
}
std::optional<double> Options::maybe_real(std::string_view name) const {
  if (!has(name)) return std::nullopt;
  return real(name);
}

// For text of the command line and of files. The result has passed the same check as a value from Python or C++, so
// that messages agree.
OptionValue parse_option(const Field& field, std::string_view text) {
  switch (field.type) {
    case FieldType::boolean:
      // Spellings common in shells and configuration files; no prefixes, no other case.
      if (text == "true" || text == "yes" || text == "1" || text == "on") return true;
      if (text == "false" || text == "no" || text == "0" || text == "off") return false;
      refuse(field, fmt::format("'{}'", text));
    case FieldType::real:
    case FieldType::integer: {
      double number = 0;
      // from_chars: independent of the locale, and the whole text must be a number.
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size()) refuse(field, fmt::format("'{}'", text));
      check_value(field, number);
      return number;
    }
    default: {
      OptionValue value{std::string(text)};
      check_value(field, value);
      return value;
    }
  }
}

}  // namespace tamis
