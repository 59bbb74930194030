#include "io/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/words.hpp"

namespace tamis::io {

ColumnFilter::ColumnFilter(const ReadOptions& options) : only_known_(!options.features.empty()) {
  for (const auto& name : options.exclude) excluded_.emplace(name, true);
  for (const auto& feature : options.features) {
    known_.insert_or_assign(feature, false);
    // A level may hold '=' too, and so may a column's name: every cut is possible.
    for (auto at = feature.find('='); at != std::string::npos; at = feature.find('=', at + 1)) {
      known_.emplace(feature.substr(0, at), true);
    }
  }
  for (const auto* role : {&options.target, &options.weights, &options.offset}) {
    if (!role->empty()) known_.emplace(*role, false);
  }
}

bool ColumnFilter::wants(const std::string& name) const {
  return !excluded_.contains(name) && (!only_known_ || known_.contains(name));
}

bool ColumnFilter::is_text(const std::string& name) const {
  const auto found = known_.find(name);
  return found != known_.end() && found->second;
}

std::vector<std::string> notes_on(const Table& table) {
  const std::size_t most_columns = std::min<std::size_t>(5, table.mixtures.size());
  std::vector<std::string> notes;
  if (table.names_are_numbers) {
    notes.emplace_back(
        "all names are numbers: the first line was taken for the names of the columns; if it is data, write names "
        "above it");
  }
  std::size_t columns = 0;
  for (Index j = 0; j < table.cols() && columns < most_columns; ++j) {
    const auto mixture = table.mixtures.find(j);
    if (mixture == table.mixtures.end()) continue;
    ++columns;
    const std::size_t levels = table.levels.at(j).size();
    notes.push_back(fmt::format("column {} {}: taken as text, {} level{}", shown(table.names[j]), mixture->second,
                                levels, levels == 1 ? "" : "s"));
  }
  if (table.mixtures.size() > columns) {
    notes.push_back(
        fmt::format("{} more columns have text among numbers and are taken as text", table.mixtures.size() - columns));
  }
  return notes;
}

std::vector<std::string> numbered_names(Index count, Index first) {
  std::vector<std::string> names;
  names.reserve(count);
  for (Index j = 0; j < count; ++j) names.push_back(fmt::format("x{}", first + j));
  return names;
}

}  // namespace tamis::io
