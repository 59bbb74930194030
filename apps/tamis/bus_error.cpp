#include "bus_error.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "exit_code.hpp"

namespace tamis::app {
namespace {

// Only what a signal handler may do: write and _exit. Nothing is half written: outputs are renamed when complete.
void on_bus_error(int) {
  constexpr std::string_view sentence =
      "tamis: an input file was truncated while it was being read; run again once it is complete\n";
  static_cast<void>(!::write(STDERR_FILENO, sentence.data(), sentence.size()));
  ::_exit(ExitCode::bad_data);
}

}  // namespace

void explain_bus_errors() {
  struct sigaction action = {};
  action.sa_handler = on_bus_error;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace tamis::app
