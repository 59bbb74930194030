#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "exit_code.hpp"
#include "tamis/version.hpp"

namespace tamis::app {
namespace {

constexpr std::size_t page_width = 100;

std::string indented(const std::string& lines) {
  std::istringstream in(lines);
  std::string result;
  for (std::string line; std::getline(in, line);) result += "  " + line + "\n";
  return result;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string result;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > page_width) {
      result += line + "\n" + std::string(indent, ' ');
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return result + line + "\n";
}

std::string help_entry(const std::string& head, const std::string& meaning) {
  constexpr std::size_t meaning_column = 28;
  std::string line = "  " + head;
  if (line.size() + 2 > meaning_column) {
    line += "\n" + std::string(meaning_column, ' ');
  } else {
    line.resize(meaning_column, ' ');
  }
  return line + wrapped(meaning, meaning_column);
}

std::string program_help(const std::vector<Command>& commands) {
  std::string page =
      fmt::format("tamis {} - sparse Bayesian regression, variable selection and factor models\n\n", version);
  page += "Usage: tamis COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) page += help_entry(command.name, command.summary);
  page += "\nOptions:\n" + help_entry("-h, --help", "show this help; 'tamis COMMAND --help' describes a command") +
          help_entry("--version", "show the version");
  page += "\nGetting started:\n" + indented(
                                       "tamis simulate vg.example1 --seed 1 -o demo\n"
                                       "tamis fit demo.train.csv --target y --method lasso -o model.json\n"
                                       "tamis predict model.json demo.test.csv -o predictions.csv");
  return page + "\n" + exit_codes_text + "\n";
}

std::string command_help(const Command& command, const Parser& parser) {
  std::string page = fmt::format("{}\nUsage: tamis {} {}\n\n{}",
                                 wrapped(fmt::format("tamis {} - {}", command.name, command.summary), 0), command.name,
                                 command.usage, wrapped(command.purpose, 0));
  for (const ArgumentGroup& group : parser.groups()) {
    page += "\n" + group.name + ":\n";
    for (const auto& [head, meaning] : group.entries) page += help_entry(head, meaning);
  }
  page += "\nExamples:\n" + indented(command.examples);
  return page + "\n" + exit_codes_text + "\n";
}

}  // namespace tamis::app
