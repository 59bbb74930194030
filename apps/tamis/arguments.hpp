// Arguments that several commands share, so that they read and mean the same everywhere.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/io/dataset.hpp"

namespace tamis::app {

/// How a data file is read: adds --weights, --offset, --exclude, --missing, --response to ReadOptions.
struct DataArguments {
  std::string path;
  ReadOptions read;
  void add_path(CLI::App& parser);
  void add_offset(CLI::App& parser);
  void add_missing(CLI::App& parser);
  void add_response(CLI::App& parser);
  void add_weights_and_exclude(CLI::App& parser);
};

/// How the program runs.
struct RunArguments {
  int threads = 0;
  bool json = false;
  bool quiet = false;
  void add_threads(CLI::App& parser);
  void add_json(CLI::App& parser, const std::string& meaning);
  void add_quiet(CLI::App& parser);
};

/// An option that may be given several times; each time exactly one value, kept as typed.
CLI::Option* add_repeatable(CLI::App& parser, const std::string& names, std::vector<std::string>& values,
                            const std::string& meaning);

/// What reading did to missing numbers, on standard error. `filled_with`: "the mean of their column".
void tell_about_missing(const Dataset& data, const std::string& path, std::string_view filled_with, bool quiet);

/// "a,b" -> a, b. A name that has a comma itself is quoted: "\"price, EUR\",b".
std::vector<std::string> split_names(const std::string& text);

/// Whether the whole text is a number.
bool is_number(std::string_view text);

/// "name=value" -> both parts; throws InvalidOption if there is no name or no '='.
std::pair<std::string, std::string> split_setting(const std::string& text);

}  // namespace tamis::app
