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
    shown_ = 0;
  }
  method_ = method;
  fold_ = fold;
  within_ = 0;
  tell();
}

void SequentialProgress::end(double seconds) {
  if (fold_ < 0) seconds_[method_] = std::max(shortest, seconds);
  within_ = 1;
  tell();
}

void SequentialProgress::progress(double fraction, std::string_view) {
  // A method may report several phases, each from 0 to 1: the bar keeps its maximum instead of going back.
  within_ = std::max(within_, std::clamp(fraction, 0.0, 1.0));
  tell();
}

void SequentialProgress::tell() {
  if (outer_ == nullptr) return;
  double share = 0;
  if (fold_ < 0) {
    share = (static_cast<double>(method_) + within_) / static_cast<double>(seconds_.size());
  } else {
    const double round = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
    const double before =
        std::accumulate(seconds_.begin(), seconds_.begin() + static_cast<std::ptrdiff_t>(method_), 0.0);
    share = (fold_ + (before + within_ * seconds_[method_]) / round) / folds_;
  }
  shown_ = std::max(shown_, share);
  outer_->progress(shown_, phase_);
}

}  // namespace tamis
