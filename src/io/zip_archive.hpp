// The members of a zip file, found through its central directory. Stored and deflated members, zip64 sizes; every
// offset and size is checked against the file before it is used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/source.hpp"

namespace tamis::io {

class ZipArchive {
 public:
  /// Throws InvalidInput if the directory is invalid. The source must outlive the archive.
  explicit ZipArchive(const Source& source);

  std::vector<std::string> names() const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// The bytes of a member, its checksum verified: in the file itself if it is stored, otherwise unpacked into
  /// `unpacked`. Throws InvalidInput if it is broken or too large.
  std::string_view read(std::string_view name, std::string& unpacked) const;

 private:
  struct Member {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0;
    std::uint64_t packed_size = 0;
    std::uint64_t size = 0;
    std::uint64_t header_offset = 0;
  };

  const Member* find(std::string_view name) const;
  void read_directory();
  Member read_member(std::size_t& at) const;
  void read_zip64_sizes(std::string_view extra, Member& member) const;
  std::string_view packed_bytes(const Member& member) const;
  /// Little-endian number of `width` bytes at `at`; refuses to look beyond the end.
  std::uint64_t number(std::uint64_t at, unsigned width) const;
  [[noreturn]] void refuse_broken() const;

  const Source& source_;
  std::string_view bytes_;
  std::vector<Member> members_;
};

}  // namespace tamis::io
