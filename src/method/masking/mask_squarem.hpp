// SQUAREM for Bayesian masking: extrapolates along the direction that two iterations show, and undoes the step if it
// lowers G. Varadhan & Roland (2008), Scandinavian Journal of Statistics 35, scheme S3.
#pragma once

#include <vector>

#include "method/masking/mask_state.hpp"

namespace tamis {

/// Holds up to three consecutive iterates, and after extrapolate() all that undo() needs to restore the state exactly.
class MaskSquarem {
 public:
  /// Remembers where the climb is after an iteration. A different set of active or certain features begins anew.
  void remember(const MaskState& state);
  /// Three states are known, and the climb slows down steadily enough to be extrapolated.
  bool ready() const;
  /// Moves the state along, and keeps what is needed to take it back.
  void extrapolate(MaskState& state);
  void undo(MaskState& state) const;
  /// Begins anew from the present state.
  void restart(const MaskState& state);

 private:
  /// Unknowns of a state, each in units of its own doubt: log odds of rates that are not one, weights, intercept, log
  /// of the noise precision.
  struct Point {
    std::vector<Index> active, uncertain;
    std::vector<double> unknowns, units;
  };
  static Point point_of(const MaskState& state);
  double length() const;

  std::vector<Point> points_;
  // Before the extrapolation.
  std::vector<MaskFeature> features_;
  std::vector<Index> active_;
  std::vector<std::vector<double>> masked_;  // of uncertain features, in the order of active_
  std::vector<double> residual_, target_, precisions_, row_weights_;
  double intercept_ = 0, noise_precision_ = 1, constant_ = 0;
};

}  // namespace tamis
