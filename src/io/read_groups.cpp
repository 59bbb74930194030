// Groups of features from a CSV file with the columns feature and group, in any order of rows. Features that are not
// listed form groups of their own; a feature that is not in the data or listed twice is an error, since a misspelled
// name would otherwise silently be a group of one.
// Example    feature,group
//            age,person
//            bmi,person
//            ldl,blood
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

// Both columns and no others; "=" marks text: names of features and groups may look like numbers.
ColumnFilter two_columns() {
  ReadOptions options;
  options.features = {"feature=", "group="};
  return ColumnFilter(options);
}

// Cells of a text column; a missing one is refused.
std::vector<std::string> words_of(const Source& source, const Table& table, const std::string& name) {
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at == table.names.end()) source.refuse("expected the columns feature and group");
  const Index column = at - table.names.begin();
  const std::vector<std::string>& levels = table.levels.at(column);
  std::vector<std::string> words;
  for (const double code : table.dense.column(column)) {
    if (std::isnan(code)) source.refuse(fmt::format("row {}: the {} is missing", words.size() + 1, name));
    words.push_back(levels[static_cast<std::int64_t>(code)]);
  }
  return words;
}

}  // namespace

std::vector<Index> groups_of(const Source& source, std::span<const std::string> features) {
  const Table table = read_csv(source, two_columns());
  source.refuse_if_changed();
  const std::vector<std::string> names = words_of(source, table, "feature"), groups = words_of(source, table, "group");
  std::unordered_map<std::string_view, std::size_t> place;
  for (Index j = 0; j < std::ssize(features); ++j) place.emplace(features[j], j);
  std::vector<const std::string*> group_of(features.size(), nullptr);
  for (Index i = 0; i < std::ssize(names); ++i) {
    const auto found = place.find(names[i]);
    if (found == place.end()) {
      source.refuse(fmt::format("row {}: {} is not a feature of the data; {}", i + 1, shown(names[i]),
                                suggestion(names[i], {features.begin(), features.end()})));
    }
    if (group_of[found->second] != nullptr) {
      source.refuse(fmt::format("row {}: {} is listed twice", i + 1, shown(names[i])));
    }
    group_of[found->second] = &groups[i];
  }
  // Groups are numbered in the order of the features, so that results do not depend on the order of the file.
  std::unordered_map<std::string_view, Index> number;
  std::vector<Index> numbers;
  Index next = 0;
  for (const std::string* group : group_of) {
    if (group == nullptr) {
      numbers.push_back(next++);
      continue;
    }
    const auto [at, fresh] = number.emplace(*group, next);
    next += fresh ? 1 : 0;
    numbers.push_back(at->second);
  }
  return numbers;
}

}  // namespace io

std::vector<Index> read_groups(const std::string& path, std::span<const std::string> features) {
  return io::groups_of(io::Source::open(path), features);
}

}  // namespace tamis
