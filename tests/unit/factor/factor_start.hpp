// Where the algorithms of factor models start in their tests.
#pragma once

#include "factor/model/cells.hpp"
#include "factor/model/state.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {

/// Three factors: normal scores and small loadings.
inline factor::FactorState random_start(const factor::Cells& cells) {
  factor::FactorState state(cells, 3, true);
  RandomStream random(5);
  random.normals(state.scores);
  for (double& theta : state.loadings) theta = 0.1 * random.normal();
  return state;
}

}  // namespace tamis
