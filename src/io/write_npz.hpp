// NPZ archives: a zip file of stored NPY members, as numpy.savez writes them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis::io {

/// Collects the archive in memory: members are appended in the order of the calls, and the file is complete after
/// finish().
class NpzText {
 public:
  /// Row-major doubles; as many as the product of the shape.
  void add(const std::string& name, const std::vector<Index>& shape, std::span<const double> values);
  /// A list of words, as fixed-width Unicode.
  void add(const std::string& name, std::span<const std::string> words);
  /// The bytes of the file. Throws OutputError beyond 4 GB, where the format would need another directory.
  std::string finish() &&;

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum;
    std::uint32_t size;
    std::uint32_t offset;
  };
  void add_member(const std::string& name, const std::string& descr, const std::string& shape, std::string_view data);

  std::string bytes_;
  std::vector<Member> members_;
};

}  // namespace tamis::io
