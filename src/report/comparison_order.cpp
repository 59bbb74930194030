// Orders that text and page share: methods by error, features by the number of methods and folds that select them.
// A method that selects every feature (ridge) carries no information about features and would list all of them; where
// there are more than 30, it is not counted unless every method selects all. Ties are broken by position in the data,
// so that the order is deterministic.
#include "report/comparison_order.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace tamis {

// Infinity for methods without an error; stable, so that equal errors keep the order of the request.
std::vector<std::size_t> methods_by_error(const Comparison& comparison) {
  std::vector<std::size_t> order(comparison.methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t m) {
    const ComparedMethod& method = comparison.methods[m];
    return method.error ? method.error->mean : std::numeric_limits<double>::infinity();
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

std::vector<SelectionCount> features_by_count(const Comparison& comparison) {
  std::map<Index, SelectionCount> found;
  constexpr std::size_t few = 30;
  const bool all_select_all =
      comparison.features.size() <= few || std::ranges::none_of(comparison.methods, [&](const ComparedMethod& m) {
        return m.kept.size() < comparison.features.size();
      });
  for (const ComparedMethod& method : comparison.methods) {
    if (!all_select_all && method.kept.size() == comparison.features.size()) continue;
    for (const Index j : method.kept) ++found[j].methods;
    for (const FoldResult& fold : method.folds) {
      for (const Index j : fold.kept) ++found[j].folds;
    }
  }
  std::vector<SelectionCount> counts;
  for (auto& [feature, count] : found) {
    count.feature = feature;
    counts.push_back(count);
  }
  std::ranges::sort(counts, {}, [](const SelectionCount& v) { return std::tuple(-v.methods, -v.folds, v.feature); });
  return counts;
}

Index folds_that_select(const ComparedMethod& method, Index feature) {
  return std::ranges::count_if(method.folds,
                               [&](const FoldResult& fold) { return std::ranges::binary_search(fold.kept, feature); });
}

// `kept` is sorted (held_out_scores.cpp), here and in folds.
bool selects(const ComparedMethod& method, Index feature) { return std::ranges::binary_search(method.kept, feature); }

}  // namespace tamis
