// Penalty factors from a CSV file with the columns feature and factor. Features that are not listed have factor 1; 0
// means not penalized. Unknown and repeated features are errors, since a misspelled name would silently be penalized
// with 1.
// Example    feature,factor
//            age,0
//            bmi,0.5
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/formats.hpp"
#include "io/message_text.hpp"
#include "io/read_csv.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis {
namespace io {
namespace {

// Both columns and no others; "=" marks text: names of features may look like numbers.
ColumnFilter two_columns() {
  ReadOptions options;
  options.features = {"feature=", "factor"};
  return ColumnFilter(options);
}

Index place_of(const Source& source, const Table& table, const std::string& name) {
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at == table.names.end()) source.refuse("expected the columns feature and factor");
  return at - table.names.begin();
}

}  // namespace

std::vector<double> factors_of(const Source& source, std::span<const std::string> features) {
  const Table table = read_csv(source, two_columns());
  source.refuse_if_changed();
  const Index name_column = place_of(source, table, "feature"), factor_column = place_of(source, table, "factor");
  if (table.levels.contains(factor_column)) source.refuse("column factor is text; factors must be nonnegative numbers");
  const auto codes = table.dense.column(name_column), values = table.dense.column(factor_column);
  const std::vector<std::string>& names = table.levels.at(name_column);
  std::unordered_map<std::string_view, std::size_t> place;
  for (Index j = 0; j < std::ssize(features); ++j) place.emplace(features[j], j);

  std::vector<double> factors(features.size(), 1.0);
  std::vector<char> given(features.size(), 0);
  for (Index i = 0; i < std::ssize(codes); ++i) {
    if (std::isnan(codes[i])) source.refuse(fmt::format("row {}: the feature is missing", i + 1));
    const std::string& name = names[static_cast<std::int64_t>(codes[i])];
    const auto found = place.find(name);
    if (found == place.end()) {
      source.refuse(fmt::format("row {}: {} is not a feature of the data; {}", i + 1, shown(name),
                                suggestion(name, {features.begin(), features.end()})));
    }
    if (!(values[i] >= 0)) {
      source.refuse(fmt::format("row {}: the factor of {} is {}; factors must be nonnegative numbers", i + 1,
                                shown(name), std::isnan(values[i]) ? "missing" : fmt::format("{}", values[i])));
    }
    if (given[found->second] != 0) source.refuse(fmt::format("row {}: {} is listed twice", i + 1, shown(name)));
    given[found->second] = 1;
    factors[found->second] = values[i];
  }
  return factors;
}

}  // namespace io

std::vector<double> read_penalty_factors(const std::string& path, std::span<const std::string> features) {
  return io::factors_of(io::Source::open(path), features);
}

}  // namespace tamis
