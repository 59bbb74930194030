// Alternatives: unselected features that are correlated with a selected one.
//
// A method that keeps one of two nearly equal columns says nothing of the other, and a reader takes it for irrelevant.
// One pass X'Z over the standardized selected columns Z shows those that could stand in.
// Cost       rows x columns x selected; beyond 4e9 multiplications (about a second) the strongest selected features
//            only are looked at, at least one.
#include "problem/alternatives.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>

#include "problem/column_moments_cache.hpp"

namespace tamis {
namespace {

constexpr double most_products = 4e9;
constexpr Index most_columns = 1000;  // of the dense copy of the selected ones

// Strongest first; ties by position, whichever thread comes first.
bool is_stronger(const Alternative& a, const Alternative& b) {
  return std::tuple(-std::abs(a.correlation), a.feature) < std::tuple(-std::abs(b.correlation), b.feature);
}

void keep_strongest(std::vector<Alternative>& list, const Alternative& one) {
  list.insert(std::ranges::upper_bound(list, one, is_stronger), one);
  if (std::ssize(list) > most_alternatives) list.pop_back();
}

// Selected columns that vary, strongest first, as many as the budget allows.
std::vector<Index> looked_at(const Problem& problem, const ColumnMoments& moments, const std::vector<Selected>& all) {
  const double of_one = problem.X.stored_per_column() * static_cast<double>(problem.X.cols());
  const double affordable = std::clamp(most_products / std::max(of_one, 1.0), 1.0, static_cast<double>(most_columns));
  std::vector<Index> columns;
  for (const Selected& one : all) {
    if (moments.deviation[one.feature] > 0) columns.push_back(one.feature);
    if (static_cast<double>(columns.size()) + 1 > affordable) break;
  }
  return columns;
}

}  // namespace

std::vector<Alternative> find_alternatives(const Problem& problem, const Fit& fit) {
  const Index n = problem.X.rows(), p = problem.X.cols();
  const std::vector<Selected> selected = select_by_threshold(fit, 0.5);
  const std::shared_ptr<const ColumnMoments> moments = ColumnMomentsCache::of(problem);
  const std::vector<Index> columns = looked_at(problem, *moments, selected);
  if (columns.empty() || std::ssize(selected) == p) return {};
  std::vector<char> is_selected(p, 0);
  for (const Selected& one : selected) is_selected[one.feature] = 1;

  const StandardizedDesign X(problem.X, moments);
  Matrix Z(n, std::ssize(columns));
  X.gather(Columns(columns), Z);
  const double total = problem.weights.empty() ? static_cast<double>(n)
                                               : std::accumulate(problem.weights.begin(), problem.weights.end(), 0.0);
  for (Index k = 0; k < Z.cols(); ++k) {
    for (Index i = 0; i < n; ++i) Z(i, k) *= (problem.weights.empty() ? 1.0 : problem.weights[i]) / total;
  }

  std::vector<std::vector<Alternative>> found(columns.size());
  std::mutex guard;
  X.visit_products(X.all(), Z, [&](Index first, MatrixView part) {
    for (Index k = 0; k < part.cols; ++k) {
      for (Index j = 0; j < part.rows; ++j) {
        if (!(std::abs(part(j, k)) >= least_alternative) || is_selected[first + j] != 0) continue;
        const std::lock_guard lock(guard);
        keep_strongest(found[k], {first + j, columns[k], std::clamp(part(j, k), -1.0, 1.0)});
      }
    }
  });
  std::vector<Alternative> all;
  for (const std::vector<Alternative>& list : found) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace tamis
