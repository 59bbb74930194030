#include "factor/model/line.hpp"

#include "base/scratch.hpp"

namespace tamis::factor {

// Four partial sums: additions overlap, and the order is fixed, so that results do not depend on the compiler's
// vectors.
double sum_of_line(const double* terms, Index count) {
  double sums[4] = {};
  for (Index i = 0; i < count; ++i) sums[i % 4] += terms[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The functions of a family are called on whole lines, missing cells included (their x is 0), since they vectorize and
// a test per cell would not. The terms of missing cells are zeroed before they are added up.
double quadratic_line(const Cells& cells, const double* x, const double* psi, Index count,
                      std::span<const std::int32_t> missing, double* residual, double* weight) {
  const Scratch loss(count);
  cells.family().quadratic_losses(span_of(x, count), span_of(psi, count), loss.span(), span_of(residual, count),
                                  span_of(weight, count));
  for (const std::int32_t i : missing) loss[i] = residual[i] = weight[i] = 0;
  return sum_of_line(loss.data(), count);
}

double add_log_base(const Cells& cells, const double* x, Index count, std::span<const std::int32_t> missing,
                    double sum) {
  const Scratch base(count);
  if (!cells.family().log_base(span_of(x, count), base.span())) return sum;
  for (const std::int32_t i : missing) base[i] = 0;
  for (Index i = 0; i < count; ++i) sum += base[i];
  return sum;
}

}  // namespace tamis::factor
