// Options that several commands share, and lists of names on the command line.
// Names      "a,b" is a list; a name with a comma is quoted as in CSV, the quotes doubled inside, and the whole usually
//            quoted again for the shell. Options with lists may be repeated, so that a script can add names without
//            joining them.
#include "arguments.hpp"

#include <fmt/format.h>

#include <map>

#include "output.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::app {

void DataArguments::add_path(Parser& parser) {
  parser.option("DATA", path, "data file: .csv or .tsv (with a header; may be gzipped), .svm, .mtx, .npy or .npz")
      .required()
      .group("Data");
}

void DataArguments::add_offset(Parser& parser) {
  parser.option("--offset", read.offset, "offset: column added to the linear predictor with coefficient 1")
      .type_name("COLUMN")
      .group("Data");
}

void DataArguments::add_missing(Parser& parser) {
  static const std::map<std::string, Missing> words = {
      {"refuse", Missing::refuse}, {"drop", Missing::drop}, {"mean", Missing::mean}};
  parser
      .option(
          "--missing", [this](const std::string& word) { read.missing = words.at(word); },
          "missing values: refuse (default; reports the first), drop the row, or impute the column mean")
      .one_of({"drop", "mean", "refuse"})
      .type_name("refuse|drop|mean")
      .group("Data");
}

void DataArguments::add_response(Parser& parser) {
  parser
      .option("--response", read.response_file, "file that contains the response, for formats without one (.mtx, .npy)")
      .type_name("FILE")
      .group("Data");
}

void DataArguments::add_weights_and_exclude(Parser& parser) {
  parser.option("--weights", read.weights, "column of nonnegative observation weights")
      .type_name("COLUMN")
      .group("Data");
  add_names(parser, "--exclude", read.exclude,
            "columns to exclude; may be repeated; quote a name that contains a comma: '\"price, EUR\"'")
      .type_name("A,B,...")
      .group("Data");
}

void RunArguments::add_threads(Parser& parser) {
  parser.option("--threads", threads, "number of threads (default: all cores); results do not depend on it")
      .range(1, 4096)
      .type_name("N")
      .group("Running");
}

void RunArguments::add_json(Parser& parser, const std::string& meaning) {
  parser.flag("--json", json, meaning).group("Output");
}

void RunArguments::add_quiet(Parser& parser) {
  parser.flag("--quiet", quiet, "suppress messages on standard error, except errors").group("Output");
}

Argument add_seed(Parser& parser, std::uint64_t& seed, const std::string& meaning) {
  return parser.option("--seed", seed, meaning).range(Index{0}, Index{1} << 53).type_name("N").group("Running");
}

Argument add_repeatable(Parser& parser, const std::string& names, std::vector<std::string>& values,
                        const std::string& meaning) {
  return parser.repeatable(
      names, [&values](const std::string& value) { values.push_back(value); }, meaning);
}

Argument add_names(Parser& parser, const std::string& names, std::vector<std::string>& values,
                   const std::string& meaning) {
  const auto append = [&values](const std::string& text) {
    for (std::string& name : split_names(text)) values.push_back(std::move(name));
  };
  return parser.repeatable(names, append, meaning);
}

void tell_about_missing(const Dataset& data, const std::string& path, std::string_view filled_with, bool quiet) {
  if (data.dropped_rows > 0)
    note(quiet, fmt::format("{}: dropped {} with missing values", path, plural(data.dropped_rows, "row")));
  if (data.filled_cells > 0) {
    note(quiet, fmt::format("{}: imputed {} with {}", path, plural(data.filled_cells, "missing value"), filled_with));
  }
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (Index i = 0; i < std::ssize(text); ++i) {
    if (text[i] == '"') {
      // A doubled quote inside quotes is the character itself, as in CSV.
      if (quoted && i + 1 < std::ssize(text) && text[i + 1] == '"') {
        names.back() += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (text[i] == ',' && !quoted) {
      names.emplace_back();
    } else {
      names.back() += text[i];
    }
  }
  std::erase(names, "");
  return names;
}

std::pair<std::string, std::string> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidOption(fmt::format("--set: received '{}'; expected NAME=VALUE", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace tamis::app
