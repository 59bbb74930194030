#include "factor/model/cell_view.hpp"

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"

namespace tamis::factor {

double view_line(const Cells& cells, const double* x, const double* psi, Index count,
                 std::span<const std::int32_t> missing, double* residual, double* weight) {
  const Scratch loss(count);
  const CellFamily family = cells.family();
  const double limit = cells.largest_log_rate();
  simd_dispatch([&] {
    for (Index i = 0; i < count; ++i) {
      const CellView at = view_cell(family, limit, x[i], psi[i]);
      loss[i] = at.loss;
      residual[i] = at.residual;
      weight[i] = at.weight;
    }
  });
  for (const std::int32_t i : missing) loss[i] = residual[i] = weight[i] = 0;
  double sums[4] = {};
  for (Index i = 0; i < count; ++i) sums[i % 4] += loss[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace tamis::factor
