// Text for messages about files: quoted names, suggestions for misspelled ones, ready-made options.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis::io {

/// In double quotes, cut after 40 bytes, with anything unprintable as '?': safe for a terminal.
std::string shown(std::string_view text);

/// `"a", "b" and 3 more`
std::string shown_list(std::span<const std::string> names, std::size_t most = 5);

/// A clause on what `name` may have meant: `did you mean "age"?`, or else which names there are.
std::string suggestion(std::string_view name, std::span<const std::string> names);

/// `--exclude age`, as a shell takes it: quoted twice where the name has what a list of names or a shell cuts at.
std::string exclude_option(std::string_view name);

bool is_utf8(std::string_view text);

}  // namespace tamis::io
