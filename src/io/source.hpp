// Source: the bytes of one input file, wherever they come from: mapped into memory, read from a pipe, unpacked
// from gzip, or given by a test. Readers see one span of memory and a name for their messages.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "tamis/base/index.hpp"

namespace tamis::io {

/// What a file may claim before it is believed. Sizes that the file's own length vouches for are not limited.
struct Limits {
  std::size_t unpacked_bytes = 0;                  ///< of a gzip file or a zip member
  Index empty_dimension = Index{1} << 22;          ///< rows or columns of a sparse matrix beyond 64 per stored value
  std::size_t chunk_bytes = std::size_t{1} << 20;  ///< of text that one thread parses at a time; tests make it small
  bool verify_checksums = true;                    ///< of zip members; a fuzzer looks behind them
  /// Unpacked data may take half of the memory of this machine.
  static Limits of_this_machine();
};

class Source {
 public:
  /// Maps `path` (gzip is unpacked). Throws MissingFile if it cannot be opened, InvalidInput if gzip is broken.
  static Source open(const std::string& path);
  /// The caller's memory, which must outlive the Source; `name` serves messages and, by its end, detection.
  static Source of_bytes(std::string name, std::string_view bytes, const Limits& limits);

  const std::string& name() const { return name_; }
  /// Lower case, with the dot, without ".gz": ".csv"; "" if there is none.
  const std::string& extension() const { return extension_; }
  std::string_view bytes() const { return bytes_; }
  const Limits& limits() const { return limits_; }

  /// Advises that these bytes have been parsed: their pages may be dropped (and are read again if touched).
  void release(const char* begin, const char* end) const;
  /// Throws InvalidInput if the file's size or time of change is no longer that of open(): what was read may be a
  /// mixture. A file that became shorter may not get here: touching its lost pages is SIGBUS, which only a program can
  /// handle.
  void refuse_if_changed() const;
  /// Line of the file, counted from 1, on which `position` lies.
  Index line_of(const char* position) const;
  /// Throws InvalidInput: the file's name, then the sentence.
  [[noreturn]] void refuse(const std::string& sentence) const;

 private:
  // Copies share the mapping, the descriptor and the decompressed bytes; a Source is cheap to copy and safe to read
  // from several threads, as nothing is written after open().
  Source(std::string name, const Limits& limits);
  void unpack_if_gzip();

  std::string name_;
  std::string extension_;
  Limits limits_;
  std::shared_ptr<const void> mapping_;         // unmaps at the end
  std::shared_ptr<const class OpenFile> file_;  // a regular file, for refuse_if_changed()
  std::shared_ptr<const std::string> owned_;
  std::string_view bytes_;
};

}  // namespace tamis::io
