#include "problem/response_shift.hpp"

#include <algorithm>
#include <cmath>

#include "problem/move_intercepts.hpp"

namespace tamis {
namespace {

// The weighted mean of the response less its offset, if it is 1000 times the largest deviation from it; else 0. At that
// ratio sums of squares lose six digits. A constant response is not shifted: it has no digits to lose.
double shift_of(std::span<const double> y, const Problem& problem) {
  constexpr double far = 1e3;
  const auto weight = [&](std::size_t i) { return problem.weights.empty() ? 1.0 : problem.weights[i]; };
  const auto value = [&](std::size_t i) { return y[i] - (problem.offset.empty() ? 0.0 : problem.offset[i]); };
  double total = 0, mean = 0, largest = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    total += weight(i);
    mean += weight(i) * value(i);
  }
  mean /= total;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (weight(i) > 0) largest = std::max(largest, std::abs(value(i) - mean));
  }
  // A deviation below this is the rounding error of the mean of a constant.
  const double rounding = 1e-13 * std::abs(mean);
  return largest > rounding && std::abs(mean) > far * largest ? mean : 0.0;
}

std::vector<double> moved(std::span<const double> y, double shift) {
  std::vector<double> out(y.begin(), y.end());
  for (double& value : out) value -= shift;
  return out;
}

}  // namespace

ResponseShift::ResponseShift(const Problem& problem, const Control& control) : problem_(problem), control_(control) {
  if (!problem.likelihood.is_quadratic() || !problem.intercept) return;
  shifts_ = {shift_of(problem.y, problem)};
  const ConstMatrixView more = problem.more_responses;
  for (Index l = 0; l < more.cols; ++l) shifts_.push_back(shift_of(more.column(l), problem));
  if (std::ranges::all_of(shifts_, [](double shift) { return shift == 0; })) return;

  moved_.emplace(problem);
  y_ = moved(problem.y, shifts_[0]);
  moved_->y = y_;
  if (more.cols > 0) {
    more_ = Matrix(more.rows, more.cols);
    for (Index l = 0; l < more.cols; ++l) {
      std::ranges::copy(moved(more.column(l), shifts_[l + 1]), more_.col(l));
    }
    moved_->more_responses = more_;
  }
  moved_control_ = control;
  held_out_ = moved(control.validation.y, shifts_[0]);
  moved_control_.validation.y = held_out_;
}

void ResponseShift::move_back(Fit& fit) const {
  if (!moved_) return;
  move_intercepts(fit, control_.draws, shifts_);
}

}  // namespace tamis
