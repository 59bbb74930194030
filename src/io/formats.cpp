// Registry and detection of file formats. Content decides before the extension: files are renamed, and a wrong reader's
// message would be about syntax. Signatures are exact except for svmlight, whose first line must parse; CSV accepts all
// text that is left. Binary content of no known format is refused instead of being parsed as CSV.
#include "io/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/registry.hpp"
#include "io/read_csv.hpp"
#include "io/read_matrix_market.hpp"
#include "io/read_npy.hpp"
#include "io/read_npz.hpp"
#include "io/read_svmlight.hpp"

namespace tamis::io {
namespace {

// CSV has no signature: it is what text is if no other format recognizes it.
bool never(std::string_view) { return false; }

// Made when it is first asked for: formats are added while static objects of other files are being initialized.
Registry<Format>& registry() {
  static Registry<Format> only("add_format",
                               {
                                   {"csv", {".csv", ".tsv", ".txt", ".dat"}, never, read_csv},
                                   {"svmlight", {".svm", ".libsvm", ".svmlight"}, sniff_svmlight, read_svmlight},
                                   {"matrix-market", {".mtx"}, sniff_matrix_market, read_matrix_market},
                                   {"npy", {".npy"}, sniff_npy, read_npy},
                                   {"npz", {".npz"}, sniff_npz, read_npz},
                               });
  return only;
}

// As Source::extension() gives it.
bool is_extension(std::string_view extension) {
  return extension.size() > 1 && extension[0] == '.' && extension != ".gz" &&
         std::ranges::none_of(extension, [](char c) { return c >= 'A' && c <= 'Z'; });
}

void check_complete(const Format& format) {
  const bool complete = !format.name.empty() && !format.extensions.empty() && format.sniff && format.read;
  if (complete && std::ranges::all_of(format.extensions, is_extension)) return;
  throw InvalidInput(
      fmt::format("add_format: the format '{}' is incomplete; expected a name, lower-case extensions with their dot, "
                  "sniff and read",
                  format.name));
}

void check_extensions(const Format& format, const Format& known) {
  for (const std::string_view extension : format.extensions) {
    if (std::ranges::find(known.extensions, extension) == known.extensions.end()) continue;
    throw InvalidInput(fmt::format("add_format: the extension {} of {} belongs to the format {}; choose another",
                                   extension, format.name, known.name));
  }
}

}  // namespace

const std::deque<Format>& formats() { return registry().list(); }

const Format& add_format(Format format) {
  check_complete(format);
  return registry().add(format, [&](const std::deque<Format>& present) {
    for (const Format& known : present) check_extensions(format, known);
  });
}

const Format& detect(const Source& source) {
  const auto& list = formats();
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
