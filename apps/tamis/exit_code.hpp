// How the program ends, for scripts: the numbers of sysexits.h where there is one.
#pragma once

namespace tamis::app {

enum ExitCode : int {
  done = 0,
  not_converged = 1,  ///< the model was still written
  usage = 64,
  bad_data = 65,
  no_input = 66,
  our_fault = 70,
  not_written = 74,
  killed = 130,  ///< by a second Ctrl-C
};

/// What every help page says about them.
inline constexpr const char* exit_codes_text =
    "Exit codes: 0 done, 1 not converged (the model is still written), 64 wrong usage, 65 bad data,\n"
    "66 no such input, 70 a fault of tamis or no memory, 74 the output could not be written.";

}  // namespace tamis::app
