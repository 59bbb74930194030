// Chains in parallel, in segments between which progress is reported, cancelling is polled and checkpoints are saved.
//
// Invariant  between segments all chains have done the same number of sweeps (done_), which with the states and tallies
//            is the whole checkpoint. Draws depend on (seed, chain, iteration) only: the length of segments, which
//            follows the clock, and the number of threads change no bit of them.
#include "method/gibbs/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Wall clock of a segment: long enough that waiting for the slowest chain costs little, short enough for a progress bar
// and for cancelling. Its number of sweeps grows by at most most_growth at a time, as the first timing is of one sweep.
constexpr double seconds_of_segment = 0.1;
constexpr Index most_growth = 8;
// Models kept of all chains, for credible sets, and the features in them. A share of 4000 draws is known to .008; 1e7
// features are 40 MB.
constexpr Index most_models = 4000, most_features_of_models = 10'000'000;

}  // namespace

void ChainDraws::record(const Chain& chain, Index iteration) {
  const ChainState& state = chain.state();
  coefficients.insert(coefficients.end(), state.coefficients.begin(), state.coefficients.end());
  included.insert(included.end(), state.included.begin(), state.included.end());
  intercept.push_back(chain.intercept_draw(iteration));
}

void ChainDraws::exchange(Archive& archive) {
  archive(coefficients);
  archive(included);
  archive(intercept);
}

GibbsRun::GibbsRun(const ChainData& data, const HyperPrior& prior, const GibbsPlan& plan, Checkpoint& checkpoint)
    : plan_(plan), checkpoint_(checkpoint) {
  for (Index c = 0; c < plan.chains; ++c) {
    chains_.emplace_back(data, prior, plan.seed, c);
    tallies_.emplace_back(data.scaled().features(), plan.samples);
    const Index models = std::max<Index>(1, most_models / plan.chains);
    models_.emplace_back((plan.samples + models - 1) / models, most_features_of_models / plan.chains);
    if (plan.keep_draws) draws_.emplace_back();
  }
  checkpoint_.load([this](Archive& archive) { exchange(archive); });
}

void GibbsRun::exchange(Archive& archive) {
  archive.expect(plan_.chains, "the number of chains");
  archive.expect(std::ssize(draws_), "the number of chains with stored draws");
  archive(done_);
  for (Chain& chain : chains_) chain.exchange(archive);
  for (Tally& tally : tallies_) tally.exchange(archive);
  for (ChainModels& models : models_) models.exchange(archive);
  for (ChainDraws& draws : draws_) draws.exchange(archive);
}

void GibbsRun::run() {
  using Clock = std::chrono::steady_clock;
  Index segment = 1;
  while (done_ < plan_.sweeps() && !cancelled_) {
    const Index sweeps = std::min(segment, plan_.sweeps() - done_);
    const Clock::time_point start = Clock::now();
    advance(sweeps);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double wanted = static_cast<double>(sweeps) * seconds_of_segment / std::max(seconds, 1e-9);
    segment = std::clamp<Index>(static_cast<Index>(std::min(wanted, 1e12)), 1, most_growth * sweeps);
    cancelled_ = !report_progress();
    const bool last = cancelled_ || done_ == plan_.sweeps();
    const auto state = [this](Archive& archive) { exchange(archive); };
    last ? checkpoint_.save(state) : checkpoint_.save_if_due(state);
  }
  if (tallies_.front().recorded() > 0) return;
  // Cancelled during burn-in: the current states are recorded as the only draw, so that there is an estimate at all.
  for (Index c = 0; c < std::ssize(chains_); ++c) record(c, done_ - 1);
}

void GibbsRun::advance(Index sweeps) {
  parallel_for(plan_.chains, 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      for (Index iteration = done_; iteration < done_ + sweeps; ++iteration) {
        chains_[c].sweep(iteration);
        if (iteration >= plan_.burn_in) record(c, iteration);
      }
    }
  });
  done_ += sweeps;
}

void GibbsRun::record(Index chain, Index iteration) {
  tallies_[chain].record(chains_[chain]);
  models_[chain].record(chains_[chain].state().included);
  if (plan_.keep_draws) draws_[chain].record(chains_[chain], iteration);
}

ModelDraws GibbsRun::models(std::span<const Index> names) const {
  ModelDraws draws;
  for (const ChainModels& models : models_) models.append_to(draws, names);
  return draws;
}

// Reports averages over the chains. False: the observer has cancelled.
bool GibbsRun::report_progress() {
  if (plan_.observer == nullptr) return true;
  double log_likelihood = 0, size = 0;
  for (const Chain& chain : chains_) {
    log_likelihood += chain.log_likelihood() / static_cast<double>(plan_.chains);
    size += static_cast<double>(chain.included()) / static_cast<double>(plan_.chains);
  }
  plan_.observer->trace({done_, log_likelihood, 0, std::lround(size), 0});
  const bool warm = done_ >= plan_.burn_in;
  plan_.observer->progress(static_cast<double>(done_) / static_cast<double>(plan_.sweeps()),
                           warm ? "sampling" : "burn-in");
  return done_ == plan_.sweeps() || !plan_.observer->cancelled();
}

}  // namespace tamis
