// Small random regressions for the tests of ard, on the scale on which it works: no intercept, nothing standardized.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "method/ard/algorithms.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis::ard_test {

struct Regression {
  Matrix X;
  Matrix Y;
  Matrix truth;

  RelevanceData data(const Design& design, std::span<const Index> groups = {}) const {
    return {design, std::vector<double>(X.rows(), 1.0), false, Y, groups};
  }
  Problem problem(const Design& design) const {
    return {.X = design, .y = Y.column(0), .likelihood = family("gaussian"), .intercept = false, .standardize = false};
  }
};

/// Normal features of unit variance, the first `k` with coefficients of about one, noise of the given variance.
inline Regression random_regression(Index n, Index p, Index k, double noise_variance, std::uint64_t seed,
                                    Index targets = 1) {
  Regression made{Matrix(n, p), Matrix(n, targets), Matrix(p, targets)};
  for (Index j = 0; j < p; ++j) RandomStream(seed, 0, static_cast<std::uint64_t>(j)).normals(made.X.column(j));
  for (Index l = 0; l < targets; ++l) {
    RandomStream draw(seed, 1, static_cast<std::uint64_t>(l));
    for (Index j = 0; j < k; ++j) made.truth(j, l) = (0.7 + 0.6 * draw.uniform01()) * (draw.uniform01() < 0.5 ? -1 : 1);
    for (Index i = 0; i < n; ++i) {
      made.Y(i, l) = std::sqrt(noise_variance) * draw.normal();
      for (Index j = 0; j < k; ++j) made.Y(i, l) += made.X(i, j) * made.truth(j, l);
    }
  }
  return made;
}

/// In one thread, as inside a fit.
inline RelevanceRun run(std::string_view algorithm, Relevance& model, const RelevanceRequest& request,
                        const RelevanceWatch& on_iteration) {
  RelevanceRun result;
  with_threads(1, [&] { result = run_algorithm(algorithm, model, request, on_iteration); });
  return result;
}

inline const RelevanceWatch& nobody_watches() {
  static const RelevanceWatch on_iteration = [](const RelevancePoint&, double, double) { return true; };
  return on_iteration;
}

}  // namespace tamis::ard_test
