// Numbers, names and lists as text for people.
// Rounding   significant digits without exponents between 1e-4 and 1e9; probabilities that are not 0 or 1 never print
//            as 0.000 or 1.000.
// Examples   quantity(12345, "row", "rows") "12,345 rows"; rounded(219.6, 2) "220"; duration(3725) "62 min"; listed:
//            "a, b and 7 others"
#include "report/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

struct OptionWords {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

// Thousands separators from the right; not through the locale, which may have others.
std::string with_commas(Index count) {
  std::string digits = std::to_string(count);
  for (auto at = std::ssize(digits) - 3; at > (count < 0 ? 1 : 0); at -= 3) {
    digits.insert(at, ",");
  }
  return digits;
}

std::string quantity(Index count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

std::string short_name(std::string_view name) {
  constexpr Index longest = 48;
  const std::string visible = printable(name);
  return fitted(visible, std::min(longest, display_width(visible)));
}

std::string listed(const std::vector<std::string>& names, Index most) {
  // One name more than `most` is listed, too: it takes no more room than "and 1 others".
  const Index shown = std::ssize(names) <= most + 1 ? std::ssize(names) : most;
  std::string words;
  for (Index k = 0; k < shown; ++k) {
    if (k > 0) words += k + 1 == std::ssize(names) ? " and " : ", ";
    words += short_name(names[k]);
  }
  if (std::ssize(names) > shown) words += fmt::format(" and {} others", with_commas(names.size() - shown));
  return words;
}

// fmt's %g would print 2.2e+02 for 219.6 with two digits: from `digits` digits before the point on, round to a multiple
// of a power of ten and print without decimals.
std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return "unknown";
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e9) return fmt::format("{:.{}g}", value, digits);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;  // digits before the point
  if (before < digits) return fmt::format("{:.{}g}", value, digits);
  const double unit = std::pow(10.0, before - digits);
  return fmt::format("{:.0f}", std::round(value / unit) * unit);
}

std::string share_words(double value) {
  if (value > 0 && value < 0.001) return "less than 0.001";
  if (value < 1 && value > 0.999) return "more than 0.999";
  return fmt::format("{:.3f}", value);
}

// Milliseconds below one second, seconds up to two minutes, then minutes up to two hours, then hours and minutes.
// Each unit ends where its successor still has about two digits.
std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", 1000 * seconds);
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  const Index minutes = static_cast<Index>(seconds / 60);
  if (minutes < 120) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string status_words(Status status) {
  if (status == Status::converged) return "Converged";
  std::string reason(name_of(status));
  std::replace(reason.begin(), reason.end(), '_', ' ');
  return fmt::format("Not converged ({})", reason);
}

std::vector<Fact> option_facts(const std::map<std::string, OptionValue>& options) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : options) {
    if (!std::holds_alternative<std::monostate>(value)) facts.push_back({name, std::visit(OptionWords{}, value)});
  }
  return facts;
}

std::vector<std::string> names_of(const Fit& fit, const std::vector<Selected>& selected) {
  std::vector<std::string> names;
  names.reserve(selected.size());
  for (const Selected& one : selected) names.push_back(fit.features[one.feature]);
  return names;
}

}  // namespace tamis
