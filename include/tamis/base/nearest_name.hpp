// "Did you mean ...?" for names that people type.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tamis {

/// The known name nearest to `typed` in edit distance, or "" if none is close enough to be a typo.
std::string nearest_name(std::string_view typed, std::span<const std::string> known);

/// " (did you mean 'lasso'?)", or "".
std::string did_you_mean(std::string_view typed, std::span<const std::string> known);

}  // namespace tamis
