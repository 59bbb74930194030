// Small data for comparisons: columns of normals, the first two matter.
#pragma once

#include <cmath>
#include <vector>

#include "tamis/base/random.hpp"
#include "tamis/compare/compare.hpp"

namespace tamis {

struct CompareExample {
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights = {};
  const Family* family = nullptr;

  Problem problem(const Design& design) const {
    return {.X = design, .y = y, .likelihood = *family, .weights = weights};
  }
};

/// The predictor is 2 x1 - 1.5 x2 (times `signal`); gaussian noise has deviation 0.5.
inline CompareExample compare_example(std::string_view family, Index rows, Index cols, double signal = 1,
                                      std::uint64_t seed = 1) {
  CompareExample example{Matrix(rows, cols), {}, {}, &tamis::family(family)};
  for (Index j = 0; j < cols; ++j) {
    RandomStream stream(seed, 1, static_cast<std::uint64_t>(j));
    stream.normals(example.X.column(j));
  }
  RandomStream noise(seed, 2);
  for (Index i = 0; i < rows; ++i) {
    const double eta = signal * (2 * example.X(i, 0) - (cols > 1 ? 1.5 * example.X(i, 1) : 0));
    if (family == "gaussian") example.y.push_back(eta + 0.5 * noise.normal());
    if (family == "bernoulli") example.y.push_back(noise.uniform01() < 1 / (1 + std::exp(-eta)) ? 1 : 0);
    if (family == "poisson") example.y.push_back(std::floor(std::exp(std::min(3.0, 0.5 * eta)) + noise.uniform01()));
  }
  return example;
}

inline std::vector<Contender> named(const std::vector<std::string>& names) {
  std::vector<Contender> contenders;
  for (const std::string& name : names) contenders.push_back({.method = name});
  return contenders;
}

}  // namespace tamis
