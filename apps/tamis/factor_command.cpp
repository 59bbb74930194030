// tamis factor: a sparse factor model of a whole table.
// Order      options and output paths are checked before the data are read; the model is saved before imputed tables
//            are formatted.
// Cells      missing cells are imputed by the model; cells held out by --holdout or a file of test cells are scored and
//            keep their values in the completed table.
// Memory     sparse tables stay sparse; the completed table is written row by row from columns.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/io/write_csv.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

struct FactorArguments {
  std::string path;
  std::vector<std::string> exclude;
  std::string family;
  std::string factors;
  std::string prior = "spike-slab";
  std::vector<std::string> settings;
  double holdout = 0;
  std::string test_cells;
  bool no_intercept = false;
  bool no_standardize = false;
  std::uint64_t seed = 1;
  std::string progress = "auto";
  std::string output;
  std::string completed;
  std::string intervals;
  std::string checkpoint;
  double checkpoint_seconds = 30;
  RunArguments run;
};

std::map<std::string, OptionValue> parse_settings(const FactorPrior& prior, const std::vector<std::string>& settings) {
  const std::vector<Field> fields = prior.fields();
  std::map<std::string, OptionValue> values;
  for (const std::string& setting : settings) {
    const auto [name, text] = split_setting(setting);
    if (values.contains(name))
      throw InvalidOption(fmt::format("--set {}: given more than once; expected a single value", name));
    const auto field = std::ranges::find(fields, name, &Field::name);
    values[name] = field != fields.end() ? parse_option(*field, text) : OptionValue(text);
  }
  static_cast<void>(Options(prior.name(), fields, values));  // refuses now, before the data are read
  return values;
}

std::vector<Index> parse_factors(const std::string& text) {
  std::vector<Index> counts;
  for (const std::string& word : split_names(text)) {
    Index count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    if (error != std::errc() || end != word.data() + word.size() || count < 1) {
      throw InvalidOption(
          fmt::format("--factors: received '{}'; expected a positive integer or a list such as 2,4,8", word));
    }
    counts.push_back(count);
  }
  if (counts.empty()) throw InvalidOption("--factors: expected a positive integer or a list such as 2,4,8");
  return counts;
}

bool is_empty(const CellTable& table, Index d) {
  const auto is_hole = [](double x) { return std::isnan(x); };
  if (!table.sparse) return std::ranges::all_of(table.dense().column(d), is_hole);
  const auto first = table.sparse->starts[d];
  const auto last = table.sparse->starts[d + 1];
  return last - first == table.rows &&
         std::all_of(table.sparse->values.begin() + first, table.sparse->values.begin() + last, is_hole);
}

// Columns without observations do not affect the fit, but values imputed there look like any others.
void note_empty_columns(const FactorArguments& arguments, const CellTable& table) {
  std::string first;
  Index count = 0;
  for (Index d = 0; d < table.cols(); ++d) {
    if (!is_empty(table, d)) continue;
    if (count++ == 0) first = table.names[d];
  }
  if (count == 0) return;
  note(arguments.run.quiet,
       fmt::format("column \"{}\"{} no observed values, so values imputed there are uninformative; use --exclude to "
                   "drop columns",
                   first, count == 1 ? " has" : fmt::format(" and {} more have", count - 1)));
}

FactorProblem problem_of(const FactorArguments& arguments, const CellTable& table) {
  FactorProblem problem;
  if (table.sparse) {
    problem.sparse = &*table.sparse;
  } else {
    problem.dense = table.dense();
  }
  problem.family = arguments.family;
  if (problem.family.empty()) {
    const FamilyGuess guess = guess_family(problem);
    problem.family = guess.family;
    note_guessed_family(arguments.run.quiet, guess.family,
                        guess.because.empty() ? "the table" : "the table, " + guess.because);
  }
  problem.intercept = !arguments.no_intercept;
  problem.standardize = !arguments.no_standardize;
  problem.column_names = table.names;
  if (!arguments.test_cells.empty()) {
    for (const ListedCell& cell : read_cell_list(arguments.test_cells, table.names, table.rows)) {
      problem.test_cells.push_back({cell.row, cell.column, cell.value});
    }
  }
  if (arguments.holdout != 0) problem.test_cells = draw_test_cells(problem, arguments.holdout, arguments.seed);
  return problem;
}

// The table with its missing cells imputed; cells that were only held out keep their values.
std::string completed_csv(const CellTable& table, const std::vector<PredictedCell>& cells) {
  std::vector<double> row(table.names.size());
  CsvText csv;
  for (const std::string& name : table.names) csv.cell(name);
  csv.end_row();
  std::vector<Index> next;  // of each sparse column, the first entry that is not written yet
  if (table.sparse) next.assign(table.sparse->starts.begin(), table.sparse->starts.end() - 1);
  auto predicted = cells.begin();
  for (Index n = 0; n < table.rows; ++n) {
    for (Index d = 0; d < std::ssize(row); ++d) {
      if (!table.sparse) {
        row[d] = table.dense()(n, d);
        continue;
      }
      row[d] = 0;
      if (next[d] < table.sparse->starts[d + 1] && table.sparse->indices[next[d]] == n) {
        row[d] = table.sparse->values[next[d]++];
      }
    }
    for (; predicted != cells.end() && predicted->row == n; ++predicted) {
      double& cell = row[predicted->column];
      if (std::isnan(cell)) cell = predicted->mean;
    }
    for (const double value : row) csv.cell(value);
    csv.end_row();
  }
  return csv.text();
}

std::string intervals_csv(const CellTable& table, const std::vector<PredictedCell>& cells) {
  CsvText csv;
  for (const char* name : {"row", "column", "mean", "sd", "lower", "upper"}) csv.cell(std::string_view(name));
  csv.end_row();
  for (const PredictedCell& cell : cells) {
    csv.cell(static_cast<double>(cell.row + 1)).cell(table.names[cell.column]);
    csv.cell(cell.mean).cell(cell.sd).cell(cell.lower).cell(cell.upper);
    csv.end_row();
  }
  return csv.text();
}

FactorResult run_prior(const FactorArguments& arguments, const FactorPrior& prior,
                       const std::map<std::string, OptionValue>& options, const std::vector<Index>& factors,
                       const CellTable& table) {
  FactorProblem problem = problem_of(arguments, table);
  ProgressBar progress(arguments.run.quiet && arguments.progress == "auto" ? "never" : arguments.progress);
  const FactorControl control{.seed = arguments.seed,
                              .threads = arguments.run.threads,
                              .predict_cells = !arguments.completed.empty() || !arguments.intervals.empty(),
                              .checkpoint = arguments.checkpoint,
                              .checkpoint_seconds = arguments.checkpoint_seconds,
                              .observer = &progress};
  if (factors.size() > 1) return fit_best_factors(prior, std::move(problem), factors, options, control);
  problem.factors = factors[0];
  return prior.fit(problem, options, control);
}

// Before any work. Two outputs of one name would leave only the last.
void check_outputs(const FactorArguments& arguments) {
  std::set<std::filesystem::path> seen;
  for (const std::string& path : {arguments.output, arguments.completed, arguments.intervals, arguments.checkpoint}) {
    if (path.empty()) continue;
    check_writable(path);
    check_not_input(path, arguments.path);
    if (!arguments.test_cells.empty()) check_not_input(path, arguments.test_cells);
    if (!seen.insert(std::filesystem::absolute(path).lexically_normal()).second) {
      throw InvalidOption(fmt::format("{}: two outputs have this name; give each a name of its own", path));
    }
  }
}

int run(const FactorArguments& arguments) {
  const FactorPrior& prior = factor_prior(arguments.prior);
  const std::map<std::string, OptionValue> options = parse_settings(prior, arguments.settings);
  const std::vector<Index> factors = parse_factors(arguments.factors);
  if (!arguments.family.empty()) static_cast<void>(family(arguments.family));
  check_outputs(arguments);
  CellTable table;
  with_threads(arguments.run.threads, [&] { table = read_cells(arguments.path, arguments.exclude); });

  note_empty_columns(arguments, table);
  const InterruptGuard guard;  // from here on there is something to save
  const FactorResult result = run_prior(arguments, prior, options, factors, table);
  const FactorFit& fit = result.fit;
  if (!arguments.output.empty()) {
    save(fit, arguments.output);
    note(arguments.run.quiet, fmt::format("model written to {}", arguments.output));
  }
  if (!arguments.completed.empty()) write_file_atomically(arguments.completed, completed_csv(table, result.cells));
  if (!arguments.intervals.empty()) write_file_atomically(arguments.intervals, intervals_csv(table, result.cells));
  print(arguments.run.json ? to_json(fit) : text_report(fit));
  if (fit.status == Status::converged) return ExitCode::done;
  note(arguments.run.quiet, fmt::format("not converged ({}): {}", name_of(fit.status), fit.message));
  return ExitCode::not_converged;
}

std::string prior_names() {
  std::string names;
  for (const FactorPrior* each : factor_priors()) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", each->name(), each->summary());
  }
  return names;
}

std::string option_words() {
  std::string words = "set an option of the prior; may be repeated.";
  for (const FactorPrior* each : factor_priors()) {
    words += fmt::format(" {}:", each->name());
    for (const Field& field : each->fields()) words += fmt::format(" {},", field.name);
    words.back() = '.';
  }
  return words;
}

void add_model_options(Parser& parser, FactorArguments& arguments) {
  parser
      .option("--factors", arguments.factors,
              "number of factors, or a list of candidates (2,4,8,16): each is fitted to nine tenths of the cells and "
              "scored on the rest (held-out cells excluded), and the best is refitted to all cells")
      .required()
      .type_name("K[,K...]")
      .group("Model");
  parser.option("--prior", arguments.prior, "prior of the scores (default spike-slab): " + prior_names())
      .type_name("P")
      .group("Model");
  parser
      .option("--family", arguments.family,
              fmt::format("distribution of the cells: {}; default: guessed from the cells and reported",
                          family_choices("0/1")))
      .type_name("F")
      .group("Model");
  add_repeatable(parser, "--set", arguments.settings, option_words()).type_name("NAME=VALUE").group("Model");
  parser.flag("--no-intercept", arguments.no_intercept, "fit without column intercepts").group("Model");
  parser.flag("--no-standardize", arguments.no_standardize, "do not standardize the columns (gaussian)").group("Model");
}

void add_data_options(Parser& parser, FactorArguments& arguments) {
  parser
      .option(
          "DATA", arguments.path,
          "data file: .csv or .tsv (with a header; may be gzipped), .svm, .mtx, .npy or .npz; empty or NA cells are "
          "missing")
      .required()
      .group("Data");
  add_names(parser, "--exclude", arguments.exclude, "columns to exclude; may be repeated")
      .type_name("A,B,...")
      .group("Data");
  Argument cells = parser
                       .option("--test-cells", arguments.test_cells,
                               "CSV file with columns row,column,value (rows counted from 1, columns by name): cells "
                               "to hold out from the fit and score afterwards")
                       .type_name("FILE")
                       .group("Data");
  parser
      .option("--holdout", arguments.holdout,
              "hold out this fraction of the observed cells, drawn at random, and score them")
      .range(0.0, 0.99)
      .excludes(cells)
      .type_name("FRACTION")
      .group("Data");
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<FactorArguments>();
  add_data_options(parser, *arguments);
  add_model_options(parser, *arguments);
  add_seed(parser, arguments->seed, "random seed (default 1)");
  arguments->run.add_threads(parser);
  parser
      .option("--checkpoint", arguments->checkpoint,
              "checkpoint file of a sampler; resumes from it if it exists, with the same draws as an uninterrupted run")
      .type_name("FILE")
      .group("Running");
  parser
      .option("--checkpoint-seconds", arguments->checkpoint_seconds,
              "minimum number of seconds between checkpoints (default 30)")
      .not_negative()
      .type_name("S")
      .group("Running");
  parser
      .option("--progress", arguments->progress,
              "show a progress bar: auto (default; only on a terminal), always or never")
      .one_of({"auto", "always", "never"})
      .type_name("WHEN")
      .group("Running");
  parser.option("-o,--output", arguments->output, "write the model to this file (JSON)")
      .type_name("FILE")
      .group("Output");
  parser.option("--completed", arguments->completed, "write the table with missing cells imputed to this file (CSV)")
      .type_name("FILE")
      .group("Output");
  parser
      .option("--intervals", arguments->intervals,
              "write mean, sd and 95% prediction interval of every missing or held-out cell to this file (CSV)")
      .type_name("FILE")
      .group("Output");
  arguments->run.add_json(parser, "print the model as JSON instead of the table");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command factor_command() {
  return {
      .name = "factor",
      .summary = "fit a sparse factor model to a table, which may have missing cells",
      .usage = "DATA --factors K [options]",
      .purpose =
          "Models every row of a table by a few of K factors shared by all rows, for continuous, binary or count data "
          "with any pattern of missing cells. Prints the factors with the columns of largest loading, scores held-out "
          "cells (negative log probability in bits, RMSE) and imputes missing ones with prediction intervals. Ctrl-C "
          "stops a long fit and keeps the draws so far.",
      .examples =
          "tamis factor ratings.csv --factors 8 --holdout 0.1 -o model.json\n"
          "tamis factor survey.csv --family bernoulli --factors 2,4,8 --prior spike-slab \\\n"
          "    --completed filled.csv --intervals cells.csv",
      .prepare = prepare};
}

}  // namespace tamis::app
