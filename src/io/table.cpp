// Column filter, notes on ambiguous files, default names.
// Filter     built from ReadOptions: without a model all columns but the excluded ones are read; with one, only those
//            that its features, target, weights and offset need, which saves time and memory on wide files.
// Features   "city=Rome" in a model may be the level Rome of the text column city, or a column of that name; both names
//            are read, and the column decides.
#include "io/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/message_text.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {

ColumnFilter::ColumnFilter(const ReadOptions& options) : only_known_(!options.features.empty()) {
  for (const auto& name : options.exclude) excluded_.emplace(name, true);
  for (const auto& feature : options.features) {
    known_.insert_or_assign(feature, false);
    // Levels and column names may contain '=': every prefix is a possible column.
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

// Text columns with some numbers are usually typing errors or codes for missing values ("-99", "unknown"): worth a
// note.
std::vector<std::string> notes_on(const Table& table) {
  const std::size_t most_columns = std::min<std::size_t>(5, table.mixtures.size());
  std::vector<std::string> notes;
  if (table.names_are_numbers) {
    notes.emplace_back(
        "all column names are numbers: the first line was taken as the header; if it is data, add a header line "
        "above it");
  }
  std::size_t columns = 0;
  for (Index j = 0; j < table.cols() && columns < most_columns; ++j) {
    const auto mixture = table.mixtures.find(j);
    if (mixture == table.mixtures.end()) continue;
    ++columns;
    notes.push_back(fmt::format("column {} {}: treated as text with {}", shown(table.names[j]), mixture->second,
                                plural(std::ssize(table.levels.at(j)), "level")));
  }
  if (table.mixtures.size() > columns) {
    const std::size_t more = table.mixtures.size() - columns;
    notes.push_back(more == 1
                        ? "1 more column has both text and numbers and is treated as text"
                        : fmt::format("{} more columns have both text and numbers and are treated as text", more));
  }
  return notes;
}

// 1-based by default, as in R and in the Matrix Market format; svmlight files keep their own base.
std::vector<std::string> numbered_names(Index count, Index first) {
  std::vector<std::string> names;
  names.reserve(count);
  for (Index j = 0; j < count; ++j) names.push_back(fmt::format("x{}", first + j));
  return names;
}

}  // namespace tamis::io
