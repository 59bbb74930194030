// Offsets have a level that means nothing to a model with an intercept: log exposures in seconds and in years ask for
// the same coefficients. Methods meet offsets less their mean, so that how they start and round does not depend on it;
// an offset that is the same everywhere they do not meet at all, and a sampler draws the same bits with it as without.
#pragma once

#include <optional>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

class OffsetShift {
 public:
  /// Rows of weight 0 have no say. Without an intercept only an offset of zeros goes.
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
