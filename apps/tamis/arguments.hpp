// Arguments that several commands share, so that they read and mean the same everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parser.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis::app {

/// How a data file is read: adds --weights, --offset, --exclude, --missing, --response to ReadOptions.
struct DataArguments {
  std::string path;
  ReadOptions read;
  void add_path(Parser& parser);
  void add_offset(Parser& parser);
  void add_missing(Parser& parser);
  void add_response(Parser& parser);
  void add_weights_and_exclude(Parser& parser);
};

/// How the program runs.
struct RunArguments {
  int threads = 0;
  bool json = false;
  bool quiet = false;
  void add_threads(Parser& parser);
  void add_json(Parser& parser, const std::string& meaning);
  void add_quiet(Parser& parser);
};

/// --seed; models record it as a number of JSON, which is exact up to 2^53.
Argument add_seed(Parser& parser, std::uint64_t& seed, const std::string& meaning);

/// An option that may be given several times; each time exactly one value, kept as typed.
Argument add_repeatable(Parser& parser, const std::string& names, std::vector<std::string>& values,
                        const std::string& meaning);

/// The same, but every value is a list of names, see split_names().
Argument add_names(Parser& parser, const std::string& names, std::vector<std::string>& values,
                   const std::string& meaning);

/// Reports on standard error how missing values were handled. `filled_with`: "the column mean".
void tell_about_missing(const Dataset& data, const std::string& path, std::string_view filled_with, bool quiet);

/// "a,b" -> a, b. A name that has a comma itself is quoted: "\"price, EUR\",b".
std::vector<std::string> split_names(const std::string& text);

/// "name=value" -> both parts; throws InvalidOption if there is no name or no '='.
std::pair<std::string, std::string> split_setting(const std::string& text);

}  // namespace tamis::app
