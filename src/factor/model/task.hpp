// What a prior's algorithm is given: prepared data and how to run.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "factor/model/cells.hpp"
#include "factor/model/match_factors.hpp"
#include "factor/model/predictive.hpp"
#include "factor/model/state.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/method/options.hpp"

namespace tamis {

class FactorTask {
 public:
  const FactorProblem& problem;
  factor::Cells& cells;  ///< to read; only a search may hide more of them, for a while
  const Options& options;
  const FactorControl& control;
  std::string_view prior = {};  ///< its name

  /// An empty tally over the cells that have to be predicted.
  factor::PredictiveTally tally() const {
    using Keeps = factor::PredictiveTally::Keeps;
    return {cells, cells.targets(control.predict_cells), control.predict_cells ? Keeps::predictions : Keeps::scores};
  }
};

namespace factor {

Index rows_of(const FactorProblem& problem);
Index cols_of(const FactorProblem& problem);
/// Refuses fewer than 1 and absurdly many.
void check_factors(Index factors);

/// Factors in display order, intercept, noise on the original scale, hyperparameters; scores from the table, not from
/// the state.
void describe_state(const FactorTask& task, const FactorState& state, const ScoreTable& table, FactorFit& fit);
/// The probabilities alone; describe_state() of a table that has them does this too.
void describe_inclusion(const DisplayOrder& order, Index rows, const std::function<double(Index n, Index k)>& inclusion,
                        FactorFit& fit);
/// NLP and RMSE of the test cells, and the cells themselves if they are wanted. The tally is gone afterwards: it and
/// the description of a state together would be the largest thing in memory.
void describe_predictions(const FactorTask& task, PredictiveTally&& tally, FactorResult& result);

}  // namespace factor
}  // namespace tamis
