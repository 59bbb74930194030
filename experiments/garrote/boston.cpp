#include "experiments/garrote/boston.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::garrote {
namespace {

void standardize(std::span<double> values, const std::string& name) {
  const double n = static_cast<double>(values.size());
  double mean = 0, square = 0;
  for (const double value : values) mean += value / n;
  for (const double value : values) square += (value - mean) * (value - mean) / n;
  if (!(square > 0)) throw InvalidInput(fmt::format("column {}: all values are equal", name));
  for (double& value : values) value = (value - mean) / std::sqrt(square);
}

}  // namespace

Boston::Boston(const Dataset& data) : X(data.X->rows(), data.X->cols()), y(data.y) {
  data.X->gather(data.X->all(), X);
  finish(data);
}

Boston::Boston(const Dataset& data, std::uint64_t seed) {
  constexpr Index used = 456;
  constexpr std::uint64_t rows_stream = 7;  // beside those of random_inclusion
  const Index rows = std::min(used, data.X->rows());
  const std::vector<Index> chosen = RandomStream(seed, rows_stream).sample(data.X->rows(), rows);
  const RowSubsetDesign subset(*data.X, chosen);
  X = Matrix(rows, data.X->cols());
  subset.gather(subset.all(), X);
  for (const Index i : chosen) y.push_back(data.y[i]);
  finish(data);
}

void Boston::finish(const Dataset& data) {
  for (Index j = 0; j < X.cols(); ++j) standardize(X.column(j), data.features[j]);
  standardize(y, data.target);
  const DenseDesign design(X);
  const Fit fit = method("exact").fit(
      {.X = design, .y = y, .likelihood = family("gaussian")},
      {{"prior_inclusion", prior_inclusion}, {"slab_variance", slab_variance}, {"noise_variance", noise_variance}},
      {.threads = 1});
  exact = fit.coefficients;
}

std::vector<double> random_inclusion(StartKind kind, Index features, std::uint64_t seed) {
  RandomStream numbers(seed, static_cast<std::uint64_t>(kind));
  std::vector<double> inclusion;
  inclusion.reserve(features);
  for (Index j = 0; j < features; ++j) {
    const double u = numbers.uniform01();
    inclusion.push_back(kind == StartKind::soft ? u : std::round(u));
  }
  return inclusion;
}

}  // namespace tamis::experiments::garrote
