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
    "Exit codes: 0 success, 1 not converged (the model is still written), 64 usage error, 65 invalid\n"
    "data, 66 cannot open input, 70 internal error or out of memory, 74 cannot write output.";

}  // namespace tamis::app
