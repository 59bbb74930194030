#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "exit_code.hpp"
#include "tamis/version.hpp"

namespace tamis::app {
namespace {

constexpr std::size_t page_width = 100;

std::string head_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  const std::string type = option.get_type_name();  // "N:INT in [1 - 4096]": ours, then CLI11's words for the check
  return option.get_type_size() == 0 ? names : names + " " + type.substr(0, type.find(':'));
}

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
      fmt::format("tamis {}: finds the few features that matter among many, and says how sure it is\n\n", version);
  page += "Usage: tamis COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) page += help_entry(command.name, command.summary);
  page += "\nOptions:\n" + help_entry("-h, --help", "this page; 'tamis COMMAND --help' explains a command") +
          help_entry("--version", "the version");
  page += "\nA first fit:\n" + indented(
                                   "tamis simulate vg.example1 --seed 1 -o demo\n"
                                   "tamis fit demo.train.csv --target y --method lasso -o model.json\n"
                                   "tamis predict model.json demo.test.csv -o predictions.csv");
  return page + "\n" + exit_codes_text + "\n";
}

std::string command_help(const Command& command, const CLI::App& parser) {
  std::string page = fmt::format("tamis {}: {}\n\nUsage: tamis {} {}\n\n{}", command.name, command.summary,
                                 command.name, command.usage, wrapped(command.purpose, 0));
  for (const std::string& group : parser.get_groups()) {
    page += "\n" + group + ":\n";
    for (const CLI::Option* option : parser.get_options()) {
      if (option->get_group() == group) page += help_entry(head_of(*option), option->get_description());
    }
  }
  page += "\nExamples:\n" + indented(command.examples);
  return page + "\n" + exit_codes_text + "\n";
}

}  // namespace tamis::app
