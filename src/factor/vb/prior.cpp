#include "factor/vb/prior.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "factor/point/prior.hpp"
#include "factor/task.hpp"
#include "factor/vb/field.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

void predict(const MeanField& field, PredictiveTally& tally) {
  for (Index i = 0; i < static_cast<Index>(tally.targets().size()); ++i) {
    const TargetCell& cell = tally.targets()[static_cast<std::size_t>(i)];
    const Belief belief = field.predictor(cell.row, cell.column);
    tally.set(i, belief.mean, belief.variance, field.noise_variance());
  }
}

void iterate(MeanField& field, Index iterations) {
  for (Index i = 0; i < iterations; ++i) {
    field.update_scores();
    field.update_loadings();
    field.update_hyper();
  }
}

// The objective has many optima, and poor ones show early: of several starts the best one after some iterations.
MeanField best_start(const FactorTask& task) {
  SlabPrior prior;
  prior.active = task.options.real("inclusion_active");
  prior.inactive = task.options.real("inclusion_inactive");
  const Index starts = task.options.integer("starts");
  constexpr Index iterations = 40;
  std::optional<MeanField> best;
  double best_objective = 0;
  for (Index start = 0; start < starts; ++start) {
    MeanField field(task.cells, prior, short_l1_fit(task, static_cast<std::uint64_t>(start)));
    if (starts == 1) return field;
    iterate(field, iterations);
    const double objective = field.objective();
    if (!best || objective > best_objective) {
      best_objective = objective;
      best.emplace(std::move(field));
    }
    if (task.control.observer == nullptr) continue;
    task.control.observer->progress(static_cast<double>(start + 1) / static_cast<double>(starts), "trying starts");
    if (task.control.observer->cancelled()) break;
  }
  return std::move(*best);
}

}  // namespace

std::string_view MeanFieldPrior::summary() const {
  return "spike and slab by mean field: fast, for many rows; its probabilities are too sure";
}

std::vector<Field> MeanFieldPrior::fields() const {
  return {Field::integer("iterations", "most iterations", 500.0, 1, 1e6),
          Field::integer("starts", "random starts, of which the best is followed", 5.0, 1, 1000),
          Field::real("tolerance", "relative change of the objective at which it stops", 1e-6, 0, 1),
          Field::real("inclusion_active", "e of the Beta(e, f) prior on the share of rows with a factor", 1.0, 0, 1e9,
                      true),
          Field::real("inclusion_inactive", "f of that prior", 1.0, 0, 1e9, true)};
}

void MeanFieldPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  FactorFit& fit = result.fit;
  MeanField field = best_start(task);
  const Index most = task.options.integer("iterations");
  const double tolerance = task.options.real("tolerance");
  double objective = field.objective(), change = 0;
  fit.status = Status::iteration_limit;
  Index iteration = 0;
  while (iteration < most && fit.status == Status::iteration_limit) {
    iterate(field, 1);
    ++iteration;
    const double next = field.objective();
    change = (next - objective) / (std::abs(next) + 1e-12);
    objective = next;
    fit.trace.push_back({iteration, objective, change, field.active(), 0});
    if (std::abs(change) < tolerance) fit.status = Status::converged;
    if (task.control.observer == nullptr) continue;
    // How near it is to the tolerance, on a log scale.
    const double share = std::log(std::abs(change) + 1e-300) / std::log(tolerance + 1e-300);
    const double done = static_cast<double>(iteration) / static_cast<double>(most);
    task.control.observer->progress(std::max(done, std::min(share, 0.99)), "iterating");
    if (task.control.observer->cancelled()) fit.status = Status::cancelled;
  }
  PredictiveTally tally = task.tally();
  predict(field, tally);
  describe_state(task, field.mean_state(), field.inclusion(), fit);
  describe_predictions(task, tally, result);
  fit.message = fmt::format("{} of {} scores are more likely active than not; {} iterations, last change {:.2g}",
                            field.active(), task.cells.rows() * task.problem.factors, iteration, change);
}

}  // namespace tamis::factor
