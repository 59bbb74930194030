// tamis reproduce: a table or figure of a paper, our results beside the published ones.
// The experiments are part of the program, so that published results can be checked with the version installed.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/paper_rows.hpp"
#include "experiments/reproduce/views.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

using experiments::Experiment;
using experiments::Replication;
using experiments::Results;

struct ReproduceArguments {
  std::string name;
  bool list = false;
  bool rows = false;
  Index replicates = 0;  // 0: the experiment's
  std::uint64_t seed = 1;
  std::string data;
  std::string folder = ".";
  std::string progress = "auto";
  RunArguments run;
};

std::string replicates_in_words(const Experiment& experiment) {
  switch (experiment.replication) {
    case Replication::single_run:
      return "single run";
    case Replication::calculation:
      return "calculation";
    case Replication::study:
      break;
  }
  return fmt::format("{} replicates", experiment.replicates);
}

std::string list_of_experiments() {
  std::string text;
  for (const Experiment& each : experiments::experiments()) {
    text +=
        fmt::format("{} ({}{})\n", each.name, replicates_in_words(each), each.data.empty() ? "" : ", requires --data");
    for (const std::string& line : {each.title, "from " + each.source, each.shows}) text += "    " + wrapped(line, 4);
    if (!each.data.empty()) text += "    " + wrapped("--data: " + each.data, 4);
    if (!each.table.empty()) text += "    " + wrapped("--data (optional): " + each.table, 4);
  }
  return text;
}

std::string json_list() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Experiment& each : experiments::experiments()) {
    list.push_back({{"name", each.name},
                    {"title", each.title},
                    {"source", each.source},
                    {"shows", each.shows},
                    {"replicates", each.replication == Replication::study ? each.replicates : 1},
                    {"needs_data", !each.data.empty()},
                    {"picture", static_cast<bool>(each.picture)}});
  }
  return list.dump(2) + "\n";
}

std::string path_of(const ReproduceArguments& arguments, std::string_view ending) {
  return (std::filesystem::path(arguments.folder) / (arguments.name + std::string(ending))).string();
}

// Before the work: a folder to write into, made if only it is missing.
void prepare_output(const ReproduceArguments& arguments, const Experiment& experiment) {
  std::error_code error;
  std::filesystem::create_directory(arguments.folder, error);
  if (!std::filesystem::is_directory(arguments.folder)) {
    throw OutputError(fmt::format("{}: cannot create directory: {}", arguments.folder,
                                  error ? error.message() : "a file of that name exists"));
  }
  check_writable(path_of(arguments, ".csv"));
  check_writable(path_of(arguments, ".summary.csv"));
  if (experiment.picture) check_writable(path_of(arguments, ".svg"));
}

std::optional<Dataset> read_data(const ReproduceArguments& arguments, const Experiment& experiment) {
  if (arguments.data.empty()) return std::nullopt;
  if (experiment.data.empty()) {
    if (!experiment.table.empty()) return std::nullopt;
    throw InvalidOption(fmt::format("--data: {} simulates its own data; omit the option", experiment.name));
  }
  std::optional<Dataset> data;
  with_threads(arguments.run.threads, [&] { data = read_dataset(arguments.data, {.target = experiment.target}); });
  return data;
}

std::optional<CellTable> read_table(const ReproduceArguments& arguments, const Experiment& experiment) {
  if (arguments.data.empty() || experiment.table.empty()) return std::nullopt;
  std::optional<CellTable> table;
  with_threads(arguments.run.threads, [&] { table = read_cells(arguments.data); });
  return table;
}

void write_files(const ReproduceArguments& arguments, const Experiment& experiment, const Results& results) {
  std::string written = path_of(arguments, ".csv") + ", " + path_of(arguments, ".summary.csv");
  write_file_atomically(path_of(arguments, ".csv"), experiments::observations_csv(results));
  write_file_atomically(path_of(arguments, ".summary.csv"), experiments::summary_csv(results));
  if (experiment.picture) {
    write_file_atomically(path_of(arguments, ".svg"), to_svg(experiment.picture(results)));
    written += ", " + path_of(arguments, ".svg");
  }
  note(arguments.run.quiet, "results written to " + written);
}

int reproduce(const ReproduceArguments& arguments) {
  const Experiment& chosen = experiments::experiment(arguments.name);
  prepare_output(arguments, chosen);
  const std::optional<Dataset> data = read_data(arguments, chosen);
  const std::optional<CellTable> table = read_table(arguments, chosen);
  const InterruptGuard guard;  // from here on there is something to save
  ProgressBar progress(arguments.run.quiet && arguments.progress == "auto" ? "never" : arguments.progress);
  const Results results = experiments::run(
      chosen, {.replicates = arguments.replicates > 0 ? std::optional(arguments.replicates) : std::nullopt,
               .seed = arguments.seed,
               .threads = arguments.run.threads,
               .data = data ? &*data : nullptr,
               .table = table ? &*table : nullptr,
               .observer = &progress});
  progress.finish();
  if (results.finished > 0) write_files(arguments, chosen, results);
  print(arguments.run.json ? json_view(chosen, results) : text_view(chosen, results));
  if (results.complete()) return ExitCode::done;
  note(arguments.run.quiet, fmt::format("cancelled after {} of {} runs", results.finished, results.trials));
  return ExitCode::not_converged;
}

int run(const ReproduceArguments& arguments) {
  if (arguments.list) {
    print(arguments.run.json ? json_list() : list_of_experiments());
    return ExitCode::done;
  }
  if (arguments.rows) {
    print(experiments::paper_rows_table());
    return ExitCode::done;
  }
  if (arguments.name.empty()) {
    throw InvalidOption("reproduce: no table or figure given; run 'tamis reproduce --list' to list them");
  }
  return reproduce(arguments);
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<ReproduceArguments>();
  parser.option("NAME", arguments->name, "name of the table or figure; see --list").group("Experiment");
  parser.flag("--list", arguments->list, "list all tables and figures, what they measure and their sources")
      .group("Experiment");
  parser
      .flag("--rows", arguments->rows,
            "print what the papers propose, compare with, tabulate and plot, row by row, with commands and results")
      .group("Experiment");
  parser.option("--replicates", arguments->replicates, "number of replicates (default: see --list)")
      .range(Index{1}, Index{1000000})
      .type_name("N")
      .group("Experiment");
  add_seed(parser, arguments->seed,
           "random seed of the first replicate (default 1); replicate K has the data of "
           "'tamis simulate --seed S+K-1'")
      .type_name("S")
      .group("Experiment");
  parser.option("--data", arguments->data, "data file, for experiments that require one (see --list)")
      .type_name("FILE")
      .group("Experiment");
  arguments->run.add_threads(parser);
  parser
      .option("--progress", arguments->progress,
              "show a progress bar: auto (default; only on a terminal), always or never")
      .one_of({"auto", "always", "never"})
      .type_name("WHEN")
      .group("Running");
  parser
      .option("-o,--output", arguments->folder,
              "directory for NAME.csv, NAME.summary.csv and NAME.svg; created if missing (default: current directory)")
      .type_name("DIR")
      .group("Output");
  arguments->run.add_json(parser, "print a JSON object instead of the table; with --list: a JSON array of objects");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command reproduce_command() {
  return {
      .name = "reproduce",
      .summary = "reproduce a table or figure of a paper and compare with the published results",
      .usage = "NAME [options] | --list | --rows",
      .purpose =
          "Simulates the data of a table or figure of a paper, fits the methods as described there, and prints our "
          "results (mean and standard error over replicates) beside the published ones, with the paper's claims and "
          "whether they hold. Writes the results of all replicates to NAME.csv, their summary statistics to "
          "NAME.summary.csv and, for figures, a plot to NAME.svg. Ctrl-C stops a long run and reports the replicates "
          "finished so far.",
      .examples =
          "tamis reproduce --list\n"
          "tamis reproduce vg.table1\n"
          "tamis reproduce vg.fig1 -o pictures",
      .prepare = prepare};
}

}  // namespace tamis::app
