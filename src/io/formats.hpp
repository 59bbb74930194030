// Registry of file formats. A new format is one read_*.cpp and one line in formats.cpp, or a file of another program
// that calls add_format().
#pragma once

#include <deque>
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

/// In the order of detection: those of tamis, then those that were added.
const std::deque<Format>& formats();

/// Adds a format for the rest of the program, from any thread: everything that reads a file knows it then. Only before
/// the list is used for the first time: from the initializer of a namespace-scope object of its file, or at the start
/// of main(). Throws InvalidInput for a format without name, extension or functions, for a name or extension that is
/// taken, and once the list is in use.
const Format& add_format(Format format);

/// By content, then by extension; text of no known kind is taken for CSV. Throws InvalidInput for other bytes.
const Format& detect(const Source& source);

/// read_dataset() on memory; a response file is still opened by its path.
Dataset read_source(const Source& source, const ReadOptions& options);

/// inspect() on memory.
FileInfo inspect_source(const Source& source);

}  // namespace tamis::io
