// A toy prior of the scores of a factor model: normal with a known precision, at its mode. The alternating minimization
// of the point priors does the work.
#include <fmt/format.h>

#include <algorithm>

#include "factor/model/initial_intercepts.hpp"
#include "factor/model/task.hpp"
#include "factor/point/alternating.hpp"
#include "tamis/base/random.hpp"

namespace tamis::factor {
namespace {

class ToyRidge final : public FactorPrior {
 public:
  std::string_view name() const override { return "toy-ridge"; }
  std::string_view summary() const override { return "normal with a given precision; point estimate"; }
  std::vector<Field> fields() const override {
    return {Field::real("score_precision", "precision of the scores", 1.0, 1e-6, 1e9),
            Field::integer("iterations", "maximum number of iterations", 200.0, 1, 1e6)};
  }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

FactorState random_start(const FactorTask& task) {
  FactorState state(task.cells, task.problem.factors, task.problem.intercept);
  RandomStream random(task.control.seed);
  random.normals(state.scores);
  for (Index k = 0; k < state.factors; ++k) {
    for (Index d = 0; d < state.cols; ++d) state.loading_row(k)[d] = 0.1 * random.normal();
  }
  start_at_column_means(task.cells, 1, state);
  return state;
}

double noise_of(const Cells& cells, const FactorState& state) {
  if (!cells.family().has_noise()) return 1;
  return std::max(residual_squares(cells, state) / static_cast<double>(cells.observed()), 1e-12);
}

void ToyRidge::local_fit(const FactorTask& task, FactorResult& result) const {
  const double precision = task.options.real("score_precision");
  FactorState state = random_start(task);
  const PointEnd end = minimize(task.cells, {.ridge = precision}, task.options.integer("iterations"), 1e-6,
                                task.control.observer, state, "fitting", &result.fit.trace);
  state.noise_variance = noise_of(task.cells, state);
  state.inclusion.assign(state.factors, 1);
  state.means.assign(state.factors, 0);
  state.precisions.assign(state.factors, precision);

  PredictiveTally tally = task.tally();
  tally.set(state.noise_variance, [&](const TargetCell& cell) {
    return Belief{state.predictor(cell.row, cell.column), 0};
  });
  describe_predictions(task, std::move(tally), result);
  describe_state(task, state, {[&](Index n, Index k) { return state.score_row(n)[k]; }}, result.fit);
  result.fit.status = end.cancelled ? Status::cancelled : end.converged ? Status::converged : Status::iteration_limit;
  result.fit.message = fmt::format("{} iterations, last relative change {:.2g}", end.iterations, end.change);
}

const ToyRidge prior;
[[maybe_unused]] const FactorPrior& added = add_factor_prior(prior);

}  // namespace
}  // namespace tamis::factor
