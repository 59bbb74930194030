// Registry of file formats. A new format is one read_*.cpp and one line in formats.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "io/source.hpp"
#include "io/table.hpp"

namespace tamis::io {

/// A file format: `sniff` recognizes content, must not throw and gets the whole file; `read` may assume nothing about
/// it, as a file may be given to a reader by its extension alone.
struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;  ///< lower case, with the dot
  bool (*sniff)(std::string_view bytes);     ///< sure of it from the content alone
  Table (*read)(const Source& source, const ColumnFilter& filter);
};

/// In the order of detection.
std::span<const Format> formats();

/// By content, then by extension; text of no known kind is taken for CSV. Throws InvalidInput for other bytes.
const Format& detect(const Source& source);

/// read_dataset() on memory; a response file is still opened by its path.
Dataset read_source(const Source& source, const ReadOptions& options);

/// inspect() on memory.
FileInfo inspect_source(const Source& source);

}  // namespace tamis::io
