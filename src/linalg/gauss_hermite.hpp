// Integrals against a normal density.
#pragma once

#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// E f(z) for z ~ N(0, 1) is the sum of weights_k f(nodes_k): exact for polynomials of degree 2 count - 1.
struct NormalRule {
  explicit NormalRule(Index count);
  std::vector<double> nodes;
  std::vector<double> weights;
};

}  // namespace tamis
