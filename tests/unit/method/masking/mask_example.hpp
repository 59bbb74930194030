// Data for the tests of Bayesian Masking's steps.
#pragma once

#include "method/masking/mask_state.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// Uniform columns, every second one relevant with weight 1, as in Section 5.3 of the paper; gaussian noise of variance
/// .2, or a coin of matching odds.
inline MaskData draw_masked(Index n, Index p, std::uint64_t seed, std::string_view family = "gaussian",
                            bool intercept = false) {
  MaskData data{tamis::family(family), MaskMatrix(n, p), {}, {}, std::vector<double>(n, 1.0), intercept};
  for (Index j = 0; j < p; ++j) {
    RandomStream uniform(seed, 1, static_cast<std::uint64_t>(j));
    for (double& x : data.X.column(j)) x = uniform.uniform01();
  }
  RandomStream noise(seed, 2);
  for (Index i = 0; i < n; ++i) {
    double eta = 0;
    for (Index j = 0; j < p; j += 2) eta += data.X(i, j);
    const double odds = 4 * (eta - 0.25 * static_cast<double>(p));
    data.y.push_back(family == "bernoulli" ? double(noise.uniform01() < logistic(odds)) : eta + 0.447 * noise.normal());
  }
  return data;
}

}  // namespace tamis
