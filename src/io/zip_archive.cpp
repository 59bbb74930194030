// Zip archives, read.
//
// Format     PKWARE's APPNOTE.TXT, 4.3 (records) and 4.5.3 (zip64): the end record is searched for backwards over the
//            longest possible comment, it points to the central directory, whose entries point to the members. Stored
//            and deflated members, no encryption.
// Untrusted  every offset and size: number() refuses to read beyond the file, sums are written so that they cannot
//            wrap, and the declared size of a member is bounded by deflate's best ratio and by memory before it is
//            unpacked. CRC-32 is verified.
// Directory  the central one only, as all readers do: local headers may lack sizes (streamed archives).
// Not taken  libzip and minizip want to open files themselves or trust the sizes they find.
// Layout     (byte offsets used below; all numbers little-endian)
//            end record, 22 bytes + comment    0 "PK\5\6"   10 entries (2)   12 size of directory (4)   16 its offset
//            (4)
//            zip64 locator, 20 bytes before    0 "PK\6\7"    8 offset of the zip64 end record (8)
//            zip64 end record                  0 "PK\6\6"   32 entries (8)   48 offset of directory (8)
//            directory entry, 46 bytes         0 "PK\1\2"    8 flags (2)     10 method (2)     16 CRC-32 (4)
//                                             20 packed size (4)            24 size (4)       28, 30, 32 lengths (2
//                                                each) of
//                                             name, extra field, comment    42 offset of the local header (4)
//            local header, 30 bytes            0 "PK\3\4"   26, 28 lengths (2 each) of name and extra field, then the
//            data
#include "io/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include "io/inflate.hpp"
#include "io/message_text.hpp"

namespace tamis::io {
namespace {

// Signatures of the records: end of central directory, its zip64 form and locator, central entry, local header.
constexpr std::string_view end_mark = "PK\5\6";
constexpr std::string_view end64_mark = "PK\6\6";
constexpr std::string_view locator64_mark = "PK\6\7";
constexpr std::string_view entry_mark = "PK\1\2";
constexpr std::string_view local_mark = "PK\3\4";
constexpr std::uint64_t see_zip64 = 0xFFFFFFFF;
// Fixed part of the end record; its comment has a 16-bit length.
constexpr std::size_t end_size = 22;
constexpr std::size_t longest_comment = 0xFFFF;

}  // namespace

ZipArchive::ZipArchive(const Source& source) : source_(source), bytes_(source.bytes()) { read_directory(); }

void ZipArchive::refuse_broken() const {
  if (bytes_.empty()) source_.refuse("the file is empty; expected arrays saved by numpy.savez");
  source_.refuse("the zip directory is missing or corrupt; is the file truncated?");
}

// All reads of the archive pass through here.
std::uint64_t ZipArchive::number(std::uint64_t at, unsigned width) const {
  if (at > bytes_.size() || width > bytes_.size() - at) refuse_broken();
  std::uint64_t value = 0;
  for (unsigned k = width; k-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + k]);
  return value;
}

void ZipArchive::read_directory() {
  const std::size_t tail = bytes_.size() > end_size + longest_comment ? bytes_.size() - end_size - longest_comment : 0;
  const auto end = bytes_.rfind(end_mark);
  if (end == std::string_view::npos || end < tail) refuse_broken();
  std::uint64_t count = number(end + 10, 2);
  std::uint64_t offset = number(end + 16, 4);
  // The zip64 locator is the 20 bytes before the end record; present only if a number exceeds 32 bits.
  if (end >= 20 && bytes_.substr(end - 20, 4) == locator64_mark) {
    const std::uint64_t end64 = number(end - 20 + 8, 8);
    if (end64 > bytes_.size() || bytes_.substr(end64, 4) != end64_mark) refuse_broken();
    count = number(end64 + 32, 8);
    offset = number(end64 + 48, 8);
  }
  if (offset > bytes_.size()) refuse_broken();
  std::size_t at = offset;
  for (std::uint64_t k = 0; k < count; ++k) members_.push_back(read_member(at));
}

ZipArchive::Member ZipArchive::read_member(std::size_t& at) const {
  if (at > bytes_.size() || bytes_.substr(at, 4) != entry_mark) refuse_broken();
  Member member;
  member.flags = static_cast<std::uint16_t>(number(at + 8, 2));
  member.method = static_cast<std::uint16_t>(number(at + 10, 2));
  member.checksum = static_cast<std::uint32_t>(number(at + 16, 4));
  member.packed_size = number(at + 20, 4);
  member.size = number(at + 24, 4);
  const std::size_t name_length = number(at + 28, 2);
  const std::size_t extra_length = number(at + 30, 2);
  const std::size_t comment_length = number(at + 32, 2);
  member.header_offset = number(at + 42, 4);
  const std::size_t name_at = at + 46;
  if (name_length + extra_length + comment_length > bytes_.size() - name_at) refuse_broken();
  member.name = bytes_.substr(name_at, name_length);
  read_zip64_sizes(bytes_.substr(name_at + name_length, extra_length), member);
  at = name_at + name_length + extra_length + comment_length;
  return member;
}

// Zip64 extra field (id 1): 64-bit values of those fields that are 0xFFFFFFFF in the entry, in this order.
void ZipArchive::read_zip64_sizes(std::string_view extra, Member& member) const {
  const auto base = static_cast<std::uint64_t>(extra.data() - bytes_.data());
  for (std::uint64_t at = 0; at + 4 <= extra.size();) {
    const std::uint64_t id = number(base + at, 2);
    const std::uint64_t length = number(base + at + 2, 2);
    if (length > extra.size() - at - 4) refuse_broken();
    if (id == 1) {
      std::uint64_t value_at = base + at + 4;
      const std::uint64_t end = value_at + length;
      for (std::uint64_t* field : {&member.size, &member.packed_size, &member.header_offset}) {
        if (*field != see_zip64) continue;
        if (end - value_at < 8) refuse_broken();
        *field = number(value_at, 8);
        value_at += 8;
      }
    }
    at += 4 + length;
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (const auto& member : members_) names.push_back(member.name);
  return names;
}

const ZipArchive::Member* ZipArchive::find(std::string_view name) const {
  for (const auto& member : members_) {
    if (member.name == name) return &member;
  }
  return nullptr;
}

// Lengths of name and extra field are those of the local header, which may differ from the directory's.
std::string_view ZipArchive::packed_bytes(const Member& member) const {
  const std::uint64_t at = member.header_offset;
  if (at > bytes_.size() || bytes_.substr(at, 4) != local_mark) refuse_broken();
  const std::uint64_t start = at + 30 + number(at + 26, 2) + number(at + 28, 2);
  if (start > bytes_.size() || member.packed_size > bytes_.size() - start) refuse_broken();
  return bytes_.substr(start, member.packed_size);
}

std::string_view ZipArchive::read(std::string_view name, std::string& unpacked) const {
  const Member* member = find(name);
  if (member == nullptr) source_.refuse(fmt::format("member {} not found in the zip file", shown(name)));
  if ((member->flags & 1) != 0)
    source_.refuse(fmt::format("member {} is encrypted; save it without encryption", shown(name)));
  std::string_view content = packed_bytes(*member);
  if (member->method == Z_DEFLATED) {
    if (member->size > source_.limits().unpacked_bytes || member->size / best_deflate_ratio > content.size()) {
      source_.refuse(
          fmt::format("member {} is declared to decompress from {} to {} bytes, which is impossible or exceeds half of "
                      "the memory of this machine",
                      shown(name), content.size(), member->size));
    }
    if (!inflate_raw(content, member->size, unpacked)) {
      source_.refuse(fmt::format("member {} does not decompress to the {} bytes declared", shown(name), member->size));
    }
    content = unpacked;
  } else if (member->method != 0) {
    source_.refuse(
        fmt::format("member {} is compressed by method {}; expected stored or deflated", shown(name), member->method));
  }
  const auto sum = [&] { return crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()); };
  if (content.size() != member->size || (source_.limits().verify_checksums && sum() != member->checksum)) {
    source_.refuse(fmt::format("member {} is corrupt: wrong checksum", shown(name)));
  }
  return content;
}

}  // namespace tamis::io
