// Parser for the header of NPY files: a Python dictionary literal with exactly the keys descr, fortran_order and shape,
// as numpy.lib.format writes it. A recursive-descent parser for this subset: no expression is evaluated, nothing nests
// beyond the tuple of the shape, and anything unexpected (other keys, duplicate keys, negative extents) is refused.
#include "io/npy_header.hpp"

#include <charconv>

namespace tamis::io {
namespace {

class DictionaryParser {
 public:
  explicit DictionaryParser(std::string_view text) : rest_(text) {}

  std::optional<NpyHeader> run() {
    if (!take('{')) return {};
    bool descr = false;
    bool order = false;
    bool shape = false;
    while (!take('}')) {
      std::string key;
      if (!take_string(key) || !take(':')) return {};
      bool* seen = key == "descr" ? &descr : key == "fortran_order" ? &order : key == "shape" ? &shape : nullptr;
      if (seen == nullptr || *seen) return {};
      *seen = true;
      if (seen == &descr && !take_descr()) return {};
      if (seen == &order && !take_bool(header_.fortran_order)) return {};
      if (seen == &shape && !take_shape()) return {};
      if (!take(',') && !next_is('}')) return {};
    }
    if (!descr || !order || !shape) return {};
    return header_;
  }

 private:
  bool next_is(char c) {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    return !rest_.empty() && rest_.front() == c;
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_string(std::string& out) {
    const char quote = next_is('\'') ? '\'' : '"';
    if (!take(quote)) return false;
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) return false;
    out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  // A list describes a record of several fields; its text is kept for the message only.
  bool take_descr() {
    if (!next_is('[')) return take_string(header_.descr);
    const auto end = rest_.rfind(']');
    if (end == std::string_view::npos) return false;
    header_.descr = rest_.substr(0, end + 1);
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool take_bool(bool& out) {
    out = next_is('T');
    const std::string_view word = out ? "True" : "False";
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool take_shape() {
    if (!take('(')) return false;
    while (!take(')')) {
      Index extent = 0;
      next_is('0');
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error != std::errc() || extent < 0) return false;
      rest_.remove_prefix(end - rest_.data());
      take('L');  // Python 2 wrote long integers so
      header_.shape.push_back(extent);
      if (!take(',') && !next_is(')')) return false;
    }
    return true;
  }

  std::string_view rest_;
  NpyHeader header_;
};

}  // namespace

std::optional<NpyHeader> parse_npy_header(std::string_view text) { return DictionaryParser(text).run(); }

}  // namespace tamis::io
