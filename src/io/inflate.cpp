// Decompression of gzip files and raw deflate streams with zlib.
//
// Format     RFC 1952 (gzip, several members in a row are one file) and RFC 1951 (deflate, members of zip archives).
// Untrusted  declared sizes. The size in the last four bytes of a gzip file is modulo 2^32 and of the last member only:
//            a hint for reserve(), bounded by the best ratio of deflate and by the limit. Output is counted as it
//            comes, against the limit, so that a decompression bomb ends with a message and not with the machine's
//            memory.
// Guarantee  the checksum of each gzip member is verified by zlib; a truncated, corrupt or extended file is refused,
//            never returned in part.
// Layout     gzip member: 1f 8b, method, flags, time, header fields, deflate stream, CRC-32 (4), size modulo 2^32 (4)
#include "io/inflate.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "tamis/base/error.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

constexpr int gzip_window = MAX_WBITS + 16;
constexpr int raw_window = -MAX_WBITS;
// zlib's counters are 32-bit: larger inputs are fed in blocks of 1 GB.
constexpr std::size_t piece = std::size_t{1} << 30;

class Inflater {
 public:
  explicit Inflater(int window) {
    if (inflateInit2(&stream_, window) != Z_OK) throw Error("zlib could not be initialized");
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream& stream() { return stream_; }
  /// Hands over more of `packed` when the last piece is used up.
  void feed(std::string_view& packed) {
    if (stream_.avail_in > 0 || packed.empty()) return;
    const std::size_t take = std::min(packed.size(), piece);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(take);
    packed.remove_prefix(take);
  }

 private:
  z_stream stream_{};
};

// Size by the trailer, as far as it can be true.
std::size_t plausible_size(std::string_view packed, std::size_t limit) {
  if (packed.size() < 8) return 0;
  std::uint32_t claim = 0;
  std::memcpy(&claim, packed.data() + packed.size() - 4, 4);
  return std::min<std::size_t>({claim, packed.size() * best_deflate_ratio, limit});
}

// After the end of a member: nothing, zero padding to a block (tapes; gzip allows it), or another member. Anything else
// is refused, where gunzip only warns.
bool another_member_follows(std::string_view rest, const std::string& name) {
  if (rest.find_first_not_of('\0') == std::string_view::npos) return false;
  if (rest.starts_with("\x1f\x8b") || rest == "\x1f") return true;
  throw InvalidInput(
      fmt::format("{}: {} of other data follow the gzip data; decompress the file with gunzip, which ignores them, "
                  "and read the result",
                  name, plural(std::ssize(rest), "byte")));
}

}  // namespace

std::string gunzip(std::string_view packed, std::size_t limit, const std::string& name) {
  const char* const end = packed.data() + packed.size();
  Inflater inflater(gzip_window);
  z_stream& stream = inflater.stream();
  std::string out;
  out.reserve(plausible_size(packed, limit));
  std::string block(std::size_t{1} << 18, '\0');
  for (;;) {
    inflater.feed(packed);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int code = inflate(&stream, Z_NO_FLUSH);
    out.append(block.data(), block.size() - stream.avail_out);
    if (out.size() > limit) {
      throw InvalidInput(fmt::format(
          "{}: decompresses to more than {} bytes, half of the memory of this machine; decompress it to a file and "
          "read that",
          name, limit));
    }
    if (code == Z_STREAM_END) {
      const auto* next = reinterpret_cast<const char*>(stream.next_in);
      if (!another_member_follows(std::string_view(next, end), name)) return out;
      inflateReset(&stream);
    } else if (code == Z_BUF_ERROR && stream.avail_in == 0 && packed.empty()) {
      throw InvalidInput(fmt::format(
          "{}: the gzip file is truncated after {} decompressed bytes; copy or download it again", name, out.size()));
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      throw InvalidInput(
          fmt::format("{}: the gzip file is corrupt after {} decompressed bytes ({}); copy or download it again", name,
                      out.size(), stream.msg != nullptr ? stream.msg : "zlib gives no reason"));
    }
  }
}

bool inflate_raw(std::string_view packed, std::size_t size, std::string& out) {
  if (size / best_deflate_ratio > packed.size()) return false;
  Inflater inflater(raw_window);
  z_stream& stream = inflater.stream();
  out.resize(size);
  std::size_t done = 0;
  for (;;) {
    inflater.feed(packed);
    const std::size_t room = std::min(size - done, piece);
    // When the declared size is reached, one byte of room detects a stream that is longer than declared.
    Bytef spare = 0;
    stream.next_out = room > 0 ? reinterpret_cast<Bytef*>(out.data() + done) : &spare;
    stream.avail_out = room > 0 ? static_cast<uInt>(room) : 1;
    const uInt before = stream.avail_out;
    const int code = inflate(&stream, Z_NO_FLUSH);
    const std::size_t produced = before - stream.avail_out;
    if (room == 0 && produced > 0) return false;
    done += produced;
    if (code == Z_STREAM_END) return done == size;
    if (code != Z_OK && !(code == Z_BUF_ERROR && (stream.avail_in > 0 || !packed.empty()))) return false;
  }
}

}  // namespace tamis::io
