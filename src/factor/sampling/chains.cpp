#include "factor/sampling/chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "factor/match.hpp"
#include "fit/chain_diagnostics.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index most_monitored = 32;   // cells whose predictions are watched
constexpr Index most_matched = 100;    // draws per chain that are averaged for display
constexpr Index most_traced = 200;     // points of the trace
constexpr double largest_rhat = 1.05;  // beyond it the chains do not agree yet

struct Settings {
  explicit Settings(const Options& options)
      : chains(options.integer("chains")), samples(options.integer("samples")), burn_in(options.integer("burn_in")) {}
  Index chains, samples, burn_in;
  Index sweeps() const { return burn_in + samples; }
};

struct Place {
  Index row, column;
};

// Cells to predict if there are enough of them, else any cells.
std::vector<Place> monitored_cells(const FactorTask& task) {
  const std::vector<TargetCell> targets = task.cells.targets(true);
  RandomStream random(task.control.seed, 0x6d6f6e69746f72ULL);
  std::vector<Place> places;
  const auto known = static_cast<Index>(targets.size());
  if (known >= most_monitored) {
    for (const Index i : random.sample(known, most_monitored)) {
      places.push_back({targets[static_cast<std::size_t>(i)].row, targets[static_cast<std::size_t>(i)].column});
    }
    return places;
  }
  const Index cells = task.cells.rows() * task.cells.cols();
  for (const Index i : random.sample(cells, std::min(cells, most_monitored))) {
    places.push_back({i / task.cells.cols(), i % task.cells.cols()});
  }
  return places;
}

// One chain on its way.
struct Chain {
  Chain(const FactorTask& task, ChainKey chain_key, std::unique_ptr<Sampler> its_sampler, std::size_t monitored)
      : key(chain_key),
        sampler(std::move(its_sampler)),
        state(sampler->start()),
        tally(task.tally()),
        average(state),
        series(monitored) {}
  ChainKey key;
  std::unique_ptr<Sampler> sampler;
  FactorState state;
  PredictiveTally tally;
  FactorAverage average;
  std::vector<std::vector<double>> series;  // of the monitored cells, one value per draw
  std::vector<TracePoint> trace;
  Index done = 0;  // sweeps
};

// The parts that all chains share, guarded where they are not constant.
class Run {
 public:
  Run(const FactorTask& task, const Settings& settings)
      : task_(task), settings_(settings), places_(monitored_cells(task)), stopped_(false) {}

  const std::vector<Place>& places() const { return places_; }
  bool stopped() const { return stopped_; }

  // One more sweep of some chain is done.
  void tell(bool burning) {
    Observer* observer = task_.control.observer;
    const std::lock_guard lock(mutex_);
    ++sweeps_;
    if (observer == nullptr) return;
    const double total = static_cast<double>(settings_.chains * settings_.sweeps());
    observer->progress(static_cast<double>(sweeps_) / total, burning ? "burning in" : "drawing");
    if (observer->cancelled()) stopped_ = true;
  }

  void advance(Chain& chain) const;

 private:
  void keep(Chain& chain) const;
  void trace(Chain& chain) const;

  const FactorTask& task_;
  const Settings& settings_;
  std::vector<Place> places_;
  std::mutex mutex_;
  Index sweeps_ = 0;
  std::atomic<bool> stopped_;
};

void Run::advance(Chain& chain) const {
  const bool burning = chain.done < settings_.burn_in;
  chain.sampler->sweep(chain.state, chain.done, burning);
  ++chain.done;
  trace(chain);
  if (!burning) keep(chain);
}

void Run::keep(Chain& chain) const {
  chain.tally.add(chain.state);
  const Index stride = std::max<Index>(1, settings_.samples / most_matched);
  if ((chain.done - settings_.burn_in) % stride == 0 || chain.average.draws() == 0) chain.average.add(chain.state);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const double psi = chain.state.predictor(places_[i].row, places_[i].column);
    chain.series[i].push_back(task_.cells.family() == CellFamily::bernoulli ? logistic(psi) : psi);
  }
}

void Run::trace(Chain& chain) const {
  const Index stride = std::max<Index>(1, settings_.sweeps() / most_traced);
  if (chain.key.chain != 0 || chain.done % stride != 0) return;
  const double objective = log_likelihood(task_.cells, chain.state);
  const double change = chain.trace.empty() ? 0 : objective - chain.trace.back().objective;
  chain.trace.push_back({chain.done, objective, change, chain.state.active(), 0});
  if (task_.control.observer != nullptr) task_.control.observer->trace(chain.trace.back());
}

// What all chains drew together.
struct Harvest {
  Harvest(const FactorTask& task, std::size_t monitored) : tally(task.tally()), series(monitored) {}
  PredictiveTally tally;
  FactorAverage average;
  std::vector<std::vector<std::vector<double>>> series;  // monitored cell, chain, draw
  std::vector<TracePoint> trace;
  Index sweeps = 0;

  void take(Chain& chain) {
    // Ended before the first draw: where the chain stands is all there is.
    if (chain.tally.draws() == 0) {
      chain.tally.add(chain.state);
      chain.average.add(chain.state);
    }
    tally.merge(chain.tally);
    average.merge(chain.average);
    for (std::size_t i = 0; i < series.size(); ++i) series[i].push_back(std::move(chain.series[i]));
    if (chain.key.chain == 0) trace = std::move(chain.trace);
    sweeps += chain.done;
  }
};

// Chains of one wave run at the same time; each wave is as wide as there are threads, so memory holds no more chains
// than work.
void run_wave(Run& run, const Settings& settings, std::vector<std::unique_ptr<Chain>>& wave) {
  const auto finish = [&](Chain& chain) {
    while (chain.done < settings.sweeps() && !run.stopped()) {
      const bool burning = chain.done < settings.burn_in;
      run.advance(chain);
      run.tell(burning);
    }
  };
  if (wave.size() == 1) {
    finish(*wave[0]);
    return;
  }
  parallel_for(static_cast<Index>(wave.size()), 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      with_threads(1, [&] { finish(*wave[static_cast<std::size_t>(c)]); });
    }
  });
}

void diagnose(const Harvest& harvest, FactorFit& fit) {
  double rhat = 1, ess = std::numeric_limits<double>::infinity();
  for (const auto& chains : harvest.series) {
    std::size_t shortest = std::numeric_limits<std::size_t>::max();
    for (const std::vector<double>& chain : chains) shortest = std::min(shortest, chain.size());
    if (shortest < 4) return;
    std::vector<std::vector<double>> equal;
    equal.reserve(chains.size());
    for (const std::vector<double>& chain : chains)
      equal.emplace_back(chain.end() - static_cast<Index>(shortest), chain.end());
    rhat = std::max(rhat, split_rhat(equal));
    ess = std::min(ess, effective_sample_size(equal));
  }
  fit.rhat = rhat;
  fit.ess = ess;
}

void conclude(const Settings& settings, const Harvest& harvest, bool stopped, FactorFit& fit) {
  const std::string drawn = fmt::format(
      "{} draws of {} chains after {} sweeps of burn-in", harvest.tally.draws(),
      harvest.series.empty() ? settings.chains : static_cast<Index>(harvest.series[0].size()), settings.burn_in);
  const std::string quality =
      fit.rhat ? fmt::format("; predictions have R-hat at most {:.3f} and effective sample size at least {:.0f}",
                             *fit.rhat, *fit.ess)
               : std::string();
  if (stopped) {
    fit.status = Status::cancelled;
    fit.message = fmt::format("stopped after {} of {} sweeps: {}{}", harvest.sweeps,
                              settings.chains * settings.sweeps(), drawn, quality);
  } else if (!fit.rhat || *fit.rhat > largest_rhat) {
    fit.status = Status::iteration_limit;
    fit.message = fmt::format("{}{}; the chains do not agree to {}: ask for more with --set samples and burn_in", drawn,
                              quality, largest_rhat);
  } else {
    fit.status = Status::converged;
    fit.message = drawn + quality;
  }
}

}  // namespace

std::vector<Field> chain_fields() {
  return {Field::integer("chains", "independent Markov chains", 4.0, 1, 1000),
          Field::integer("samples", "draws of each chain that count", 300.0, 1, 1e7),
          Field::integer("burn_in", "sweeps of each chain before them", 200.0, 0, 1e7)};
}

void run_chains(const FactorTask& task, const SamplerFactory& make_sampler, bool has_spike, FactorResult& result) {
  const Settings settings(task.options);
  Run run(task, settings);
  Harvest harvest(task, run.places().size());
  const Index width = std::min<Index>(settings.chains, available_threads());
  for (Index first = 0; first < settings.chains && !run.stopped(); first += width) {
    std::vector<std::unique_ptr<Chain>> wave;
    for (Index c = first; c < std::min(first + width, settings.chains); ++c) {
      const ChainKey key{task.control.seed, static_cast<std::uint64_t>(c)};
      wave.push_back(std::make_unique<Chain>(task, key, make_sampler(key), run.places().size()));
    }
    run_wave(run, settings, wave);
    for (const auto& chain : wave) harvest.take(*chain);
  }
  FactorFit& fit = result.fit;
  diagnose(harvest, fit);
  fit.trace = std::move(harvest.trace);
  conclude(settings, harvest, run.stopped(), fit);
  const std::vector<double> inclusion = has_spike ? harvest.average.inclusion() : std::vector<double>();
  describe_state(task, harvest.average.mean(), inclusion, fit);
  describe_predictions(task, harvest.tally, result);
}

}  // namespace tamis::factor
