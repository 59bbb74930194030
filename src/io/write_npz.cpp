// NPZ archives as numpy.savez writes them.
//
// Format     a zip archive (APPNOTE.TXT 4.3) of stored, uncompressed members, each an NPY 1.0 array; local headers,
//            data, central directory, end record. All numbers are little-endian, whatever the machine's order for
//            sizes; doubles are copied as they are in memory, which is "<f8" on little-endian machines.
// Fixed      modification times are 1980-01-01, the first that MS-DOS knows, so that equal draws give equal files.
// Limit      4 GB: zip64 records are not written, and the error says so before the file is damaged.
// Layout     member: local header, name, NPY magic (6), version (2), header length (2), header padded to a multiple of
//            64, data.
//            Offsets of records are in the head of zip_archive.cpp, whose reader reads these files back.
#include "io/write_npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "tamis/base/error.hpp"

namespace tamis::io {
namespace {

void append(std::string& bytes, std::uint64_t value, int width) {
  for (int k = 0; k < width; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
}

// UTF-8 to code points, as NumPy's "U" type stores text; invalid bytes become U+FFFD.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (Index at = 0; at < std::ssize(text);) {
    const auto first = static_cast<unsigned char>(text[at]);
    const Index length = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    char32_t point = length == 1 ? first : first & (0x7fU >> length);
    bool valid = length > 0 && at + length <= std::ssize(text);
    for (Index k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[at + k]);
      valid = next >> 6 == 2;
      point = point << 6 | (next & 0x3fU);
    }
    points += valid ? point : U'\uFFFD';
    at += valid ? length : 1;
  }
  return points;
}

// Fields common to local and central headers.
std::string common_header(std::uint32_t checksum, std::uint32_t size, std::size_t name_length) {
  std::string header;
  append(header, 20, 2);          // version needed
  append(header, 0, 2);           // flags
  append(header, 0, 2);           // stored
  append(header, 0x00210000, 4);  // time and date
  append(header, checksum, 4);
  append(header, size, 4);
  append(header, size, 4);
  append(header, name_length, 2);
  append(header, 0, 2);  // extra field
  return header;
}

}  // namespace

// Fields of the header in NumPy's own order and spelling; readers parse it as a Python literal.
void NpzText::add_member(const std::string& name, const std::string& descr, const std::string& shape,
                         std::string_view data) {
  std::string head = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  // Magic, version and length take 10 bytes; data are aligned to 64 bytes, as by NumPy.
  constexpr std::size_t before = 10, alignment = 64;
  head.append((alignment - (before + head.size() + 1) % alignment) % alignment, ' ');
  head += '\n';
  std::string npy("\x93NUMPY\x01\x00", 8);
  append(npy, head.size(), 2);
  npy += head;
  // Checked before anything is appended; the margin leaves room for headers and directory.
  if (data.size() > std::numeric_limits<std::uint32_t>::max() - 1'000'000 - bytes_.size()) {
    throw OutputError("an NPZ file can hold at most 4 GB; draw fewer samples");
  }
  npy += data;
  const std::string file = name + ".npy";
  const auto checksum =
      static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(npy.data()), npy.size()));
  members_.push_back(
      {file, checksum, static_cast<std::uint32_t>(npy.size()), static_cast<std::uint32_t>(bytes_.size())});
  bytes_ += "PK\x03\x04" + common_header(checksum, members_.back().size, file.size()) + file;
  bytes_ += npy;
}

void NpzText::add(const std::string& name, const std::vector<Index>& shape, std::span<const double> values) {
  std::string words = "(";
  for (const Index size : shape) words += fmt::format("{}, ", size);
  if (shape.size() > 1) words.resize(words.size() - 2);
  add_member(name, "<f8", words + ")", {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

void NpzText::add(const std::string& name, std::span<const std::string> words) {
  std::vector<std::u32string> decoded;
  std::size_t longest = 1;
  for (const std::string& word : words) {
    decoded.push_back(code_points(word));
    longest = std::max(longest, decoded.back().size());
  }
  std::string data;
  for (std::u32string& word : decoded) {
    word.resize(longest, U'\0');
    for (const char32_t point : word) append(data, point, 4);
  }
  add_member(name, fmt::format("<U{}", longest), fmt::format("({},)", words.size()), data);
}

// Central directory and end record; numbers as in APPNOTE.TXT 4.3.12 and 4.3.16.
std::string NpzText::finish() && {
  const Index directory = std::ssize(bytes_);
  for (const Member& member : members_) {
    bytes_ += "PK\x01\x02";
    append(bytes_, 20, 2);  // version made by
    bytes_ += common_header(member.checksum, member.size, member.name.size());
    append(bytes_, 0, 2);  // comment
    append(bytes_, 0, 2);  // disk
    append(bytes_, 0, 2);  // internal attributes
    append(bytes_, 0, 4);  // external attributes
    append(bytes_, member.offset, 4);
    bytes_ += member.name;
  }
  const Index end = std::ssize(bytes_);
  bytes_ += "PK\x05\x06";
  append(bytes_, 0, 4);  // disks
  append(bytes_, members_.size(), 2);
  append(bytes_, members_.size(), 2);
  append(bytes_, end - directory, 4);
  append(bytes_, directory, 4);
  append(bytes_, 0, 2);  // comment
  return std::move(bytes_);
}

}  // namespace tamis::io
