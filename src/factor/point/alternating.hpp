// Alternating minimization of  sum over observed cells of -log p(x | psi) + penalty |V|_1 + ridge/2 |V|^2 +
// loading_penalty R(Theta) (Eq. 7 of Mohamed, Heller & Ghahramani), R = -log p(Theta) or |Theta|_1: every row, then
// every column, takes a step on a quadratic model of its own loss (a bound where the family has one), shortened if the
// loss itself does not fall. Needs no array as large as the data: predictors are made row by row and column by column.
#pragma once

#include <atomic>
#include <mutex>
#include <string_view>
#include <vector>

#include "factor/model/state.hpp"
#include "tamis/base/observer.hpp"

namespace tamis::factor {

struct PointObjective {
  double penalty = 0;            ///< alpha: of |V|_1
  double ridge = 0;              ///< of |V|^2 / 2
  double loading_penalty = 1;    ///< beta: of R(Theta); the prior of the intercepts counts once
  bool sparse_loadings = false;  ///< R = |Theta|_1 instead of -log of the conjugate prior
};

/// Loss of the whole state; noise counts as 1.
double point_loss(const Cells& cells, const PointObjective& objective, const FactorState& state);

/// Whether the observer wants to stop, asked from any thread but by one at a time; not again once it has said so.
class StopRequest {
 public:
  explicit StopRequest(Observer* observer) : observer_(observer) {}
  bool stopped();

 private:
  Observer* observer_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

/// One step of every row of scores. After a stop the others keep theirs.
void improve_scores(const Cells& cells, const PointObjective& objective, FactorState& state,
                    StopRequest* stop = nullptr);
/// One Newton step of every column of loadings, with a soft threshold for sparse ones. After a stop the others keep
/// theirs.
void improve_loadings(const Cells& cells, const PointObjective& objective, FactorState& state,
                      StopRequest* stop = nullptr);
/// For sparse loadings: the scale of every factor, (c v, theta / c), at which the penalties are least.
void balance_scales(const PointObjective& objective, FactorState& state);

struct PointEnd {
  bool converged = false;
  bool cancelled = false;
  Index iterations = 0;
  double loss = 0;
  double change = 0;  ///< of the loss in the last iteration, relative
};

/// Alternates until the loss changes by less than `tolerance` of itself. An observer is asked whether to stop, within
/// an iteration too (with 1000 factors one takes many seconds), and, if the phase has a name, told of progress; trace
/// points of whole iterations go to `trace` if it is given.
PointEnd minimize(const Cells& cells, const PointObjective& objective, Index most_iterations, double tolerance,
                  Observer* observer, FactorState& state, std::string_view phase = {},
                  std::vector<TracePoint>* trace = nullptr);

}  // namespace tamis::factor
