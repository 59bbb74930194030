// Chains of a factor sampler: side by side where they are small, one after the other where they are large.
//
// Waves      Small tables: all chains at once, one thread each: no thread waits for another. Large ones (2^20 cells and
//            scores): one chain at a time on all threads, whose rows and columns are shared out; one state and one
//            tally in memory. Between: as many chains as threads.
// Order      Results are added chain by chain in their order, so that sums do not depend on which chain ended first.
// Checkpoint between segments of 10 sweeps in which no chain runs: state, sampler memory and sums, but no random
//            generator, since streams are keyed by (seed, chain, sweep, purpose, row). A run that was killed gives the
//            same bits. The file carries a digest of data, options and seed, and is refused by any other run.
#include "factor/sampling/chains.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "factor/sampling/chain.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

// What a checkpoint belongs to: data, the cells to predict with their true values, prior, options and seed.
std::uint64_t digest_of(const FactorTask& task) {
  Digest digest;
  std::vector<double> scratch(task.cells.cols());
  for (Index n = 0; n < task.cells.rows(); ++n) {
    digest.add(task.cells.row(n, scratch.data()), scratch.size() * sizeof(double));
    for (const std::int32_t d : task.cells.missing_in_row(n)) digest.add(static_cast<double>(d));
  }
  for (const TargetCell& cell : *task.cells.targets(task.control.predict_cells)) {
    for (const double number : {static_cast<double>(cell.row), static_cast<double>(cell.column), cell.value}) {
      digest.add(number);
    }
  }
  // For any family, though only counts use it: a file written before families had limits of their own is still taken.
  digest.add(task.problem.largest_log_rate.value_or(std::log(2 * (1 + task.cells.largest()))));
  digest.add(task.prior);
  digest.add(task.problem.family);
  digest.add(static_cast<double>(task.problem.factors));
  digest.add(task.problem.intercept ? 1.0 : 0.0);
  digest.add(task.control.predict_cells ? 1.0 : 0.0);
  digest.add(static_cast<double>(task.control.seed));
  for (const auto& [name, value] : task.options.values()) {
    digest.add(name);
    if (const double* number = std::get_if<double>(&value)) digest.add(*number);
    if (const std::string* word = std::get_if<std::string>(&value)) digest.add(*word);
  }
  return digest.value();
}

// Chains of large tables share all threads one after the other, which is as fast and takes the memory of one.
bool one_after_the_other(const FactorTask& task) {
  constexpr Index large_table = Index{1} << 20;
  return task.cells.rows() * (task.problem.factors + task.cells.cols()) >= large_table;
}

// Results must not depend on it: wave width follows the number of threads only where chains do not share a tally.
// How many chains are in memory at the same time.
Index wave_width(const FactorTask& task, const ChainPlan& plan) {
  const Index rows = task.cells.rows(), factors = task.problem.factors;
  if (one_after_the_other(task)) return 1;
  // Small ones all at once: a thread that is done with its chain takes the next.
  constexpr Index many_numbers = Index{1} << 21;
  if (plan.chains * rows * (2 * factors + task.cells.cols()) <= many_numbers) return plan.chains;
  return std::min<Index>(plan.chains, available_threads());
}

// The number of a chain, not the wave, keys its random numbers.
// The chains of one wave run side by side. Between segments of a few sweeps no chain runs, and the state can be saved.
class ChainRun {
 public:
  ChainRun(const FactorTask& task, const SamplerFactory& make_sampler)
      : task_(task),
        make_sampler_(make_sampler),
        plan_(task),
        summary_(task, plan_),
        width_(wave_width(task, plan_)),
        checkpoint_(task.control.checkpoint, task.control.checkpoint.empty() ? 0 : digest_of(task),
                    task.control.checkpoint_seconds) {}

  void run();
  bool stopped() const { return stopped_; }
  ChainSummary& summary() { return summary_; }

 private:
  void begin_wave(Chain::Origin origin);
  void run_segment(Index sweeps);
  void report_progress(const Chain& chain);
  bool cancelled() const { return task_.control.observer != nullptr && task_.control.observer->cancelled(); }
  void exchange(Archive& archive);

  const FactorTask& task_;
  const SamplerFactory& make_sampler_;
  ChainPlan plan_;
  ChainSummary summary_;
  std::vector<std::unique_ptr<Chain>> wave_;
  Index first_ = 0;  // of the wave
  Index width_;
  Checkpoint checkpoint_;
  std::mutex mutex_;
  Index sweeps_ = 0;  // of all chains
  std::atomic<bool> stopped_{false};
};

void ChainRun::begin_wave(Chain::Origin origin) {
  wave_.clear();
  for (Index c = first_; c < std::min(first_ + width_, plan_.chains); ++c) {
    const ChainKey key{task_.control.seed, static_cast<std::uint64_t>(c)};
    wave_.push_back(std::make_unique<Chain>(task_, plan_, key, make_sampler_(key), origin));
  }
  // Not whenever there is one chain in a wave: that may depend on the threads, and the rounding on this.
  if (one_after_the_other(task_)) wave_[0]->add_to(summary_.give_tally());
}

void ChainRun::exchange(Archive& archive) {
  archive.expect(plan_.chains, "the number of chains");
  archive(first_);
  archive(width_);
  archive(sweeps_);
  if (archive.loading()) begin_wave(Chain::Origin::archive);
  summary_.exchange(archive);
  for (const auto& chain : wave_) chain->exchange(archive);
}

void ChainRun::report_progress(const Chain& chain) {
  const std::lock_guard lock(mutex_);
  ++sweeps_;
  Observer* observer = task_.control.observer;
  if (observer == nullptr) return;
  const auto total = static_cast<double>(plan_.chains * plan_.sweeps());
  observer->progress(static_cast<double>(sweeps_) / total, chain.draws() > 0 ? "sampling" : "burn-in");
  if (cancelled()) stopped_ = true;
}

// One thread per chain: with_threads(1) keeps the loops over rows from sharing threads that are busy with other chains.
void ChainRun::run_segment(Index sweeps) {
  const auto advance = [&](Chain& chain) {
    for (Index i = 0; i < sweeps && !chain.finished() && !stopped_; ++i) {
      chain.advance();
      report_progress(chain);
    }
  };
  if (wave_.size() == 1) {
    advance(*wave_[0]);
    return;
  }
  parallel_for(std::ssize(wave_), 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      with_threads(1, [&] { advance(*wave_[c]); });
    }
  });
}

void ChainRun::run() {
  const auto state = [this](Archive& archive) { exchange(archive); };
  // Long segments cost nothing but the chance to save; without a file there is nothing to save.
  const Index segment = task_.control.checkpoint.empty() ? plan_.sweeps() : 10;
  bool resumed = checkpoint_.load(state);
  while (first_ < plan_.chains && !stopped_) {
    if (!resumed) begin_wave(Chain::Origin::start);
    resumed = false;
    // A start that was cut short is not where this chain begins: nothing of it may be saved.
    if (cancelled()) stopped_ = true;
    while (!stopped_ && std::any_of(wave_.begin(), wave_.end(), [](const auto& chain) { return !chain->finished(); })) {
      run_segment(segment);
      stopped_ ? checkpoint_.save(state) : checkpoint_.save_if_due(state);
    }
    summary_.take(wave_);
    wave_.clear();
    first_ += width_;
  }
}

}  // namespace

std::vector<Field> chain_fields() {
  return {Field::integer("chains", "number of independent Markov chains", 4.0, 1, 1000),
          Field::integer("samples", "number of recorded draws per chain; default: 300, and up to 1500 on small tables",
                         std::monostate{}, 1, 1e7),
          Field::integer(
              "burn_in",
              "number of discarded sweeps at the start of each chain; default: 200, and up to 500 on small tables",
              std::monostate{}, 0, 1e7)};
}

void run_chains(const FactorTask& task, const SamplerFactory& make_sampler, bool has_spike, FactorResult& result) {
  ChainRun run(task, make_sampler);
  run.run();
  run.summary().conclude(run.stopped(), has_spike, result);
}

}  // namespace tamis::factor
