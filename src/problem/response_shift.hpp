// A response far from zero, such as years and timestamps: squares of 1.7e9 leave few digits for its variation. Where an
// intercept absorbs a shift, methods get the response moved to about zero, and the intercept is moved back.
#pragma once

#include <optional>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

class ResponseShift {
 public:
  /// Nothing is moved (or copied) unless the family is gaussian, there is an intercept, and some response is a thousand
  /// times further from zero than it varies.
  ResponseShift(const Problem& problem, const Control& control);

  const Problem& problem() const { return moved_ ? *moved_ : problem_; }
  const Control& control() const { return moved_ ? moved_control_ : control_; }
  /// Moves intercepts back, those of draws too.
  void move_back(Fit& fit) const;

 private:
  const Problem& problem_;
  const Control& control_;
  std::vector<double> shifts_;  // of the response and of further targets
  std::vector<double> y_, held_out_;
  Matrix more_;
  std::optional<Problem> moved_;
  Control moved_control_;
};

}  // namespace tamis
