// Writing so that a failed or killed run never leaves half a file: a temporary file beside the target, flushed,
// then renamed over it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tamis {

/// Throws OutputError with the reason (no such directory, no permission, no space left) and keeps the old file.
void write_file_atomically(const std::string& path, std::string_view content);

/// Appends to a file that is being written.
using FilePiece = std::function<void(std::string_view)>;
/// The same in pieces, for content that is too large to hold in memory. If `fill` throws, the old file is kept.
void write_file_atomically(const std::string& path, const std::function<void(const FilePiece&)>& fill);

}  // namespace tamis
