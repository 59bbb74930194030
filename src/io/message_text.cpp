// Text for messages about files: quoted names, suggestions, command-line options.
//
// Untrusted  names come from files and go to terminals: shown() passes valid printable UTF-8 only (no escape sequences,
//            no control characters) and cuts after 40 bytes at a character boundary.
// Suggestion names within a third of the length in Levenshtein distance, case-insensitive, at most three; otherwise the
// first names. Bounded to 20,000 names of 200 bytes, since the distance costs the product of the lengths.
// Quoting    exclude_option() gives an option that a POSIX shell passes on unchanged and that is not split at commas.
// Example    column "agee" not found; did you mean "age"?
#include "io/message_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tamis::io {
namespace {

constexpr std::size_t longest_shown = 40;
// Names compared for a suggestion; with more, the search would take noticeable time on an error path.
constexpr std::size_t most_compared = 20000;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein distance without regard to case.
// Two-row dynamic programming in one row; O(|a| |b|) time, O(|b|) memory.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (Index i = 0; i < std::ssize(a); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (Index j = 0; j < std::ssize(b); ++j) {
      const std::size_t substitution = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitution, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Length of the UTF-8 character at `at`, 0 if invalid. Strict (RFC 3629): overlong forms, surrogates and code points
// beyond U+10FFFF are refused, because other parsers would decode them differently.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const auto tail = [&](std::size_t k) { return (byte(at + k) & 0xC0U) == 0x80U; };
  const unsigned head = byte(at);
  if (head < 0x80) return 1;
  if (head >= 0xC2 && head < 0xE0) return tail(1) ? 2 : 0;
  if (head >= 0xE0 && head < 0xF0) {
    const bool overlong = head == 0xE0 && byte(at + 1) < 0xA0;
    const bool surrogate = head == 0xED && byte(at + 1) >= 0xA0;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (head >= 0xF0 && head < 0xF5) {
    const bool overlong = head == 0xF0 && byte(at + 1) < 0x90;
    const bool too_large = head == 0xF4 && byte(at + 1) >= 0x90;
    return tail(1) && tail(2) && tail(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out = "\"";
  std::size_t at = 0;
  while (at < std::min(text.size(), longest_shown)) {
    const std::size_t length = utf8_length(text, at);
    const bool printable = length > 1 || (length == 1 && text[at] >= ' ' && text[at] != '\x7f');
    if (printable) {
      out.append(text.substr(at, length));
    } else {
      out.push_back('?');
    }
    at += std::max<std::size_t>(1, length);
  }
  return out + (at < text.size() ? "...\"" : "\"");
}

std::string shown_list(std::span<const std::string> names, std::size_t most) {
  std::string out;
  for (Index k = 0; k < std::min<Index>(most, std::ssize(names)); ++k) out += (k > 0 ? ", " : "") + shown(names[k]);
  if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
  return out;
}

// Special cases for files that were read as a single column: the delimiter was not recognized.
std::string suggestion(std::string_view name, std::span<const std::string> names) {
  const std::size_t near_enough = std::max<std::size_t>(1, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& candidate : names.first(std::min(names.size(), most_compared))) {
    const std::size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (gap > near_enough || candidate.size() > 200) continue;
    const std::size_t distance = edit_distance(name, candidate);
    const bool related = distance < std::max(candidate.size(), name.size());  // "b" is no typo of "a"
    if (distance <= near_enough && related) near.emplace_back(distance, candidate);
  }
  if (near.empty() && names.empty()) return "there are no columns";
  if (near.empty() && names.size() == 1 && names[0].find_first_of(" |") != std::string::npos) {
    return "the only column is " + shown(names[0]) + "; fields must be separated by commas, semicolons or tabs";
  }
  if (near.empty() && names.size() == 1 && names[0].find_first_of(",;") != std::string::npos) {
    return "the only column is " + shown(names[0]) +
           "; fields of a .tsv file are separated by tabs: if this one uses commas or semicolons, rename it to .csv";
  }
  if (near.empty()) return (names.size() == 1 ? "the only column is " : "the columns are ") + shown_list(names);
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> closest;
  for (Index k = 0; k < std::min<Index>(3, std::ssize(near)); ++k) closest.push_back(near[k].second);
  return "did you mean " + shown_list(closest) + "?";
}

// Two levels of quoting: double quotes for the list of names (split_names), single quotes for the shell.
std::string exclude_option(std::string_view name) {
  std::string word;
  bool in_list = false;   // quotes that keep a list of names from being cut here
  bool in_shell = false;  // quotes that keep a shell from looking inside
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("_-.:+@%/").find(c) != std::string_view::npos || (c & 0x80) != 0;
    in_list = in_list || c == ',' || c == '"';
    in_shell = in_shell || !plain;
    word += c == '"' ? std::string("\"\"") : c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  if (in_list) word = '"' + word + '"';
  return "--exclude " + (in_shell ? "'" + word + "'" : word);
}

bool is_utf8(std::string_view text) {
  for (Index at = 0; at < std::ssize(text);) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace tamis::io
