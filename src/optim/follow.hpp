// Several problems on the same X along the same path: their checks share passes over X.
#pragma once

#include <span>
#include <vector>

#include "optim/checked.hpp"

namespace tamis {

/// One joint pass X'R over everything that awaits a check, followed by finish_check() of each. Columns are handled in
/// panels, so that no features x residuals matrix is ever held.
void check_together(std::span<Checked* const> team);
template <class Member>
void check_together(const std::vector<Member*>& team) {
  const std::vector<Checked*> all(team.begin(), team.end());
  check_together(std::span<Checked* const>(all));
}

/// Largest penalty of interest down to `ratio` times it, equally spaced in the logarithm.
std::vector<double> penalty_grid(double largest, double ratio, Index length);

}  // namespace tamis
