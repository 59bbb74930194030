// Help pages: purpose, usage, options by group, examples, exit codes, in 100 columns.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "parser.hpp"

namespace tamis::app {

/// "  -o, --output FILE      what it does", the meaning in a column of its own, as many lines as it needs.
std::string help_entry(const std::string& head, const std::string& meaning);
/// `tamis --help`.
std::string program_help(const std::vector<Command>& commands);
/// `tamis NAME --help`; the options are those of `parser`.
std::string command_help(const Command& command, const Parser& parser);

/// Words of `text` in lines that end before column 100, the second and later ones after `indent` spaces.
std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace tamis::app
