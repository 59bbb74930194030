// tamis simulate: the synthetic data of the papers, as files.
// Files      PREFIX.train, .validation and .test, CSV or svmlight (sparse designs), and PREFIX.truth.json with what the
//            simulation knows, for the evaluation of selections.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "experiments/designs.hpp"
#include "output.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/io/write_csv.hpp"

namespace tamis::app {
namespace {

using experiments::SimulatedSet;
using experiments::Simulation;
using experiments::SimulationDesign;

struct SimulateArguments {
  std::string design;
  std::vector<std::string> settings;
  std::uint64_t seed = 1;
  std::string prefix;
  bool list = false;
  RunArguments run;
};

std::string parameters_in_words(const SimulationDesign& design) {
  std::string words;
  for (const auto& parameter : design.parameters) {
    words += fmt::format("{}{}={}", words.empty() ? "" : " ", parameter.name, parameter.fallback);
  }
  return words;
}

std::string list_of_designs() {
  std::string text;
  for (const SimulationDesign& design : experiments::simulation_designs()) {
    text += fmt::format("{} ({})\n    {}\n    from {}\n", design.name, design.family, design.summary, design.paper);
    if (!design.parameters.empty()) text += fmt::format("    --set {}\n", parameters_in_words(design));
  }
  return text;
}

std::string json_list() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SimulationDesign& design : experiments::simulation_designs()) {
    nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
    for (const auto& parameter : design.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"meaning", parameter.meaning},
                            {"default", parameter.fallback},
                            {"minimum", parameter.minimum},
                            {"maximum", parameter.maximum},
                            {"whole", parameter.whole}});
    }
    list.push_back({{"name", design.name},
                    {"summary", design.summary},
                    {"paper", design.paper},
                    {"family", design.family},
                    {"parameters", parameters}});
  }
  return list.dump(2) + "\n";
}

std::map<std::string, double> parse_parameters(const std::vector<std::string>& settings) {
  std::map<std::string, double> values;
  for (const std::string& setting : settings) {
    const auto [name, text] = split_setting(setting);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) {
      throw InvalidOption(fmt::format("--set {}: received '{}'; expected a number", name, text));
    }
    if (!values.emplace(name, value).second) {
      throw InvalidOption(fmt::format("--set {}: given more than once; expected a single value", name));
    }
  }
  return values;
}

// Responses first, then the features.
std::string to_csv(const Simulation& simulation, const SimulatedSet& set) {
  CsvText csv;
  for (const std::string& name : simulation.response_names) csv.cell(name);
  for (const std::string& name : simulation.feature_names) csv.cell(name);
  csv.end_row();
  for (Index i = 0; i < set.rows(); ++i) {
    for (Index j = 0; j < set.y.cols(); ++j) csv.cell(set.y(i, j));
    for (Index j = 0; j < set.X.cols(); ++j) csv.cell(set.X(i, j));
    csv.end_row();
  }
  return csv.text();
}

// Row by row from columns: the entries of every row are collected first, in rising order of columns.
std::string to_svmlight(const SimulatedSet& set) {
  const SparseColumns& X = *set.sparse;
  std::vector<std::string> entries(X.rows);
  for (Index j = 0; j < X.cols; ++j) {
    for (Index k = X.starts[j]; k < X.starts[j + 1]; ++k) {
      const Index at = k;
      fmt::format_to(std::back_inserter(entries[X.indices[at]]), " {}:{}", j + 1, X.values[at]);
    }
  }
  std::string text;
  for (Index i = 0; i < X.rows; ++i) {
    fmt::format_to(std::back_inserter(text), "{}{}\n", set.y(i, 0), entries[i]);
  }
  return text;
}

void write_set(const SimulateArguments& arguments, const Simulation& simulation, const SimulatedSet& set,
               const std::string& kind) {
  if (set.empty()) return;
  const std::string path = fmt::format("{}.{}.{}", arguments.prefix, kind, set.sparse ? "svm" : "csv");
  write_file_atomically(path, set.sparse ? to_svmlight(set) : to_csv(simulation, set));
  note(arguments.run.quiet, fmt::format("{}: {} rows x {} features", path, set.rows(), set.cols()));
}

int run(const SimulateArguments& arguments) {
  if (arguments.list) {
    print(arguments.run.json ? json_list() : list_of_designs());
    return ExitCode::done;
  }
  if (arguments.design.empty())
    throw InvalidOption("simulate: no design given; run 'tamis simulate --list' to list them");
  if (arguments.prefix.empty()) throw InvalidOption("simulate: --output PREFIX is required");
  const std::map<std::string, double> parameters = parse_parameters(arguments.settings);
  check_writable(arguments.prefix + ".train.csv");
  with_threads(arguments.run.threads, [&] {
    const Simulation simulation = experiments::simulate(arguments.design, arguments.seed, parameters);
    write_set(arguments, simulation, simulation.train, "train");
    write_set(arguments, simulation, simulation.validation, "validation");
    write_set(arguments, simulation, simulation.test, "test");
    write_file_atomically(arguments.prefix + ".truth.json", experiments::truth_json(simulation));
  });
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<SimulateArguments>();
  parser.option("DESIGN", arguments->design, "name of the design; see --list").group("Design");
  parser.flag("--list", arguments->list, "list all designs with their papers and parameters").group("Design");
  add_repeatable(parser, "--set", arguments->settings, "set a parameter of the design; may be repeated")
      .type_name("NAME=VALUE")
      .group("Design");
  add_seed(parser, arguments->seed, "random seed; the same seed gives the same data (default 1)").group("Design");
  arguments->run.add_threads(parser);
  parser.option("-o,--output", arguments->prefix, "prefix of the output files: PREFIX.train.csv etc.")
      .type_name("PREFIX")
      .group("Output");
  arguments->run.add_json(parser, "with --list: print a JSON array of objects");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command simulate_command() {
  return {.name = "simulate",
          .summary = "generate the synthetic data sets of the papers",
          .usage = "DESIGN --seed S -o PREFIX [--set NAME=VALUE]... | --list",
          .purpose =
              "Generates one data set of a design: PREFIX.train.csv, PREFIX.validation.csv and PREFIX.test.csv "
              "(those the design defines; .svm for sparse designs), and PREFIX.truth.json with the true coefficients.",
          .examples =
              "tamis simulate --list\n"
              "tamis simulate vg.example1 --seed 1 -o demo\n"
              "tamis fit demo.train.csv --target y --method lasso --validation demo.validation.csv",
          .prepare = prepare};
}

}  // namespace tamis::app
