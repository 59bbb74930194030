// Lines and words of line-oriented formats (Matrix Market, svmlight).
#pragma once

#include <charconv>
#include <string_view>

#include "io/parse_number.hpp"
#include "io/source.hpp"

namespace tamis::io {

/// Views of the text, which must outlive it; \r\n counts as \n. Copies remember their position, so that a file can be
/// read again from a place.
class TextLines {
 public:
  explicit TextLines(std::string_view text) : rest_(text) {}

  /// Moves to the next line that is neither blank nor begins with `comment`; false at the end.
  bool next(char comment) {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      line_ = trimmed(line_);
      if (!line_.empty() && line_.front() != comment) return true;
    }
    return false;
  }

  std::string_view line() const { return line_; }
  Index number() const { return number_; }  ///< of the line, from 1

 private:
  std::string_view rest_;
  std::string_view line_;
  Index number_ = 0;
};

/// Cuts the next word off `line`; "" at its end.
inline std::string_view take_word(std::string_view& line) {
  line = trimmed(line);
  const auto end = line.find_first_of(" \t");
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(word.size());
  return word;
}

/// The whole of `word` as a count or position, 0 or more; false if it is not one or does not fit.
inline bool parse_index(std::string_view word, Index& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value >= 0;
}

/// The whole of `word` as a finite number.
inline bool parse_finite(std::string_view word, double& value) {
  const char* end = word.data() + word.size();
  return scan_number(word.data(), end, value) == end && std::isfinite(value);
}

}  // namespace tamis::io
