// Several problems on the same X: their KKT checks share passes over X.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solver/path/screened_problem.hpp"

namespace tamis {

/// One joint pass X'R over everything that awaits a check, followed by accept_points() of each. Columns are handled in
/// panels, so that no features x residuals matrix is ever held. `meanwhile` is done before the checks are finished, by
/// another thread if there is one.
void screening_pass(std::span<ScreenedProblem* const> problems, const std::function<void()>& meanwhile = {});
template <class Member>
void screening_pass(const std::vector<Member*>& problems, const std::function<void()>& meanwhile = {}) {
  const std::vector<ScreenedProblem*> all(problems.begin(), problems.end());
  screening_pass(std::span<ScreenedProblem* const>(all), meanwhile);
}

/// Largest penalty of interest down to `ratio` times it, equally spaced in the logarithm.
std::vector<double> penalty_grid(double largest, double ratio, Index length);

}  // namespace tamis
