// NumPy's NPY format, read.
//
// Format     "\x93NUMPY", version (1: header length in 2 bytes, 2 and 3: in 4 bytes), a Python dictionary with descr,
//            fortran_order and shape, then the data. All integer and floating types that fit in a double, bool, bytes
//            (S) and text (U, UTF-32); either byte order, either memory order.
// Untrusted  the header. The size that shape and dtype declare must equal the bytes that follow, and the product of the
//            shape is checked factor by factor before it is multiplied, so that it cannot overflow. Python objects
//            (pickles) are refused: unpickling runs code.
// Alignment  values are read by memcpy, since members of a zip archive start at any byte.
// Precision  64-bit integers beyond 2^53 are rounded to doubles.
// Layout     0 magic (6 bytes)   6 version (1), minor version (1)   8 header length (2 or 4)   then header, then data
//            descr: byte order (<, >, | for one byte, =), kind (f, i, u, b, S, U), size in bytes (U: in characters of 4
//            bytes)
#include "io/npy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "io/message_text.hpp"
#include "io/npy_header.hpp"
#include "io/read_npy.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::io {
namespace {

template <class T>
// memcpy and bit_cast: no alignment is assumed and no aliasing rule is broken.
T load(const char* p, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), p, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

// Dispatch: calls use(T{}) with the type in the header; false if it is not supported.
template <class Use>
bool with_number_type(char kind, Index item, Use use) {
  const auto is = [&](char k, Index size) { return kind == k && item == size; };
  if (is('f', 8)) return use(double{}), true;
  if (is('f', 4)) return use(float{}), true;
  if (is('b', 1) || is('u', 1)) return use(std::uint8_t{}), true;
  if (is('i', 1)) return use(std::int8_t{}), true;
  if (is('i', 2)) return use(std::int16_t{}), true;
  if (is('u', 2)) return use(std::uint16_t{}), true;
  if (is('i', 4)) return use(std::int32_t{}), true;
  if (is('u', 4)) return use(std::uint32_t{}), true;
  if (is('i', 8)) return use(std::int64_t{}), true;
  if (is('u', 8)) return use(std::uint64_t{}), true;
  return false;
}

// UTF-8 by the bit patterns of RFC 3629; surrogates are encoded here and refused by is_utf8() afterwards.
void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  put(0xF0 | (code >> 18 & 0x07));
  put(0x80 | (code >> 12 & 0x3F));
  put(0x80 | (code >> 6 & 0x3F));
  put(0x80 | (code & 0x3F));
}

}  // namespace

NpyArray::NpyArray(const Source& source, std::string what, std::string_view bytes)
    : source_(source), what_(std::move(what)) {
  if (bytes.empty()) refuse("the file is empty; expected an array saved by NumPy");
  if (!sniff_npy(bytes) || bytes.size() < 10) refuse("the NPY header is missing or truncated");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) refuse(fmt::format("NPY version {} is not supported; expected 1, 2 or 3", version));
  const std::size_t start = version == 1 ? 10 : 12;
  if (bytes.size() < start) refuse("the NPY header is truncated");
  const bool swapped = std::endian::native == std::endian::big;
  const std::size_t length =
      version == 1 ? load<std::uint16_t>(bytes.data() + 8, swapped) : load<std::uint32_t>(bytes.data() + 8, swapped);
  if (length > bytes.size() - start) refuse("the NPY header is truncated");
  data_ = bytes.substr(start + length);
  read_header(bytes.substr(start, length));
  check_size();
}

void NpyArray::refuse(const std::string& sentence) const {
  source_.refuse(what_.empty() ? sentence : fmt::format("array {}: {}", shown(what_), sentence));
}

void NpyArray::read_header(std::string_view text) {
  const auto header = parse_npy_header(text);
  if (!header) refuse(fmt::format("the NPY header {} cannot be parsed", shown(text)));
  read_type(header->descr);
  fortran_ = header->fortran_order;
  shape_ = header->shape;
}

// Dtype strings of structured arrays start with '[' and are refused with their text. The bound on the item size keeps
// products of sizes far from overflow.
void NpyArray::read_type(std::string_view descr) {
  if (descr.find('O') != std::string_view::npos && descr.size() <= 2) {
    refuse("contains Python objects, which are not unpickled for safety; save it as numbers or as text (dtype str)");
  }
  const bool valid = descr.size() >= 3 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  Index count = 0;
  const auto [end, error] = valid ? std::from_chars(descr.data() + 2, descr.data() + descr.size(), count)
                                  : std::from_chars_result{nullptr, std::errc::invalid_argument};
  kind_ = valid ? descr[1] : '?';
  item_ = kind_ == 'U' ? 4 * (count & 0xFFFFFFFF) : count;
  const bool known = is_text() || with_number_type(kind_, item_, [](auto) {});
  if (error != std::errc() || end != descr.data() + descr.size() || count < 0 || count > 0xFFFFFFF || !known) {
    refuse(fmt::format("dtype {} is not supported; expected float64, float32, integers, bool or text", shown(descr)));
  }
  swapped_ = descr[0] == (std::endian::native == std::endian::little ? '>' : '<');
}

std::string NpyArray::shape_in_words() const {
  return shape_.empty() ? "()" : fmt::format("{}", fmt::join(shape_, " x "));
}

// Compares the declared size with the bytes that follow; written so that no product can overflow.
void NpyArray::check_size() {
  const Index have = data_.size();
  bool fits = true;
  size_ = 1;
  for (const Index extent : shape_) {
    fits = fits && (extent == 0 || size_ <= (Index{1} << 62) / extent);
    size_ = fits ? size_ * extent : size_;
  }
  const bool enough = fits && (item_ == 0 || size_ <= have / item_);
  if (enough && size_ * item_ == have) return;
  refuse(fmt::format(
      "the header declares {} values of {} bytes each, but {} bytes follow{}", shape_in_words(), item_, have,
      enough ? fmt::format(", {} too many; save the array again", have - size_ * item_) : "; is the file truncated?"));
}

void NpyArray::check_finite(const double* values, Index rows, Index cols) const {
  for (Index k = 0; k < rows * cols; ++k) {
    if (std::isinf(values[k])) {
      refuse(fmt::format("row {}, column {} is infinite; correct it, or use NaN for a missing value", k % rows + 1,
                         k / rows + 1));
    }
  }
}

DenseStorage NpyArray::to_matrix() const {
  if (is_text()) refuse("contains text; expected numbers");
  if (shape_.empty() || shape_.size() > 2 || size_ == 0) {
    refuse(
        fmt::format("has shape {}; expected a matrix of rows x columns with at least one of each", shape_in_words()));
  }
  const Index rows = shape_[0];
  const Index cols = shape_.size() == 2 ? shape_[1] : 1;
  DenseStorage out(rows, cols);
  const bool by_rows = !fortran_ && cols > 1;
  // 64 x 64 tiles: transposition from row-major order without long strides in both operands.
  constexpr Index tile = 64;
  with_number_type(kind_, item_, [&]<class T>(T) {
    const Index size = sizeof(T);
    parallel_for(rows, by_rows ? tile : rows, [&](Index first, Index last) {
      for (Index j0 = 0; j0 < cols; j0 += tile) {
        for (Index j = j0; j < std::min(cols, j0 + tile); ++j) {
          const char* p = data_.data() + size * (by_rows ? first * cols + j : j * rows + first);
          const Index step = by_rows ? size * cols : size;
          double* column = out.col(j);
          for (Index i = first; i < last; ++i, p += step) column[i] = static_cast<double>(load<T>(p, swapped_));
        }
      }
      if (by_rows) source_.release(data_.data() + size * first * cols, data_.data() + size * last * cols);
    });
  });
  source_.release(data_.data(), data_.data() + data_.size());
  if (kind_ == 'f') check_finite(out.values.get(), rows, cols);
  return out;
}

std::vector<double> NpyArray::to_vector() const {
  if (is_text()) refuse("contains text; expected numbers");
  if (std::count_if(shape_.begin(), shape_.end(), [](Index e) { return e != 1; }) > 1) {
    refuse(fmt::format("has shape {}; expected a vector", shape_in_words()));
  }
  std::vector<double> out(size_);
  with_number_type(kind_, item_, [&]<class T>(T) {
    for (Index k = 0; k < std::ssize(out); ++k)
      out[k] = static_cast<double>(load<T>(data_.data() + k * sizeof(T), swapped_));
  });
  if (!out.empty()) check_finite(out.data(), size_, 1);
  return out;
}

// Floating-point indices are refused rather than rounded.
std::vector<Index> NpyArray::to_indices() const {
  if (is_text() || kind_ == 'f') refuse("expected integers");
  std::vector<Index> out(size_);
  with_number_type(kind_, item_, [&]<class T>(T) {
    for (Index k = 0; k < std::ssize(out); ++k)
      out[k] = static_cast<Index>(+load<T>(data_.data() + k * sizeof(T), swapped_));  // width; +: of bytes too
  });
  return out;
}

std::vector<std::string> NpyArray::to_texts() const {
  if (!is_text()) refuse("expected text");
  // Strings of width 0 take no bytes, so their number is not bounded by the file's size; none can be a name or a level.
  if (item_ == 0 && size_ > 0) refuse("all its strings are empty");
  std::vector<std::string> out(size_);
  for (Index k = 0; k < std::ssize(out); ++k) {
    const std::string_view cell = data_.substr(k * item_, item_);
    if (kind_ == 'S') {
      out[k] = cell.substr(0, cell.find('\0'));
    } else {
      for (Index c = 0; c < std::ssize(cell); c += 4) {
        const auto code = load<std::uint32_t>(cell.data() + c, swapped_);
        if (code == 0) break;
        append_utf8(out[k], code <= 0x10FFFF ? code : 0xFFFD);
      }
    }
    if (!is_utf8(out[k])) refuse(fmt::format("string {} is not valid Unicode: {}", k + 1, shown(out[k])));
  }
  return out;
}

}  // namespace tamis::io
