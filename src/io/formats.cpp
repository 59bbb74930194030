// Registry and detection of file formats. Content decides before the extension: files are renamed, and a wrong reader's
// message would be about syntax. Signatures are exact except for svmlight, whose first line must parse; CSV accepts all
// text that is left. Binary content of no known format is refused instead of being parsed as CSV.
#include "io/formats.hpp"

#include <algorithm>
#include <string>

#include "io/read_csv.hpp"
#include "io/read_matrix_market.hpp"
#include "io/read_npy.hpp"
#include "io/read_npz.hpp"
#include "io/read_svmlight.hpp"

namespace tamis::io {
namespace {

// CSV has no signature: it is what text is if no other format recognizes it.
bool never(std::string_view) { return false; }

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> list = {
      {"csv", {".csv", ".tsv", ".txt", ".dat"}, never, read_csv},
      {"svmlight", {".svm", ".libsvm", ".svmlight"}, sniff_svmlight, read_svmlight},
      {"matrix-market", {".mtx"}, sniff_matrix_market, read_matrix_market},
      {"npy", {".npy"}, sniff_npy, read_npy},
      {"npz", {".npz"}, sniff_npz, read_npz},
  };
  return list;
}

const Format& detect(const Source& source) {
  const auto list = formats();
  for (const auto& format : list) {
    if (format.sniff(source.bytes())) return format;
  }
  for (const auto& format : list) {
    if (std::count(format.extensions.begin(), format.extensions.end(), source.extension()) > 0) return format;
  }
  // Text has no NUL in its first block.
  const auto head = source.bytes().substr(0, 4096);
  if (head.find('\0') == std::string_view::npos) return list.front();
  std::string names;
  for (const auto& format : list) names += (names.empty() ? "" : ", ") + std::string(format.name);
  source.refuse("unrecognized binary format; expected one of: " + names);
}

}  // namespace tamis::io
