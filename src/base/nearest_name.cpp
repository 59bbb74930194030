#include "tamis/base/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {
namespace {

// Levenshtein distance with one row of the dynamic program.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (Index i = 1; i <= std::ssize(a); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (Index j = 1; j <= std::ssize(b); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> known) {
  std::string best;
  // A third of the letters wrong, at least one, is still a typing error; beyond that a suggestion would confuse.
  std::size_t best_distance = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(typed, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> known) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? "" : " (did you mean '" + name + "'?)";
}

}  // namespace tamis
