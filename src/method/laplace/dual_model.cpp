#include "method/laplace/dual_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/laplace/gaussian_rows.hpp"
#include "method/laplace/logistic_rows.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Rows or features, whichever are fewer: their Gram matrix is held in memory (200 MB) and factored repeatedly.
constexpr Index max_dimensions = 5000;

}  // namespace

std::vector<double> PriorVariances::all(Index features) const {
  std::vector<double> out(features, common);
  for (Index k = 0; k < std::ssize(large_variance); ++k) out[large_variance[k]] = values[k];
  return out;
}

// All products at once, one pass over X for every dual vector; the sorted slab is walked beside the features.
DualModel::Slabs DualModel::large_correlations(const Matrix& duals, const Slabs& slabs, double inside,
                                               double outside) const {
  Matrix products(features(), duals.cols());
  correlations(duals, products);
  Slabs large(slabs.size());
  for (Index k = 0; k < std::ssize(slabs); ++k) {
    const double* product = products.col(k);
    auto next = slabs[k].begin();
    for (Index j = 0; j < features(); ++j) {
      const bool in = next != slabs[k].end() && *next == j;
      if (in) ++next;
      if (std::abs(product[j]) >= (in ? inside : outside)) large[k].push_back(j);
    }
  }
  return large;
}

std::unique_ptr<DualModel> make_dual_model(const ScaledProblem& scaled) {
  if (!scaled.gaussian()) return std::make_unique<LogisticRows>(scaled);
  if (std::min(scaled.rows(), scaled.features()) > max_dimensions) {
    throw InvalidInput(
        fmt::format("X: received {} rows and {} non-constant columns; for family gaussian flas needs at most {} of "
                    "either; drop features that never enter a lasso path (--exclude), or use vg or pmf",
                    scaled.rows(), scaled.features(), max_dimensions));
  }
  return std::make_unique<GaussianRows>(scaled);
}

}  // namespace tamis
