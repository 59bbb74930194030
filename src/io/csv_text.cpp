// Text columns of a CSV file: second pass, for the columns that turned out to hold text.
//
// Algorithm  1 groups of adjacent chunks, in parallel: each text column has a dictionary per group, cells become codes
//            of that dictionary
//            2 union of the dictionaries of a column, sorted
//            3 codes are renumbered to positions in the union, in parallel
// Guarantee  levels are sorted bytewise and codes do not depend on threads or chunks: coefficients of the indicators
//            come out in the same order on every machine.
// Why twice  the first pass cannot know that a column is text before its end, and most files have no text column at
//            all.
#include <algorithm>
#include <forward_list>
#include <limits>
#include <unordered_map>

#include "io/parse_number.hpp"
#include "io/read_csv.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::io {
namespace {

// Enough to keep threads busy; each group has a dictionary per text column, and there may be thousands of those.
constexpr Index most_groups = 16;

class Dictionary {
 public:
  /// `kept_by_file`: the text lies in the file and need not be copied. Codes are doubles: they replace the cells of the
  /// numeric column.
  double code(std::string_view text, bool kept_by_file) {
    const auto found = codes_.find(text);
    if (found != codes_.end()) return found->second;
    const std::string_view stored = kept_by_file ? text : std::string_view(own_.emplace_front(text));
    const auto fresh = static_cast<double>(words_.size());
    words_.push_back(stored);
    codes_.emplace(stored, fresh);
    return fresh;
  }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::unordered_map<std::string_view, double> codes_;
  std::vector<std::string_view> words_;  // in order of their first appearance
  std::forward_list<std::string> own_;
};

// `text_of_field`: index of the text column of each field, -1 for others.
// Fields were validated by the first pass; here only the text columns are looked up.
void encode_chunk(const CsvLayout& layout, const CsvChunk& chunk, const std::vector<Index>& text_of_field,
                  const std::vector<double*>& columns, std::vector<Dictionary>& dictionaries) {
  std::string scratch;
  const char* p = chunk.begin;
  for (Index row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row) {
    for (Index f = 0; f < std::ssize(text_of_field); ++f) {
      const CsvField field = read_field(p, chunk.end, layout.delimiter, scratch);
      p = field.end == chunk.end || *field.end != layout.delimiter ? field.end : field.end + 1;
      if (text_of_field[f] < 0) continue;
      const Index t = text_of_field[f];
      const std::string_view text = field.text;
      double number = 0;
      const bool in_file = field.text.data() != scratch.data();
      columns[t][row] = classify(text, number) == Cell::missing ? std::numeric_limits<double>::quiet_NaN()
                                                                : dictionaries[t].code(text, in_file);
    }
    p = after_line_end(p, chunk.end);
  }
}

// By bytes, not by locale: the order of levels decides the class coding of a response.
std::vector<std::string> sorted_union(const std::vector<std::vector<Dictionary>>& by_group, std::size_t t) {
  std::vector<std::string_view> all;
  for (const auto& dictionaries : by_group) {
    const auto& words = dictionaries[t].words();
    all.insert(all.end(), words.begin(), words.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return {all.begin(), all.end()};
}

void renumber(const Dictionary& dictionary, const std::vector<std::string>& levels, double* column, Index first_row,
              Index end_row) {
  std::vector<double> place;
  for (const auto& word : dictionary.words()) {
    place.push_back(static_cast<double>(std::lower_bound(levels.begin(), levels.end(), word) - levels.begin()));
  }
  for (Index i = first_row; i < end_row; ++i) {
    if (!std::isnan(column[i])) column[i] = place[static_cast<std::int64_t>(column[i])];
  }
}

}  // namespace

std::vector<std::vector<std::string>> encode_csv_text(const Source& source, const CsvLayout& layout,
                                                      const std::vector<Index>& fields, const std::vector<Index>& slots,
                                                      const DenseStorage& out) {
  std::vector<Index> text_of_field(layout.fields(), -1);
  std::vector<double*> columns;
  for (Index t = 0; t < std::ssize(fields); ++t) {
    text_of_field[fields[t]] = t;
    columns.push_back(out.col(slots[fields[t]]));
  }
  const Index chunks = layout.chunks.size();
  const Index grain = (chunks + most_groups - 1) / most_groups;
  std::vector<std::vector<Dictionary>> by_group((chunks + grain - 1) / grain);
  parallel_for(chunks, grain, [&](Index first, Index last) {
    auto& dictionaries = by_group[first / grain];
    dictionaries.resize(fields.size());
    for (Index k = first; k < last; ++k) {
      encode_chunk(layout, layout.chunks[k], text_of_field, columns, dictionaries);
      source.release(layout.chunks[k].begin, layout.chunks[k].end);
    }
  });
  std::vector<std::vector<std::string>> levels;
  for (Index t = 0; t < std::ssize(fields); ++t) levels.push_back(sorted_union(by_group, t));
  parallel_for(chunks, grain, [&](Index first, Index last) {
    const Index end_row = layout.chunks[last - 1].first_row + layout.chunks[last - 1].rows;
    for (Index t = 0; t < std::ssize(fields); ++t) {
      renumber(by_group[first / grain][t], levels[t], columns[t], layout.chunks[first].first_row, end_row);
    }
  });
  return levels;
}

}  // namespace tamis::io
