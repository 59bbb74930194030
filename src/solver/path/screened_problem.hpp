// ScreenedProblem: a problem solved on a working set, whose solutions await the KKT check on all columns of X. Several
// of them on the same X share one pass (screening_pass.hpp).
#pragma once

#include "tamis/design/design.hpp"

namespace tamis {

class ScreenedProblem {
 public:
  virtual ~ScreenedProblem() = default;

  virtual const Design& design() const = 0;
  /// Residuals that await a check against all of X: rows x pending(); none for one that checks itself.
  virtual Index pending() const { return 0; }
  virtual ConstMatrixView residuals() const { return {}; }
  /// Takes X_c'R of columns first, first + 1, ... (rows of `c`) for the pending residuals.
  virtual void take_correlations(Index first, ConstMatrixView c) {
    (void)first;
    (void)c;
  }
  /// True if take_correlations() may be called by several threads at once, in any order of the columns. Otherwise it is
  /// called from the first columns to the last, for few enough at a time that they are still in cache.
  virtual bool takes_any_order() const { return false; }
  /// After take_correlations() has seen every column: accepts the points before the first violation; returns their
  /// number.
  virtual Index accept_points() { return 0; }

 protected:
  ScreenedProblem() = default;
  ScreenedProblem(const ScreenedProblem&) = default;
  ScreenedProblem& operator=(const ScreenedProblem&) = default;
};

}  // namespace tamis
