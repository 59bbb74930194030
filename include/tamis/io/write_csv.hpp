// CSV output: RFC 4180 quoting, numbers with the fewest digits that read back as the same double.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// Builds a table row by row. Cells are added from left to right; end_row() begins the next line.
class CsvText {
 public:
  CsvText& cell(std::string_view text);
  /// NaN is written as an empty (missing) cell.
  CsvText& cell(double number);
  void end_row();
  const std::string& text() const { return text_; }

 private:
  void separate();
  std::string text_;
  bool at_row_start_ = true;
};

/// Writes a header and the rows of `values` atomically; throws OutputError. One name per column.
void write_csv(const std::string& path, std::span<const std::string> names, ConstMatrixView values);

}  // namespace tamis
