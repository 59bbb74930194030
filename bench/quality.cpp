#include "bench/quality.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/designs.hpp"
#include "tamis/method/method.hpp"

namespace tamis::bench {
namespace {

Matrix columns_of(const Matrix& X, const std::vector<Index>& columns) {
  Matrix out(X.rows(), std::ssize(columns));
  for (Index k = 0; k < std::ssize(columns); ++k) {
    std::ranges::copy(X.column(columns[k]), out.col(k));
  }
  return out;
}

double test_error(const Fit& fit, const Matrix& X, std::span<const double> y) {
  const Prediction prediction = predict(fit, DenseDesign(X));
  double sum = 0;
  for (Index i = 0; i < std::ssize(y); ++i) sum += std::pow(y[i] - prediction.mean[i], 2);
  return sum / static_cast<double>(y.size());
}

}  // namespace

Quality measure_quality(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters,
                        const std::string& method) {
  const experiments::Simulation data = experiments::simulate(design, seed, parameters);
  const std::vector<Index>& truth = data.truth.support;
  const auto fit_on = [&](const Matrix& X, const std::string& name, const std::map<std::string, OptionValue>& options) {
    const DenseDesign columns(X);
    return fit({.X = columns, .y = data.train.y.column(0), .likelihood = family(data.family)}, name, options);
  };
  const Fit found = fit_on(data.train.X, method, {});
  // Least squares: a ridge penalty that rounding hides.
  const Fit oracle = fit_on(columns_of(data.train.X, truth), "ridge", {{"penalty", 1e-9}});
  const std::vector<Selected> kept = select_by_threshold(found);
  const auto right =
      std::ranges::count_if(kept, [&](const Selected& s) { return std::ranges::binary_search(truth, s.feature); });
  const std::span<const double> y = data.test.y.column(0);
  return {2.0 * static_cast<double>(right) / static_cast<double>(kept.size() + truth.size()),
          static_cast<double>(kept.size()),
          test_error(found, data.test.X, y) / test_error(oracle, columns_of(data.test.X, truth), y)};
}

}  // namespace tamis::bench
