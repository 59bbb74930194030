// Cells drawn at random to be hidden. Every purpose has a stream of its own: draws for one are independent of those for
// another.
#pragma once

#include <cstdint>
#include <vector>

#include "tamis/factor/factor.hpp"

namespace tamis::factor {

/// What the cells are drawn for; the numbers are streams of the seed.
enum class CellDraw : std::uint64_t {
  test = 0x686f6c646f7574ULL,
  factors = 0x666163746f7273ULL  ///< validation of a number of factors
};

/// This share, rounded, of the observed cells of a problem that are no test cells; at least one, and never all of them.
/// Throws InvalidInput if fewer than two are left.
std::vector<TestCell> draw_cells(const FactorProblem& problem, double share, std::uint64_t seed, CellDraw purpose);

/// Validation cells of a penalty, from a stream of their own too: this share of all cells, of which those that are
/// hidden already drop out, so their number varies around the share of the others; at least one.
std::vector<TestCell> draw_penalty_cells(const FactorProblem& problem, double share, std::uint64_t seed);

}  // namespace tamis::factor
