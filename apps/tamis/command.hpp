// A command of the program: one file that returns one of these, and one line in commands.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parser.hpp"

namespace tamis::app {

struct Command {
  std::string name;
  std::string summary;   ///< one line for `tamis --help`
  std::string usage;     ///< what follows the name: "DATA --target NAME [options]"
  std::string purpose;   ///< a paragraph for `tamis NAME --help`
  std::string examples;  ///< lines that work as they stand
  /// Adds the options to the parser and returns the work, which runs after parsing and gives the exit code.
  std::function<std::function<int()>(Parser&)> prepare;
};

/// All of them, in the order of `tamis --help`.
std::vector<Command> commands();

}  // namespace tamis::app
