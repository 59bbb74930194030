// Simulations of Kondo, Maeda & Hayashi, "Bayesian masking: sparse Bayesian estimation with weaker shrinkage bias"
// (2015).
#include <fmt/format.h>

#include "experiments/generators.hpp"

namespace tamis::experiments {
namespace {

const std::string paper = "Kondo, Maeda & Hayashi (2015), Bayesian masking, ";

// Eq. 21: every pair of rows is (1, 0) and (.5, 1); only the second feature matters.
void draw_two_features(const Parameters& parameters, Simulation& out) {
  set_coefficients(out, {0, 1});
  out.truth.noise_variance = parameters.real("noise_variance");
  const Index pairs = parameters.whole("pairs");
  draw_columns(out, 2 * pairs, 0, 2 * parameters.whole("test_pairs"), [](Index n, Part) {
    Matrix X(n, 2);
    for (Index i = 0; i < n; i += 2) {
      X(i, 0) = 1;
      X(i + 1, 0) = 0.5;
      X(i + 1, 1) = 1;
    }
    return X;
  });
  add_gaussian_responses(out);
}

// X and beta uniform on [0, 1], half of beta zero, samples in proportion to the features.
void draw_half_relevant(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p");
  std::vector<double> coefficients(p);
  RandomStream uniform = stream(out.seed, Part::truth, Purpose::sizes);
  for (const Index j : random_places(out, p, p - p / 2)) coefficients[j] = uniform.uniform01();
  set_coefficients(out, coefficients);
  out.truth.noise_variance = parameters.real("noise_variance");
  const Index n = parameters.whole("samples_per_feature") * p;
  draw_columns(out, n, 0, parameters.whole("test"),
               [&](Index count, Part part) { return uniform_columns(count, p, out.seed, part); });
  add_gaussian_responses(out);
}

}  // namespace

std::vector<DesignEntry> masking_designs() {
  std::vector<DesignEntry> list = {{{"bm.k2",
                                     "two features, the first irrelevant, rows (1, 0) and (.5, 1)",
                                     paper + "Fig. 2 (Eq. 21)",
                                     "gaussian",
                                     {{"pairs", "number of pairs of training rows (Fig. 3: 50)", 20, 1, 1e7, true},
                                      {"test_pairs", "number of pairs of test rows", 20, 0, 1e7, true},
                                      noise_variance(0.005)}},
                                    draw_two_features}};
  for (const int features_here : {10, 30, 50, 100}) {
    list.push_back({{fmt::format("bm.k{}", features_here),
                     fmt::format("{} uniform features, half of them irrelevant, 20 samples per feature", features_here),
                     paper + (features_here == 50 ? "Figs. 4 and 5" : "Fig. 5"),
                     "gaussian",
                     {features(features_here),
                      {"samples_per_feature", "number of training samples per feature", 20, 1, 1e6, true},
                      {"test", "test samples", 1000, 0, 1e8, true},
                      noise_variance(0.2)}},
                    draw_half_relevant});
  }
  return list;
}

}  // namespace tamis::experiments
