// Progress of many fits as one: first every method once on all rows, then the folds, whose share of the work is known
// from how long the first took.
#pragma once

#include <string>
#include <vector>

#include "tamis/base/observer.hpp"

namespace tamis {

/// Not thread-safe: fits run one after another, and each reports from one thread at a time.
class SequentialProgress final : public Observer {
 public:
  /// `outer` may be nullptr.
  SequentialProgress(Observer* outer, std::size_t methods, int folds);

  /// The next fit is that of this method, on all rows (fold -1) or without a fold.
  void begin(std::size_t method, int fold);
  void end(double seconds);

  void progress(double fraction, std::string_view phase) override;
  bool cancelled() override { return outer_ != nullptr && outer_->cancelled(); }

 private:
  void notify();

  Observer* outer_;
  std::vector<double> seconds_;  // of each method's fit on all rows
  std::string phase_;
  int folds_;
  std::size_t method_ = 0;
  int fold_ = -1;
  double fit_fraction_ = 0;  // of the running fit
  double reported_ = 0;
};

}  // namespace tamis
