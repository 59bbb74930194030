// Losses, residuals and weights of a row or a column of cells; those of missing cells are 0.
#pragma once

#include <cstdint>
#include <span>

#include "factor/model/cells.hpp"

namespace tamis::factor {

/// Sum in an order that lets additions overlap.
double sum_of_line(const double* terms, Index count);

/// Residuals and weights of the cells (Family::quadratic_losses), 0 where they are missing; returns their loss.
double quadratic_line(const Cells& cells, const double* x, const double* psi, Index count,
                      std::span<const std::int32_t> missing, double* residual, double* weight);

/// Sum of Family::log_base, which `sum` is added to.
double add_log_base(const Cells& cells, const double* x, Index count, std::span<const std::int32_t> missing,
                    double sum);

}  // namespace tamis::factor
