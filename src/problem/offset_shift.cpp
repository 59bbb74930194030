#include "problem/offset_shift.hpp"

#include "problem/move_intercepts.hpp"

namespace tamis {
namespace {

struct Level {
  double value = 0;
  bool constant = true;  // the offset is nothing else
};

// The value itself where it is the same everywhere: a mean would have rounded it.
Level level_of(const Problem& problem) {
  const auto weight = [&](std::size_t i) { return problem.weights.empty() ? 1.0 : problem.weights[i]; };
  std::optional<double> first;
  Level level;
  double total = 0, further = 0;
  for (Index i = 0; i < std::ssize(problem.offset); ++i) {
    if (weight(i) == 0) continue;
    if (!first) first = problem.offset[i];
    total += weight(i);
    further += weight(i) * (problem.offset[i] - *first);
    level.constant = level.constant && problem.offset[i] == *first;
  }
  level.value = *first + further / total;
  return level;
}

}  // namespace

OffsetShift::OffsetShift(const Problem& problem, const Control& control) : problem_(problem), control_(control) {
  if (problem.offset.empty()) return;
  const Level level = level_of(problem);
  const bool nothing = level.constant && level.value == 0;
  if (!problem.intercept && !nothing) return;

  level_ = level.value;
  moved_.emplace(problem);
  if (!level.constant) {
    for (const double value : problem.offset) offset_.push_back(value - level_);
  }
  moved_->offset = offset_;
  moved_control_ = control;
  if (level_ == 0 || control.validation.X == nullptr) return;
  held_out_.assign(control.validation.offset.begin(), control.validation.offset.end());
  held_out_.resize(control.validation.y.size(), 0.0);
  for (double& value : held_out_) value -= level_;
  moved_control_.validation.offset = held_out_;
}

void OffsetShift::move_back(Fit& fit) const {
  if (level_ == 0) return;
  const std::vector<double> by(1 + fit.more_targets.size(), -level_);
  move_intercepts(fit, control_.draws, by);
}

}  // namespace tamis
