// CSV output that read_csv() reads back to the same bits.
// Format     RFC 4180 with \n; fields with delimiters, quotes, line ends or blanks at an end are quoted. Numbers have
//            the shortest digits that round-trip (std::to_chars), NaN is an empty field. Semicolons and tabs are quoted
//            too, so that the delimiter of a file with few columns is detected correctly.
// Atomic     the file is written under a temporary name and renamed.
#include "tamis/io/write_csv.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"

namespace tamis {

void CsvText::separate() {
  if (!at_row_start_) text_ += ',';
  at_row_start_ = false;
}

CsvText& CsvText::cell(std::string_view text) {
  separate();
  // Unquoted blanks at the ends are trimmed by readers.
  const bool blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_end && text.find_first_of(",;\t\"\r\n") == std::string_view::npos) {
    text_ += text;
    return *this;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

// 32 characters hold the longest shortest representation of a double (24).
CsvText& CsvText::cell(double number) {
  separate();
  if (std::isnan(number)) return *this;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text_.append(digits.data(), end);
  return *this;
}

void CsvText::end_row() {
  text_ += '\n';
  at_row_start_ = true;
}

void write_csv(const std::string& path, std::span<const std::string> names, ConstMatrixView values) {
  if (std::ssize(names) != values.cols) throw InvalidInput("write_csv: expected one name per column");
  CsvText table;
  for (const auto& name : names) table.cell(name);
  table.end_row();
  for (Index i = 0; i < values.rows; ++i) {
    for (Index j = 0; j < values.cols; ++j) table.cell(values(i, j));
    table.end_row();
  }
  write_file_atomically(path, table.text());
}

}  // namespace tamis
