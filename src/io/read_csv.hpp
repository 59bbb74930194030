// CSV and TSV: header, quotes, comma, semicolon or tab. Parallel over chunks of records, directly into column-major
// memory that is allocated once.
#pragma once

#include <vector>

#include "io/csv_layout.hpp"
#include "io/table.hpp"

namespace tamis::io {

/// The same Table for any number of threads. Throws InvalidInput for anything that is no table, with line or row and
/// column.
Table read_csv(const Source& source, const ColumnFilter& filter);

/// A file of one column, with or without a name above it: a response.
Response read_response_csv(const Source& source, const std::string& target);

/// What the cells of a column were, apart from plain numbers. Positions point at the cell in the file.
struct ColumnTally {
  Index text = 0;
  Index missing = 0;
  Index infinite = 0;
  Index first_text_row = -1;
  Index first_infinite_row = -1;
  const char* first_text = nullptr;
  const char* first_infinite = nullptr;
};

/// Column f of the file goes to column slots[f] of `out` (-1: nowhere); cells that are not numbers become NaN.
/// Throws InvalidInput for the first record that does not fit.
std::vector<ColumnTally> parse_csv_numbers(const Source& source, const CsvLayout& layout,
                                           const std::vector<Index>& slots, const DenseStorage& out);

/// Overwrites columns of `out` by positions in their sorted levels (missing: NaN). `fields` are columns of the file;
/// returns the levels of each.
std::vector<std::vector<std::string>> encode_csv_text(const Source& source, const CsvLayout& layout,
                                                      const std::vector<Index>& fields, const std::vector<Index>& slots,
                                                      const DenseStorage& out);

}  // namespace tamis::io
