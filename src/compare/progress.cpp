// Progress of methods x (1 + folds) fits as one bar per phase.
//
// Model      the fits on all rows have equal shares, since nothing is known of their times; in the folds, the share of
//            a method is its time on all rows over the sum of these times. Training parts are smaller by the same
//            factor for all, so the ratio holds where the folds' times do not.
// Invariant  the fraction reported never falls within a phase: a method may report several phases of its own from 0 to
//            1.
#include "compare/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tamis {
namespace {

// Lower bound of a fit's time in seconds: keeps the sum of the times, a divisor, positive.
constexpr double shortest = 1e-3;

}  // namespace

SequentialProgress::SequentialProgress(Observer* outer, std::size_t methods, int folds)
    : outer_(outer), seconds_(methods, shortest), phase_("fits on all rows"), folds_(folds) {}

void SequentialProgress::begin(std::size_t method, int fold) {
  if (fold >= 0 && fold_ < 0) {
    phase_ = fmt::format("{}-fold cross-validation", folds_);
    reported_ = 0;
  }
  method_ = method;
  fold_ = fold;
  fit_fraction_ = 0;
  notify();
}

void SequentialProgress::end(double seconds) {
  if (fold_ < 0) seconds_[method_] = std::max(shortest, seconds);
  fit_fraction_ = 1;
  notify();
}

void SequentialProgress::progress(double fraction, std::string_view) {
  // A method may report several phases, each from 0 to 1: the bar keeps its maximum instead of going back.
  fit_fraction_ = std::max(fit_fraction_, std::clamp(fraction, 0.0, 1.0));
  notify();
}

void SequentialProgress::notify() {
  if (outer_ == nullptr) return;
  double share = 0;
  if (fold_ < 0) {
    share = (static_cast<double>(method_) + fit_fraction_) / static_cast<double>(seconds_.size());
  } else {
    const double round = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
    const double before = std::accumulate(seconds_.begin(), seconds_.begin() + method_, 0.0);
    share = (fold_ + (before + fit_fraction_ * seconds_[method_]) / round) / folds_;
  }
  reported_ = std::max(reported_, share);
  outer_->progress(reported_, phase_);
}

}  // namespace tamis
