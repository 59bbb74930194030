// Simulations of Naqvi, Zhe, Qi, Yang & Ye, "Fast Laplace approximation for sparse Bayesian spike and slab models"
// (IJCAI 2016), section 5.1: twenty relevant features in two groups of ten, correlated .81 within a group.
#include <fmt/format.h>

#include <cmath>

#include "experiments/generators.hpp"

namespace tamis::experiments {
namespace {

constexpr Index relevant = 20;
constexpr Index group = 10;

// Zeros, then v, v / sqrt(10), -v, -v / sqrt(10) with v five fives.
std::vector<double> weights(Index p) {
  std::vector<double> coefficients(p);
  for (Index k = 0; k < relevant; ++k) {
    const double sign = k < group ? 1 : -1;
    coefficients[p - relevant + k] = sign * (k % group < 5 ? 5 : 5 / std::sqrt(10.0));
  }
  return coefficients;
}

Matrix grouped_columns(Index n, Index p, double within, std::uint64_t seed, Part part) {
  Matrix X = normal_columns(n, p, seed, part);
  const double shared = std::sqrt(within), own = std::sqrt(1 - within);
  for (Index g = 0; g < relevant / group; ++g) {
    std::vector<double> common(n);
    stream(seed, part, Purpose::blocks, g).normals(common);
    for (Index k = 0; k < group; ++k) {
      double* column = X.col(p - relevant + g * group + k);
      for (Index i = 0; i < n; ++i) column[i] = shared * common[i] + own * column[i];
    }
  }
  return X;
}

void draw_features(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p");
  set_coefficients(out, weights(p));
  draw_columns(out, parameters, [&](Index n, Part part) {
    return grouped_columns(n, p, parameters.real("correlation"), out.seed, part);
  });
}

void draw_regression(const Parameters& parameters, Simulation& out) {
  draw_features(parameters, out);
  out.truth.noise_variance = parameters.real("noise_variance");
  add_gaussian_responses(out);
}

// The sign of the predictor, without noise; 0 stands for the paper's -1.
void draw_classification(const Parameters& parameters, Simulation& out) {
  draw_features(parameters, out);
  for (SimulatedSet* set : {&out.train, &out.validation, &out.test}) {
    set->y = predictor(*set, out.truth);
    for (double& value : set->y.column(0)) value = value > 0 ? 1 : 0;
  }
}

}  // namespace

std::vector<DesignEntry> laplace_designs() {
  const std::string paper = "Naqvi et al. (2016), Fast Laplace approximation for spike and slab, Fig. 1";
  std::vector<DesignEntry> list;
  const auto add = [&](const std::string& kind, const std::string& family, const std::vector<DesignParameter>& more,
                       void (*draw)(const Parameters&, Simulation&)) {
    for (const int n : {60, 80, 100, 120}) {
      const std::vector<DesignParameter> common = {features(1000, relevant),
                                                   correlation("correlation within a group of ten", 0.81)};
      list.push_back({{fmt::format("flas.{}-n{}", kind, n),
                       fmt::format("{}, {} samples of 1000 features, 20 relevant in two correlated groups", kind, n),
                       paper, family, join(join(sizes(n, 0, 200), common), more)},
                      draw});
    }
  };
  add("regression", "gaussian", {noise_variance(1)}, draw_regression);
  add("classification", "bernoulli", {}, draw_classification);
  return list;
}

}  // namespace tamis::experiments
