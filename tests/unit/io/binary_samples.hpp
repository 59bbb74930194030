// NPY, zip and gzip files written by hand, so that tests can break any byte of them.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tamis::io {

inline std::string little_endian(std::uint64_t value, int width) {
  std::string out;
  for (int k = 0; k < width; ++k) out += static_cast<char>(value >> (8 * k) & 0xFF);
  return out;
}

/// `data` are the bytes behind the header.
inline std::string npy_bytes(const std::string& descr, const std::string& shape, const std::string& data,
                             bool fortran = false) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  return "\x93NUMPY\x01" + std::string(1, '\0') + little_endian(header.size(), 2) + header + data;
}

inline std::string doubles(std::span<const double> values) {
  std::string out(values.size_bytes(), '\0');
  std::memcpy(out.data(), values.data(), values.size_bytes());
  return out;
}

/// window as in zlib's deflateInit2: 15 + 16 for gzip, -15 for raw deflate.
inline std::string packed(const std::string& content, int window) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
  std::string out(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.erase(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}
inline std::string gzip_bytes(const std::string& content) { return packed(content, 15 + 16); }

struct ZipMember {
  std::string name;
  std::string content;
  std::uint64_t claimed_size = 0;  ///< 0: the truth
};

inline std::string zip_bytes(const std::vector<ZipMember>& members, bool deflated) {
  std::string out;
  std::string directory;
  for (const auto& member : members) {
    const std::string body = deflated ? packed(member.content, -15) : member.content;
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(member.content.data()), static_cast<uInt>(member.content.size()));
    const std::uint64_t size = member.claimed_size > 0 ? member.claimed_size : member.content.size();
    const std::string common = little_endian(20, 2) + little_endian(0, 2) + little_endian(deflated ? 8 : 0, 2) +
                               little_endian(0, 4) + little_endian(sum, 4) + little_endian(body.size(), 4) +
                               little_endian(size, 4) + little_endian(member.name.size(), 2) + little_endian(0, 2);
    directory +=
        "PK\1\2" + little_endian(20, 2) + common + std::string(10, '\0') + little_endian(out.size(), 4) + member.name;
    out += "PK\3\4" + common + member.name + body;
  }
  const std::string count = little_endian(members.size(), 2);
  return out + directory + "PK\5\6" + std::string(4, '\0') + count + count + little_endian(directory.size(), 4) +
         little_endian(out.size(), 4) + std::string(2, '\0');
}

}  // namespace tamis::io
