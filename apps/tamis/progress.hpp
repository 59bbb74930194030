// The progress bar on standard error, and how Ctrl-C reaches a running fit.
#pragma once

#include <chrono>
#include <string>

#include "tamis/base/observer.hpp"

namespace tamis::app {

/// One line that is redrawn at most ten times a second: phase, bar, share done, time left.
class ProgressBar final : public Observer {
 public:
  /// `mode` is "auto" (on a terminal), "always" or "never".
  explicit ProgressBar(const std::string& mode);
  ~ProgressBar() override { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void progress(double fraction, std::string_view phase) override;
  bool cancelled() override;
  /// Takes the bar away (on a terminal) or ends its line, so that other words may follow.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(double fraction);

  bool terminal_;
  bool shown_;
  bool drawn_ = false;
  std::string phase_;
  Clock::time_point phase_began_;
  Clock::time_point last_drawn_;
};

}  // namespace tamis::app
