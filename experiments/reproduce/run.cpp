// Replicates in parallel. Every trial writes into a slot of its own and draws from its own seed, and the slots are
// read in order afterwards: the results are the same for any number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "experiments/reproduce/experiment.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

// What the fits of all trials see: nobody's progress, everybody's wish to stop. The caller's observer is used by one
// thread at a time.
class SharedObserver final : public Observer {
 public:
  SharedObserver(Observer* inner, Index trials, std::string_view phase)
      : inner_(inner), trials_(trials), phase_(phase) {}

  bool cancelled() override {
    if (inner_ == nullptr || stopped_) return stopped_;
    const std::lock_guard lock(mutex_);
    if (inner_->cancelled()) stopped_ = true;
    return stopped_;
  }

  void trial_done() {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (inner_ != nullptr) inner_->progress(static_cast<double>(done_) / static_cast<double>(trials_), phase_);
  }

 private:
  Observer* inner_;
  Index trials_;
  std::string phase_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
  Index done_ = 0;
};

Index replicates_of(const Experiment& experiment, const RunSettings& settings) {
  if (experiment.replication == Replication::study) {
    const Index count = settings.replicates.value_or(experiment.replicates);
    if (count < 1) throw InvalidOption(fmt::format("replicates: received {}; expected at least 1", count));
    return count;
  }
  if (settings.replicates.value_or(1) != 1) {
    throw InvalidOption(fmt::format("{}: the number of replicates cannot be changed: {}", experiment.name,
                                    experiment.replication == Replication::single_run
                                        ? "this experiment shows a single run; use --seed for another"
                                        : "this experiment is a deterministic calculation"));
  }
  return 1;
}

struct Slot {
  std::optional<Recorder> record;  // empty until the trial is finished
};

// Trials are taken in order, replicate after replicate, so that an early end leaves whole replicates.
std::vector<Slot> run_trials(const Experiment& experiment, const RunSettings& settings, Index replicates) {
  const Index per_replicate = experiment.settings.size();
  std::vector<Slot> slots(replicates * per_replicate);
  SharedObserver observer(settings.observer, std::ssize(slots), experiment.name);
  std::atomic<std::size_t> next{0};
  const auto run_one = [&](std::size_t k) {
    const auto replicate = static_cast<std::uint64_t>(static_cast<Index>(k) / per_replicate);
    const Setting& setting = experiment.settings[k % per_replicate];
    Recorder record(setting.panel, setting.x);
    // The fit itself and the drawing of its data stay in this thread: the parallelism is out here.
    with_threads(1, [&] {
      experiment.measure({setting, settings.seed + replicate, settings.data, &observer, settings.table}, record);
    });
    if (observer.cancelled()) return;  // the last fit may have been cut short
    slots[k].record = std::move(record);
    observer.trial_done();
  };
  const auto work_until_none_is_left = [&](Index, Index) {
    try {
      for (Index k = next++; k < std::ssize(slots) && !observer.cancelled(); k = next++) run_one(k);
    } catch (...) {
      next = slots.size();  // the other threads need not go on
      throw;
    }
  };
  with_threads(settings.threads, [&] { parallel_for(available_threads(), 1, work_until_none_is_left); });
  return slots;
}

void collect(const std::vector<Slot>& slots, Index per_replicate, Results& results) {
  for (Index k = 0; k < std::ssize(slots); ++k) {
    if (!slots[k].record) continue;
    ++results.finished;
    for (const auto& [place, value] : slots[k].record->numbers()) {
      results.observations.push_back({place, static_cast<Index>(k) / per_replicate + 1, value});
    }
    for (const auto& [method, some] : slots[k].record->endings()) {
      results.endings[method].fits += some.fits;
      results.endings[method].unfinished += some.unfinished;
    }
  }
}

// A place as a key that sorts; the order of rows is that of their first observation.
std::string key_of(const Place& place) {
  return fmt::format("{}\n{}\n{}\n{}", place.panel, place.x, place.method, place.measure);
}

void summarize_rows(const Experiment& experiment, Results& results) {
  std::map<std::string, std::size_t> row_of;
  std::vector<std::vector<double>> values;
  for (const Observation& observation : results.observations) {
    const auto [at, is_new] = row_of.try_emplace(key_of(observation.place), values.size());
    if (is_new) {
      values.emplace_back();
      results.rows.push_back({.place = observation.place, .ours = {}});
    }
    values[at->second].push_back(observation.value);
  }
  for (Index k = 0; k < std::ssize(values); ++k) {
    Row& row = results.rows[k];
    row.ours = summarize(std::move(values[k]));
    const auto shown = experiment.shown.find(row.place.measure);
    if (shown != experiment.shown.end()) row.shown = shown->second;
    const auto theirs = std::find_if(experiment.paper.begin(), experiment.paper.end(),
                                     [&](const PaperNumber& number) { return same_place(number.place, row.place); });
    if (theirs != experiment.paper.end()) row.paper = *theirs;
  }
}

}  // namespace

Results run(const Experiment& experiment, const RunSettings& settings) {
  if (!experiment.data.empty() && settings.data == nullptr) {
    throw InvalidOption(fmt::format("{}: requires --data FILE: {}", experiment.name, experiment.data));
  }
  const auto start = std::chrono::steady_clock::now();
  Results results;
  results.replicates = replicates_of(experiment, settings);
  results.seed = settings.seed;
  const std::vector<Slot> slots = run_trials(experiment, settings, results.replicates);
  results.trials = std::ssize(slots);
  collect(slots, std::ssize(experiment.settings), results);
  summarize_rows(experiment, results);
  results.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return results;
}

}  // namespace tamis::experiments
