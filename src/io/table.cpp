#include "io/table.hpp"

#include <fmt/format.h>

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

std::vector<std::string> numbered_names(Index count, Index first) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index j = 0; j < count; ++j) names.push_back(fmt::format("x{}", first + j));
  return names;
}

}  // namespace tamis::io
