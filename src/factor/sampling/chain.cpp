// One chain of a factor sampler, and the summary of all chains.
//
// Kept       per draw: sums of the predictions of hidden cells, every few draws the matched factors, and the predictors
//            of at most 32 watched cells. No draw is stored.
// Converged  by the largest split R-hat of the watched predictors (binary: probabilities), at most 1.05. Not by R-hat
//            of scores or loadings: chains that permute or flip factors agree on every prediction and disagree on every
//            loading, and with more factors than needed they never stop changing places. 300 draws end at 1.06 to 1.09
//            on block images, which is reported as not converged.
// Lengths    300 draws after 200 sweeps; on small tables, where sweeps are cheap, up to 1500 after 500.
// Stopped    early: what was drawn is the result. Without any draw it is the state of the chain that came furthest.
// Invariant  A chain is a function of (seed, chain, data, options): neither other chains nor threads change its draws.
#include "factor/sampling/chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fit/chain_diagnostics.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::factor {
namespace {

constexpr Index most_watched = 32;     // the largest R-hat of more cells grows by chance alone
constexpr Index most_matched = 100;    // draws per chain that are averaged for display: N K^2 each
constexpr Index most_traced = 200;     // points of the trace
constexpr double largest_rhat = 1.05;  // beyond it the chains do not agree yet

// Chains of small tables are long, because they are cheap and mix no faster than others: `usual` sweeps, or as many as
// take this work (about a second for all chains in two threads), but no more than `most`. Work is counted from sizes,
// never measured: a result must not depend on how busy the machine is.
Index default_sweeps(const FactorTask& task, double share, Index usual, Index most) {
  constexpr double cheap_work = 3e7;  // cells times factors
  const bool has_trajectories = task.options.values().contains("leapfrog_steps");
  const double sweep_work = static_cast<double>(task.cells.rows()) * static_cast<double>(task.cells.cols()) *
                            static_cast<double>(task.problem.factors + 1) *
                            (has_trajectories ? task.options.real("leapfrog_steps") : 1);
  const double affordable = share * cheap_work / sweep_work;
  return affordable >= static_cast<double>(most) ? most : std::max(usual, static_cast<Index>(affordable));
}

Index sweeps_of(const FactorTask& task, std::string_view option, double share, Index usual, Index most) {
  return task.options.has(option) ? task.options.integer(option) : default_sweeps(task, share, usual, most);
}

void exchange_series(Archive& archive, std::vector<std::vector<double>>& series) {
  archive.expect(std::ssize(series), "the number of monitored cells");
  for (std::vector<double>& each : series) archive(each);
}

}  // namespace

ChainPlan::ChainPlan(const FactorTask& task)
    : chains(task.options.integer("chains")),
      samples(sweeps_of(task, "samples", 1, 300, 1500)),
      burn_in(sweeps_of(task, "burn_in", 1.0 / 3, 200, 500)) {
  const TargetList list = task.cells.targets(true);
  const std::vector<TargetCell>& targets = *list;
  RandomStream random(task.control.seed, 0x6d6f6e69746f72ULL);
  const Index known = targets.size();
  if (known >= most_watched) {
    for (const Index i : random.sample(known, most_watched)) {
      watched.push_back({targets[i].row, targets[i].column});
    }
    return;
  }
  const Index cells = task.cells.rows() * task.cells.cols();
  for (const Index i : random.sample(cells, std::min(cells, most_watched))) {
    watched.push_back({i / task.cells.cols(), i % task.cells.cols()});
  }
}

// From an archive the state has the right shape and is filled by exchange(); a random start would be thrown away.
Chain::Chain(const FactorTask& task, const ChainPlan& plan, const ChainKey& key, std::unique_ptr<Sampler> sampler,
             Origin origin)
    : task_(task),
      plan_(plan),
      key_(key),
      sampler_(std::move(sampler)),
      state_(origin == Origin::start ? sampler_->start()
                                     : FactorState(task.cells, task.problem.factors, task.problem.intercept)),
      tally_(task.tally()),
      average_(state_),
      series_(plan.watched.size()) {}

void Chain::advance() {
  const bool burning = done_ < plan_.burn_in;
  sampler_->sweep(state_, done_, burning);
  ++done_;
  trace();
  if (!burning) keep();
}

// The first draw is always matched, so that even a chain of one draw has factors to show.
void Chain::keep() {
  tally_.add(state_);
  const Index stride = std::max<Index>(1, plan_.samples / most_matched);
  if ((done_ - plan_.burn_in) % stride == 0 || average_.draws() == 0) average_.add(state_);
  const Family& family = task_.cells.family();
  for (Index i = 0; i < std::ssize(series_); ++i) {
    const double psi = state_.predictor(plan_.watched[i].row, plan_.watched[i].column);
    series_[i].push_back(family.is_binary() ? family.mean(psi) : psi);
  }
}

// Of one chain, at 200 points at most: a log likelihood is a pass over the table, N K D.
void Chain::trace() {
  const Index stride = std::max<Index>(1, plan_.sweeps() / most_traced);
  if (key_.chain != 0 || done_ % stride != 0) return;
  const double objective = log_likelihood(task_.cells, state_);
  const double change = trace_.empty() ? 0 : objective - trace_.back().objective;
  trace_.push_back({done_, objective, change, state_.active(), 0});
}

Index Chain::draws() const { return std::max<Index>(0, done_ - plan_.burn_in); }

void Chain::take_last_state() {
  tally_.add(state_);
  average_.add(state_);
}

void Chain::exchange(Archive& archive) {
  archive(done_);
  state_.exchange(archive);
  std::vector<double> memory = sampler_->memory();
  archive(memory);
  if (archive.loading()) sampler_->remember(memory);
  tally_.exchange(archive);
  average_.exchange(archive);
  exchange_series(archive, series_);
  archive(trace_);
}

ChainSummary::ChainSummary(const FactorTask& task, const ChainPlan& plan)
    : task_(task), plan_(plan), tally_(task.tally()) {}

void ChainSummary::take(const std::vector<std::unique_ptr<Chain>>& chains) {
  for (const auto& chain : chains) {
    sweeps_ += chain->done();
    tally_.merge(std::move(chain->tally_));
    if (chain->draws() > 0) take(*chain);
  }
  if (tally_.draws() > 0) return;
  Chain& furthest = **std::max_element(chains.begin(), chains.end(),
                                       [](const auto& a, const auto& b) { return a->done() < b->done(); });
  burning_ = true;
  furthest.take_last_state();
  tally_.merge(std::move(furthest.tally_));
  take(furthest);
}

void ChainSummary::take(Chain& chain) {
  average_.merge(std::move(chain.average_));
  series_.push_back(std::move(chain.series_));
  if (chain.key_.chain == 0) trace_ = std::move(chain.trace_);
}

void ChainSummary::exchange(Archive& archive) {
  Index chains = series_.size();
  archive(chains);
  series_.resize(chains, std::vector<std::vector<double>>(plan_.watched.size()));
  for (auto& chain : series_) exchange_series(archive, chain);
  tally_.exchange(archive);
  average_.exchange(archive);
  archive(trace_);
  archive(sweeps_);
}

// Of chains of equal length: an early end leaves unequal ones.
void ChainSummary::diagnose(FactorFit& fit) const {
  Index shortest = std::numeric_limits<Index>::max();
  for (const auto& chain : series_) shortest = std::min(shortest, std::ssize(chain[0]));
  if (shortest < 4) return;
  double rhat = 1, ess = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < std::ssize(plan_.watched); ++i) {
    std::vector<std::vector<double>> equal;
    for (const auto& chain : series_) equal.emplace_back(chain[i].end() - shortest, chain[i].end());
    rhat = std::max(rhat, split_rhat(equal));
    ess = std::min(ess, effective_sample_size(equal));
  }
  fit.rhat = rhat;
  fit.ess = ess;
}

std::string ChainSummary::words() const {
  if (burning_) return fmt::format("last state of a chain during its burn-in of {} sweeps", plan_.burn_in);
  return fmt::format("{} draws of {} chain{} after {} burn-in sweeps", tally_.draws(), series_.size(),
                     series_.size() == 1 ? "" : "s", plan_.burn_in);
}

void ChainSummary::conclude(bool stopped, bool has_spike, FactorResult& result) {
  FactorFit& fit = result.fit;
  diagnose(fit);
  fit.trace = std::move(trace_);
  const std::string drawn = words();
  const std::string quality =
      fit.rhat ? fmt::format("; predictions have largest R-hat {:.3f} and smallest effective sample size {:.0f}",
                             *fit.rhat, *fit.ess)
               : std::string();
  if (stopped) {
    fit.status = Status::cancelled;
    fit.message =
        fmt::format("stopped after {} of {} sweeps: {}{}", sweeps_, plan_.chains * plan_.sweeps(), drawn, quality);
  } else if (!fit.rhat || *fit.rhat > largest_rhat) {
    fit.status = Status::iteration_limit;
    fit.message =
        fmt::format("{}{}; R-hat should be at most {}; increase samples and burn_in", drawn, quality, largest_rhat);
  } else {
    fit.status = Status::converged;
    fit.message = drawn + quality;
  }
  describe_predictions(task_, std::move(tally_), result);
  ScoreTable scores = average_.scores();
  if (!has_spike) scores.inclusion = nullptr;
  describe_state(task_, average_.mean(), scores, fit);
}

}  // namespace tamis::factor
