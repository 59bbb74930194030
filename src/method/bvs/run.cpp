// How long to sample: looks at steps 4, 6, 8, 12, 16, ... times a thousand, until the largest Monte Carlo error over
// all features is as small as asked for.
//
// Burn-in    At every power of two the sums before the last power are dropped, so that what is looked at is the last
//            two thirds or three quarters of the run; no draw has to be kept for that.
// Error      of a feature: from the spread of the chains and of their parts (summary.cpp). R-hat is no
//            criterion: 1.02 goes with two runs that differ by .14.
// Invariant  looks come at fixed steps, never by the clock, which only decides how often progress is told and a
//            checkpoint written: same seed, same bits.
#include "method/bvs/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "method/bvs/summary.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr double seconds_of_segment = 0.1;
constexpr Index most_growth = 8;
constexpr Index least_first_look = 400, usual_first_look = 4000;

}  // namespace

// An eighth of what is allowed at most, so that a run on many features can end early too; divisible by 4.
Index BvsPlan::first_look() const { return std::clamp(most_steps / 8, least_first_look, usual_first_look) / 4 * 4; }

BvsRun::BvsRun(std::vector<std::unique_ptr<Target>> targets, const BvsPrior& prior, Index features, const BvsPlan& plan,
               Checkpoint& checkpoint)
    : plan_(plan), checkpoint_(checkpoint), wanted_(plan.most_steps) {
  chains_.reserve(targets.size());
  for (Index c = 0; c < std::ssize(targets); ++c) {
    chains_.emplace_back(std::move(targets[c]), prior, features, plan.seed, c, plan.first_look() / 4);
  }
  checkpoint_.load([this](Archive& archive) { exchange(archive); });
}

void BvsRun::exchange(Archive& archive) {
  archive.expect(std::ssize(chains_), "the number of chains");
  archive(done_);
  archive(passed_);
  archive(turned_);
  archive(recorded_from_);
  archive(finished_);
  archive(trace_);
  for (BvsChain& chain : chains_) chain.exchange(archive);
}

// The next turn or look after `passed_`: first/4, first/2, first, 3/2 first, 2 first, 3 first, ...
Index BvsRun::next_stop() const {
  const Index first = plan_.first_look();
  Index stop = first / 4;
  while (stop <= passed_) stop *= 2;
  if (stop > first && passed_ < stop / 4 * 3) stop = stop / 4 * 3;
  return std::min(stop, plan_.most_steps);
}

// A stop is passed once it has been looked at, which a checkpoint written before does not say.
void BvsRun::run() {
  while (!finished_ && !cancelled_) {
    const Index stop = next_stop();
    advance_to(stop);
    if (done_ == stop && !cancelled_) pass(stop);
    const auto state = [this](Archive& archive) { exchange(archive); };
    finished_ || cancelled_ ? checkpoint_.save(state) : checkpoint_.save_if_due(state);
  }
}

void BvsRun::pass(Index stop) {
  passed_ = stop;
  finished_ = (stop >= plan_.first_look() || stop == plan_.most_steps) && good_enough();
  finished_ = finished_ || stop == plan_.most_steps;
  const bool power = stop == plan_.first_look() / 4 || stop == turned_ * 2;
  if (finished_ || !power) return;
  recorded_from_ = turned_;
  turned_ = stop;
  for (BvsChain& chain : chains_) chain.turn();
}

void BvsRun::advance_to(Index stop) {
  using Clock = std::chrono::steady_clock;
  Index segment = 1;
  while (done_ < stop && !cancelled_) {
    const Index steps = std::min(segment, stop - done_);
    const Clock::time_point start = Clock::now();
    advance(steps);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double wanted = static_cast<double>(steps) * seconds_of_segment / std::max(seconds, 1e-9);
    segment = std::clamp<Index>(static_cast<Index>(std::min(wanted, 1e12)), 1, most_growth * steps);
    report_progress();
    if (done_ < stop && !cancelled_) checkpoint_.save_if_due([this](Archive& archive) { exchange(archive); });
  }
}

void BvsRun::advance(Index steps) {
  parallel_for(std::ssize(chains_), 1, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) chains_[c].run(done_, steps);
  });
  done_ += steps;
}

// Errors fall with the root of the steps: that tells how many more there will be, for the progress bar.
bool BvsRun::good_enough() {
  const InclusionSummary now = summarize_inclusion(chains_);
  const double error = now.largest_error();
  double likelihood = 0, size = 0;
  for (const BvsChain& chain : chains_) {
    likelihood += chain.log_likelihood() / static_cast<double>(chains_.size());
    size += static_cast<double>(chain.size()) / static_cast<double>(chains_.size());
  }
  trace_.push_back(
      {done_, likelihood, trace_.empty() ? 0.0 : likelihood - trace_.back().objective, std::lround(size), error});
  if (plan_.observer != nullptr) plan_.observer->trace(trace_.back());
  const double longer = std::pow(error / plan_.precision, 2) * static_cast<double>(done_);
  wanted_ = std::min(plan_.most_steps, static_cast<Index>(std::min(longer, 1e15)));
  return error <= plan_.precision && chains_.size() > 1;
}

void BvsRun::report_progress() {
  if (plan_.observer == nullptr) return;
  const double share = static_cast<double>(done_) / static_cast<double>(std::max(wanted_, done_ + 1));
  shown_ = std::max(shown_, std::min(share, 0.99));
  plan_.observer->progress(shown_, recorded_from_ > 0 ? "sampling" : "burn-in");
  cancelled_ = plan_.observer->cancelled();
}

}  // namespace tamis
