// The only list of commands.
#include "command.hpp"

namespace tamis::app {

Command fit_command();
Command predict_command();
Command select_command();
Command compare_command();
Command factor_command();
Command report_command();
Command simulate_command();
Command reproduce_command();
Command methods_command();
Command info_command();

std::vector<Command> commands() {
  return {fit_command(),    predict_command(),  select_command(),    compare_command(), factor_command(),
          report_command(), simulate_command(), reproduce_command(), methods_command(), info_command()};
}

}  // namespace tamis::app
