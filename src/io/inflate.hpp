// Decompression by zlib; no declared size is trusted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tamis::io {

/// A whole gzip file (also of several members). Throws InvalidInput if it is cut off or broken, or if it unpacks to
/// more than `limit` bytes.
std::string gunzip(std::string_view packed, std::size_t limit, const std::string& name);

/// A raw deflate stream that must unpack to exactly `size` bytes; false if it does not.
/// `out` is undefined where the result is false. No more than `size` bytes are allocated.
bool inflate_raw(std::string_view packed, std::size_t size, std::string& out);

/// Best ratio of deflate: 258 bytes in 2 bits. A declared size beyond it cannot be true.
inline constexpr std::size_t best_deflate_ratio = 1032;

}  // namespace tamis::io
