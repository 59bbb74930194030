// The command line: arguments -> calls -> exit code. Every error becomes one sentence on standard error.
// Exceptions are translated to exit codes here and nowhere else; the library throws and never prints or exits.
#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "bus_error.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "help.hpp"
#include "output.hpp"
#include "parser.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/version.hpp"

namespace tamis::app {
namespace {

int complain(ExitCode code, std::string_view words) {
  note(false, words);
  return code;
}

std::vector<std::string> names_of(const std::vector<Command>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Command& command : all) names.push_back(command.name);
  return names;
}

int run_command(const Command& command, std::vector<std::string> words) {
  Parser parser(command.name);
  const std::function<int()> work = command.prepare(parser);
  if (parser.parse(std::move(words))) return work();
  print(command_help(command, parser));
  return ExitCode::done;
}

int run_program(std::vector<std::string> words) {
  const std::vector<Command> all = commands();
  if (words.empty()) {
    return complain(ExitCode::usage, "no command given; expected fit, predict, select, ...; see 'tamis --help'");
  }
  // 'tamis help fit' is 'tamis fit --help'.
  if (words[0] == "help")
    words = words.size() > 1 ? std::vector{words[1], std::string("--help")} : std::vector<std::string>{"--help"};
  if (words[0] == "--help" || words[0] == "-h") {
    print(program_help(all));
    return ExitCode::done;
  }
  if (words[0] == "--version") {
    print(fmt::format("tamis {}\n", version));
    return ExitCode::done;
  }
  const std::string name = words[0];
  words.erase(words.begin());
  for (const Command& command : all) {
    if (command.name == name) return run_command(command, std::move(words));
  }
  return complain(ExitCode::usage,
                  fmt::format("unknown command '{}'{}; see 'tamis --help'", name, did_you_mean(name, names_of(all))));
}

// From what was thrown to how the program ends.
int guarded(const std::vector<std::string>& words) {
  try {
    return run_program(words);
  } catch (const InvalidOption& error) {
    return complain(ExitCode::usage, error.what());
  } catch (const InvalidInput& error) {
    return complain(ExitCode::bad_data, error.what());
  } catch (const MissingFile& error) {
    return complain(ExitCode::no_input, error.what());
  } catch (const OutputError& error) {
    return complain(ExitCode::not_written, error.what());
  } catch (const std::bad_alloc&) {
    return complain(ExitCode::our_fault,
                    "out of memory: the data or the model do not fit into the memory of this machine");
  } catch (const std::exception& error) {
    return complain(ExitCode::our_fault, fmt::format("internal error, please report this bug: {}", error.what()));
  }
}

}  // namespace
}  // namespace tamis::app

int main(int argc, char** argv) {
  tamis::app::prepare_streams();
  tamis::app::explain_bus_errors();
  return tamis::app::guarded({argv + 1, argv + argc});
}
