#include "factor/vb/prior.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>

#include "factor/point/prior.hpp"
#include "factor/task.hpp"
#include "factor/vb/field.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

void predict(const MeanField& field, PredictiveTally& tally) {
  tally.set(field.noise_variance(), [&](const TargetCell& cell) { return field.predictor(cell.row, cell.column); });
}

void iterate(MeanField& field) {
  field.update_scores();
  field.update_loadings();
  field.update_hyper();
}

// The objective has many optima, and poor ones show early: of several starts the best one after some iterations.
class Starts {
 public:
  explicit Starts(const FactorTask& task) : task_(task), count_(task.options.integer("starts")) {
    prior_.active = task.options.real("inclusion_active");
    prior_.inactive = task.options.real("inclusion_inactive");
  }

  MeanField best() {
    if (count_ == 1) return begin(0, task_.control.observer);
    // Small tables leave threads idle between rows and columns, so each start has a thread of its own; large ones
    // share all threads, and the memory of one start.
    constexpr Index large_table = Index{1} << 20;
    if (task_.cells.rows() * (task_.cells.cols() + task_.problem.factors) >= large_table) {
      for (Index start = 0; start < count_; ++start) attempt(start, task_.control.observer);
    } else {
      parallel_for(count_, 1, [&](Index first, Index) { with_threads(1, [&] { attempt(first, nullptr); }); });
    }
    return std::move(*best_);
  }

 private:
  MeanField begin(Index start, Observer* observer) const {
    return MeanField(task_.cells, prior_, short_l1_fit(task_, static_cast<std::uint64_t>(start), observer));
  }

  // The observer hears of one start at a time; of starts side by side only when they are done.
  void attempt(Index start, Observer* observer) {
    if (stopped_) return;
    constexpr Index iterations = 40;
    MeanField field = begin(start, observer);
    for (Index i = 0; i < iterations && !stopped_; ++i) {
      iterate(field);
      if (observer == nullptr) continue;
      const double done = static_cast<double>(done_) + static_cast<double>(i) / static_cast<double>(iterations);
      observer->progress(done / static_cast<double>(count_), "trying starts");
      if (observer->cancelled()) stopped_ = true;
    }
    const double objective = field.objective();
    const std::lock_guard lock(mutex_);
    // Of equal ones the first, whichever thread was quicker.
    if (!best_ || objective > best_objective_ || (objective == best_objective_ && start < best_start_)) {
      best_start_ = start;
      best_objective_ = objective;
      best_.emplace(std::move(field));
    }
    ++done_;
    if (task_.control.observer == nullptr) return;
    task_.control.observer->progress(static_cast<double>(done_) / static_cast<double>(count_), "trying starts");
    if (task_.control.observer->cancelled()) stopped_ = true;
  }

  const FactorTask& task_;
  SlabPrior prior_;
  Index count_;
  std::mutex mutex_;
  std::optional<MeanField> best_;
  Index best_start_ = 0;
  double best_objective_ = 0;
  Index done_ = 0;
  std::atomic<bool> stopped_{false};
};

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
  MeanField field = Starts(task).best();
  const Index most = task.options.integer("iterations");
  const double tolerance = task.options.real("tolerance");
  double objective = field.objective(), change = 0;
  fit.status = Status::iteration_limit;
  Index iteration = 0;
  while (iteration < most && fit.status == Status::iteration_limit) {
    iterate(field);
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
  field.forget_variances();
  describe_state(task, field.mean(),
                 {[&](Index n, Index k) { return field.mean().score_row(n)[k]; },
                  [&](Index n, Index k) { return field.inclusion(n, k); }},
                 fit);
  describe_predictions(task, tally, result);
  fit.message = fmt::format("{} of {} scores are more likely active than not; {} iterations, last change {:.2g}",
                            field.active(), task.cells.rows() * task.problem.factors, iteration, change);
}

}  // namespace tamis::factor
