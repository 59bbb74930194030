// The style sheet and the script of every page, as web/ builds them, and their SHA-256 (hexadecimal). CMake makes the
// definitions from web/dist.
#pragma once

#include <string_view>

namespace tamis {

extern const std::string_view page_style;
extern const std::string_view page_style_sha256;
extern const std::string_view page_script;
extern const std::string_view page_script_sha256;

}  // namespace tamis
