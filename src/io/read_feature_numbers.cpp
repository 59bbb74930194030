// Numbers by feature from a CSV file. Unknown and repeated features are errors, since a misspelled name would silently
// get the default.
#include "io/read_feature_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/message_text.hpp"
#include "io/read_csv.hpp"

namespace tamis::io {
namespace {

// Both columns and no others; "=" marks text: names of features may look like numbers.
ColumnFilter two_columns(const std::string& numbers) {
  ReadOptions options;
  options.features = {"feature=", numbers};
  return ColumnFilter(options);
}

Index place_of(const Source& source, const Table& table, const std::string& name, const std::string& numbers) {
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at == table.names.end()) source.refuse(fmt::format("expected the columns feature and {}", numbers));
  return at - table.names.begin();
}

}  // namespace

std::vector<double> read_feature_numbers(const Source& source, const FeatureNumbers& what,
                                         std::span<const std::string> features) {
  const Table table = read_csv(source, two_columns(what.column));
  source.refuse_if_changed();
  const Index name_column = place_of(source, table, "feature", what.column);
  const Index number_column = place_of(source, table, what.column, what.column);
  if (table.levels.contains(number_column)) {
    source.refuse(fmt::format("column {} is text; {}", what.column, what.expected));
  }
  const auto codes = table.dense.column(name_column), values = table.dense.column(number_column);
  const std::vector<std::string>& names = table.levels.at(name_column);
  std::unordered_map<std::string_view, std::size_t> place;
  for (Index j = 0; j < std::ssize(features); ++j) place.emplace(features[j], j);

  std::vector<double> numbers(features.size(), what.fallback);
  std::vector<char> given(features.size(), 0);
  for (Index i = 0; i < std::ssize(codes); ++i) {
    if (std::isnan(codes[i])) source.refuse(fmt::format("row {}: the feature is missing", i + 1));
    const std::string& name = names[static_cast<std::int64_t>(codes[i])];
    const auto found = place.find(name);
    if (found == place.end()) {
      source.refuse(fmt::format("row {}: {} is not a feature of the data; {}", i + 1, shown(name),
                                suggestion(name, {features.begin(), features.end()})));
    }
    if (!(values[i] >= 0 && values[i] <= what.largest)) {
      source.refuse(fmt::format("row {}: the {} of {} is {}; {}", i + 1, what.column, shown(name),
                                std::isnan(values[i]) ? "missing" : fmt::format("{}", values[i]), what.expected));
    }
    if (given[found->second] != 0) source.refuse(fmt::format("row {}: {} is listed twice", i + 1, shown(name)));
    given[found->second] = 1;
    numbers[found->second] = values[i];
  }
  return numbers;
}

}  // namespace tamis::io
