// Rows of a Problem copied into one of their own. A copy, not a RowSubsetDesign: every method passes over X many times,
// and a view would pay an indirection per entry in each pass, while the copy costs one pass per fold. Peak memory is
// therefore at most twice the data during a fold (training and held-out rows together are the whole).
#include "compare/part.hpp"

#include "design/copy_rows.hpp"

namespace tamis {
namespace {

std::vector<double> picked(std::span<const double> values, std::span<const Index> rows) {
  std::vector<double> out;
  if (values.empty()) return out;
  out.reserve(rows.size());
  for (const Index i : rows) out.push_back(values[i]);
  return out;
}

}  // namespace

Part::Part(const Problem& whole, std::vector<Index> chosen)
    : rows(std::move(chosen)),
      X(copy_rows(whole.X, rows)),
      y(picked(whole.y, rows)),
      weights(picked(whole.weights, rows)),
      offset(picked(whole.offset, rows)) {}

Problem Part::problem(const Problem& whole, std::span<const Index> groups) const {
  return {.X = *X,
          .y = y,
          .likelihood = whole.likelihood,
          .weights = weights,
          .offset = offset,
          .intercept = whole.intercept,
          .standardize = whole.standardize,
          .feature_names = whole.feature_names,
          .groups = groups};
}

}  // namespace tamis
