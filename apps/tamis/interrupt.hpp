// Ctrl-C and SIGTERM: the first asks the running fit to end with its best state, the second ends the program.
#pragma once

#include <csignal>

namespace tamis::app {

/// True once the user has asked to stop.
bool interrupted();

/// While one of these lives, the first signal only sets the flag that interrupted() shows; a second one exits with
/// 130 at once. Elsewhere signals kill as usual, which is right while there is nothing yet to save. A signal that the
/// parent has set to be ignored (nohup) stays ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace tamis::app
