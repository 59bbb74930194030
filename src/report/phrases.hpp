// Text that several sheets share: counts, lists of names, rounded numbers, durations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/fit/fit.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// "1 feature", "12,345 features".
std::string quantity(Index count, std::string_view one, std::string_view many);
/// 12345678 -> "12,345,678".
std::string with_commas(Index count);
/// A name, cut in the middle of a sentence where it is very long.
std::string short_name(std::string_view name);
/// "a, b and c", "a, b and 7 others": at most `most` of them by name.
std::string listed(const std::vector<std::string>& names, Index most);
/// That many significant digits, without an exponent where that is short: 220, not 2.2e+02.
std::string rounded(double value, int digits = 4);
/// A probability with three digits; what is not quite 0 or 1 does not look like it.
std::string share_words(double value);
/// 0.0123 s as "12.3 ms", 7325 s as "2 h 2 min".
std::string duration(double seconds);
/// "Not converged (iteration limit)".
std::string status_words(Status status);

/// Options as they were used, by name; those that were not given are left out.
std::vector<Fact> option_facts(const std::map<std::string, OptionValue>& options);

/// The names of `selected`, in its order.
std::vector<std::string> names_of(const Fit& fit, const std::vector<Selected>& selected);

}  // namespace tamis
