// The words after the name of a command: what may stand there, which variables it fills, what is wrong with it.
// CLI11 does the work but stays inside parser.cpp: its headers hold objects with constructors, so that every file
// that sees them takes six seconds to compile, even an empty one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/base/index.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tamis::app {

/// One argument of a Parser, to say more about it: parser.option(...).required().group("Data"). A handle, valid as
/// long as its Parser.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  /// The heading under which help shows it.
  Argument group(const std::string& name);
  /// What help calls the value: "FILE".
  Argument type_name(const std::string& name);
  Argument required();
  /// Both together are refused.
  Argument excludes(Argument other);

  /// Only values from `least` to `most`.
  Argument range(int least, int most);
  Argument range(Index least, Index most);
  Argument range(double least, double most);
  Argument not_negative();
  Argument one_of(const std::vector<std::string>& words);
  /// `complaint` says what is wrong with a value as typed; "" if nothing is.
  Argument check(const std::function<std::string(const std::string&)>& complaint);

 private:
  CLI::Option* option_;
};

/// What help shows under one heading: "-o, --output FILE" and what it means.
struct ArgumentGroup {
  std::string name;
  std::vector<std::pair<std::string, std::string>> entries;
};

/// Arguments are named "DATA" (by position), "--seed" or "-o,--output". Variables keep their value where an argument
/// is not given, and must live until parse() is done.
class Parser {
 public:
  using Use = std::function<void(const std::string&)>;

  /// `command` is the name that complaints begin with.
  explicit Parser(std::string command);
  ~Parser();

  Argument option(const std::string& names, std::string& value, const std::string& meaning);
  Argument option(const std::string& names, int& value, const std::string& meaning);
  Argument option(const std::string& names, Index& value, const std::string& meaning);
  Argument option(const std::string& names, std::uint64_t& value, const std::string& meaning);
  Argument option(const std::string& names, double& value, const std::string& meaning);
  Argument option(const std::string& names, std::optional<Index>& value, const std::string& meaning);
  Argument option(const std::string& names, std::optional<double>& value, const std::string& meaning);
  /// By position: all the words that are left.
  Argument option(const std::string& names, std::vector<std::string>& values, const std::string& meaning);
  /// `use` is called with the value once all words are read.
  Argument option(const std::string& names, const Use& use, const std::string& meaning);
  /// May be given several times, each time with exactly one value, with which `use` is called at once.
  Argument repeatable(const std::string& names, const Use& use, const std::string& meaning);
  Argument flag(const std::string& names, bool& value, const std::string& meaning);

  /// Adds -h, --help and fills the variables from `words`. False if help is asked for: then nothing else counts.
  /// Throws InvalidOption with a sentence that says what is wrong.
  bool parse(std::vector<std::string> words);

  /// All arguments, in the order in which they were added.
  std::vector<ArgumentGroup> groups() const;

 private:
  std::string command_;
  std::unique_ptr<CLI::App> app_;
};

/// Whether the whole text is a number.
bool is_number(std::string_view text);

}  // namespace tamis::app
