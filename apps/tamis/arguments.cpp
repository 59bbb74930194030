#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Validators.hpp>
#include <charconv>
#include <map>

#include "output.hpp"
#include "tamis/base/error.hpp"

namespace tamis::app {

void DataArguments::add_path(CLI::App& parser) {
  parser.add_option("DATA", path, "the data: .csv or .tsv (with a header, also .gz), .svm, .mtx, .npy, .npz")
      ->required()
      ->group("Data");
}

void DataArguments::add_offset(CLI::App& parser) {
  parser.add_option("--offset", read.offset, "column that is added to the linear predictor as it is")
      ->type_name("COLUMN")
      ->group("Data");
}

void DataArguments::add_missing(CLI::App& parser) {
  static const std::map<std::string, Missing> words = {
      {"refuse", Missing::refuse}, {"drop", Missing::drop}, {"mean", Missing::mean}};
  parser
      .add_option_function<std::string>(
          "--missing", [this](const std::string& word) { read.missing = words.at(word); },
          "missing numbers: refuse (default, names the first one), drop the row, or fill in the mean of the column")
      ->check(CLI::IsMember(words))
      ->type_name("refuse|drop|mean")
      ->group("Data");
}

void DataArguments::add_response(CLI::App& parser) {
  parser.add_option("--response", read.response_file, "file with the response, for formats without one (.mtx, .npy)")
      ->type_name("FILE")
      ->group("Data");
}

void DataArguments::add_weights_and_exclude(CLI::App& parser) {
  parser.add_option("--weights", read.weights, "column of observation weights (0 or more)")
      ->type_name("COLUMN")
      ->group("Data");
  parser
      .add_option_function<std::string>(
          "--exclude",
          [this](const std::string& text) {
            for (std::string& name : split_names(text)) read.exclude.push_back(std::move(name));
          },
          "columns to leave out; may be repeated; quote a name that has a comma: '\"price, EUR\"'")
      ->trigger_on_parse()
      ->type_name("A,B,...")
      ->group("Data");
}

void RunArguments::add_threads(CLI::App& parser) {
  parser.add_option("--threads", threads, "threads; the result does not depend on them (default: all cores)")
      ->check(CLI::Range(1, 4096))
      ->type_name("N")
      ->group("Running");
}

void RunArguments::add_json(CLI::App& parser, const std::string& meaning) {
  parser.add_flag("--json", json, meaning)->group("Output");
}

void RunArguments::add_quiet(CLI::App& parser) {
  parser.add_flag("--quiet", quiet, "no words on standard error but errors")->group("Output");
}

CLI::Option* add_repeatable(CLI::App& parser, const std::string& names, std::vector<std::string>& values,
                            const std::string& meaning) {
  // One callback per occurrence: CLI11's own list options would also swallow the words that follow.
  return parser
      .add_option_function<std::string>(
          names, [&values](const std::string& value) { values.push_back(value); }, meaning)
      ->trigger_on_parse();
}

void tell_about_missing(const Dataset& data, const std::string& path, std::string_view filled_with, bool quiet) {
  if (data.dropped_rows > 0)
    note(quiet, fmt::format("{}: {} rows with missing numbers dropped", path, data.dropped_rows));
  if (data.filled_cells > 0) {
    note(quiet, fmt::format("{}: {} missing numbers filled in with {}", path, data.filled_cells, filled_with));
  }
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      // A doubled quote inside quotes is the character itself, as in CSV.
      if (quoted && i + 1 < text.size() && text[i + 1] == '"') {
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

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::pair<std::string, std::string> split_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InvalidOption(fmt::format("--set {}: expected name=value", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace tamis::app
