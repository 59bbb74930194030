// A data file that is shortened while it is read: its mapped pages are gone, and the system sends SIGBUS.
#pragma once

namespace tamis::app {

/// From here on SIGBUS ends the program with a sentence and exit code 65 instead of a core dump. The library itself
/// installs no handlers: they belong to the program.
void explain_bus_errors();

}  // namespace tamis::app
