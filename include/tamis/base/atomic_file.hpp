// Writing so that a failed or killed run never leaves half a file: a temporary file beside the target, flushed,
// then renamed over it.
#pragma once

#include <string>
#include <string_view>

namespace tamis {

/// Throws OutputError with the reason (no such folder, no permission, no space left); the old file stays then.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace tamis
