#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>

#include "exit_code.hpp"

namespace tamis::app {
namespace {

// Lock-free, so a signal handler may touch it; atomic, for workers poll it.
std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  if (asked_to_stop.exchange(true)) ::_exit(ExitCode::killed);
}

void install(int signal, struct sigaction& old) {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  ::sigaction(signal, &action, &old);
  if (old.sa_handler == SIG_IGN) ::sigaction(signal, &old, nullptr);
}

}  // namespace

bool interrupted() { return asked_to_stop; }

InterruptGuard::InterruptGuard() {
  install(SIGINT, old_interrupt_);
  install(SIGTERM, old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

}  // namespace tamis::app
