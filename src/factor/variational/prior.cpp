// Prior vb: spike and slab by mean field, for speed and many rows.
//
// Model      that of spike-slab; every score is zero or normal, every loading normal, all independent (mean_field.hpp)
// Algorithm  1 several starts, each a short l1 fit from a random state and 40 iterations; that of the largest
//              objective goes on: it has many optima, and poor ones show early
//            2 scores, loadings and hyperparameters in turn, until the objective's relative change is below `tolerance`
// Small      tables: starts side by side, one thread each. Large: one after the other on all threads.
// Memory     A start keeps three numbers per score. Where the scores are large beside the table, only the number of the
//            best start is kept, and that start is made again, for 40 iterations more.
// Same bits  The winner is chosen by objective, ties by number: whichever thread was quicker.
#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>

#include "factor/model/task.hpp"
#include "factor/point/short_l1_fit.hpp"
#include "factor/variational/mean_field.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::factor {
namespace {

void predict(const FactorTask& task, const MeanField& field, FactorResult& result) {
  PredictiveTally tally = task.tally();
  tally.set(field.noise_variance(), [&](const TargetCell& cell) { return field.predictor(cell.row, cell.column); });
  describe_predictions(task, std::move(tally), result);
}

// Piece by piece: the field and its description together would be the largest thing in memory.
void describe(const FactorTask& task, MeanField& field, FactorFit& fit) {
  field.forget_variances();
  const ScoreTable scores{[&](Index n, Index k) { return field.mean().score_row(n)[k]; }};
  const DisplayOrder order = display_order(field.mean(), scores);
  describe_state(task, field.mean(), scores, fit);
  field.forget_scores();
  describe_inclusion(
      order, task.cells.rows(), [&](Index n, Index k) { return field.inclusion(n, k); }, fit);
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
    // Small tables leave threads idle between rows and columns, so each start has a thread of its own; large ones
    // share all threads, and the memory of one start.
    constexpr Index large_table = Index{1} << 20;
    side_by_side_ = task.cells.rows() * (task.cells.cols() + task.problem.factors) < large_table;
    // A start keeps three numbers of every score. Where that is more than a quarter of the data, two of them in memory
    // are one too many.
    repeats_best_ = !side_by_side_ && 12 * task.problem.factors > task.cells.cols();
  }

  MeanField best() {
    if (count_ == 1) return begin(0, task_.control.observer);
    if (side_by_side_) {
      parallel_for(count_, 1, [&](Index first, Index) { with_threads(1, [&] { attempt(first, nullptr); }); });
    } else {
      for (Index start = 0; start < count_; ++start) attempt(start, task_.control.observer);
    }
    return best_ ? std::move(*best_) : improved(best_start_, task_.control.observer);
  }

 private:
  MeanField begin(Index start, Observer* observer) const {
    return MeanField(task_.cells, prior_, short_l1_fit(task_, static_cast<std::uint64_t>(start), observer));
  }

  // Progress within a start is reported where starts run one after the other; side by side only when one is done.
  MeanField improved(Index start, Observer* observer) {
    constexpr Index iterations = 40;
    MeanField field = begin(start, observer);
    if (observer != nullptr) report_progress(0);
    for (Index i = 0; i < iterations && !stopped_; ++i) {
      iterate(field);
      if (observer != nullptr) report_progress(static_cast<double>(i) / static_cast<double>(iterations));
    }
    return field;
  }

  void attempt(Index start, Observer* observer) {
    if (stopped_) return;
    if (repeats_best_) best_.reset();
    MeanField field = improved(start, observer);
    const double objective = field.objective();
    const std::lock_guard lock(mutex_);
    // Of equal ones the first, whichever thread was quicker.
    const bool better =
        done_ == 0 || objective > best_objective_ || (objective == best_objective_ && start < best_start_);
    if (better) {
      best_start_ = start;
      best_objective_ = objective;
    }
    ++done_;
    report_progress(0);
    // After a cancellation the start at hand is kept instead of making the best one again.
    if (better || (repeats_best_ && stopped_)) best_.emplace(std::move(field));
  }

  void report_progress(double share_of_next) {
    Observer* observer = task_.control.observer;
    if (observer == nullptr) return;
    const auto passes = static_cast<double>(count_ + (repeats_best_ ? 1 : 0));
    observer->progress((static_cast<double>(done_) + share_of_next) / passes, "random starts");
    if (observer->cancelled()) stopped_ = true;
  }

  const FactorTask& task_;
  SlabPrior prior_;
  Index count_;
  bool side_by_side_ = false;
  bool repeats_best_ = false;  // of a start that is not the last one only its number is kept
  std::mutex mutex_;
  std::optional<MeanField> best_;
  Index best_start_ = 0;
  double best_objective_ = 0;
  Index done_ = 0;
  std::atomic<bool> stopped_{false};
};

class MeanFieldPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "vb"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

std::string_view MeanFieldPrior::summary() const {
  return "spike-and-slab prior by mean field (variational Bayes): fast on many rows, but overconfident";
}

std::vector<Field> MeanFieldPrior::fields() const {
  return {
      Field::integer("iterations", "maximum number of iterations", 500.0, 1, 1e6),
      Field::integer("starts", "number of random starts; the best is continued", 5.0, 1, 1000),
      Field::real("tolerance", "convergence tolerance: relative change of the objective", 1e-6, 0, 1),
      Field::real("inclusion_active", "e of the Beta(e, f) prior on the fraction of rows in which a factor is active",
                  1.0, 0, 1e9, true),
      Field::real("inclusion_inactive", "f of the Beta(e, f) prior", 1.0, 0, 1e9, true)};
}

void MeanFieldPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  FactorFit& fit = result.fit;
  MeanField field = Starts(task).best();
  const Index most = task.options.integer("iterations");
  const double tolerance = task.options.real("tolerance");
  double objective = field.objective(), change = 0;
  // With many factors an iteration takes seconds: a cancellation of the starts does not wait for one more.
  const bool stopped = task.control.observer != nullptr && task.control.observer->cancelled();
  fit.status = stopped ? Status::cancelled : Status::iteration_limit;
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
    task.control.observer->progress(std::max(done, std::min(share, 0.99)), "fitting");
    if (task.control.observer->cancelled()) fit.status = Status::cancelled;
  }
  predict(task, field, result);
  describe(task, field, fit);
  fit.message =
      fmt::format("{} of {} scores with inclusion probability above 0.5; {} iterations, last relative change {:.2g}",
                  field.active(), task.cells.rows() * task.problem.factors, iteration, change);
}

}  // namespace

const FactorPrior& mean_field_prior() {
  static const MeanFieldPrior prior;
  return prior;
}

}  // namespace tamis::factor
