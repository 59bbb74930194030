// The level of an offset is not identified beside an intercept: log exposures in seconds and in years give the same
// coefficients. Methods get offsets minus their mean, so that starting values and rounding do not depend on the unit; a
// constant offset is removed altogether, so that a sampler draws the same bits with it as without.
#pragma once

#include <optional>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

class OffsetShift {
 public:
  /// Rows of weight 0 do not count. Without an intercept only an offset of zeros is removed.
  OffsetShift(const Problem& problem, const Control& control);

  const Problem& problem() const { return moved_ ? *moved_ : problem_; }
  const Control& control() const { return moved_ ? moved_control_ : control_; }
  /// Gives intercepts the level, those of draws too.
  void move_back(Fit& fit) const;

 private:
  const Problem& problem_;
  const Control& control_;
  double level_ = 0;
  std::vector<double> offset_, held_out_;
  std::optional<Problem> moved_;
  Control moved_control_;
};

}  // namespace tamis
