// tamis compare: several methods on the same folds of one file.
// Order      options and output path are checked first, the data are read once, then everything is fitted; a comparison
//            that was cancelled is reported with its finished folds.
// Options    --set names the method (lasso.tolerance=1e-8), as several methods have options of the same name.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

struct CompareArguments {
  DataArguments data;
  RunArguments run;
  ModelArguments model;
  std::vector<std::string> methods;  // empty: those that suit the data
  std::vector<std::string> settings;
  int folds = 10;
  int inner_folds = 10;
  std::string output;
};

// What --set says, by method: each is method.option=value.
using Settings = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

Settings split_by_method(const CompareArguments& arguments) {
  Settings settings;
  for (const std::string& setting : arguments.settings) {
    const auto [name, value] = split_setting(setting);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
      throw InvalidOption(
          fmt::format("--set: received '{}'; expected METHOD.OPTION=VALUE, such as vg.steps=30", setting));
    }
    const std::string owner = name.substr(0, dot);
    static_cast<void>(method(owner));
    if (!arguments.methods.empty() && std::ranges::find(arguments.methods, owner) == arguments.methods.end()) {
      throw InvalidOption(
          fmt::format("--set {}: {} is not one of the methods compared; add it to --methods", setting, owner));
    }
    settings[owner].emplace_back(name.substr(dot + 1), value);
  }
  return settings;
}

// A method with its options and, where it has that option, the groups that a file names.
struct Chosen {
  std::string name;
  std::map<std::string, OptionValue> options;
  std::vector<Index> groups;
};

std::map<std::string, std::map<std::string, OptionValue>> parse_options(const CompareArguments& arguments) {
  std::map<std::string, std::map<std::string, OptionValue>> options;
  for (const std::string& name : arguments.methods) static_cast<void>(method(name));
  for (const auto& [owner, settings] : split_by_method(arguments)) {
    options[owner] = parse_settings(method(owner), settings);
  }
  return options;
}

std::vector<Chosen> choose(const std::vector<std::string>& names,
                           const std::map<std::string, std::map<std::string, OptionValue>>& options,
                           const std::vector<std::string>& features) {
  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    Chosen& one = chosen.emplace_back(Chosen{name, {}, {}});
    if (const auto given = options.find(name); given != options.end()) one.options = given->second;
    if (const auto groups = one.options.find("groups"); groups != one.options.end()) {
      one.groups = read_groups(std::get<std::string>(groups->second), features);
    }
  }
  return chosen;
}

Comparison run_comparison(const CompareArguments& arguments, const Dataset& data,
                          const std::map<std::string, std::map<std::string, OptionValue>>& options) {
  const Problem problem{.X = *data.X,
                        .y = data.y,
                        .likelihood = choose_family(arguments.model, data, arguments.run.quiet),
                        .weights = data.weights,
                        .offset = data.offset,
                        .intercept = !arguments.model.no_intercept,
                        .standardize = !arguments.model.no_standardize,
                        .feature_names = data.features,
                        .more_responses = data.more_y};
  SuitableMethods suitable{arguments.methods, {}};
  if (suitable.methods.empty()) suitable = suitable_methods(problem);
  // Setting an option of a method asks for that method, whatever its cost.
  for (const auto& [name, unused] : options) {
    if (std::ranges::find(suitable.methods, name) != suitable.methods.end()) continue;
    suitable.methods.push_back(name);
    std::erase_if(suitable.left_out, [&, &n = name](const LeftOut& one) { return one.method == n; });
  }
  const std::vector<Chosen> chosen = choose(suitable.methods, options, data.features);
  std::vector<Contender> contenders;
  contenders.reserve(chosen.size());
  for (const Chosen& one : chosen) contenders.push_back({one.name, one.options, one.groups});
  ProgressBar progress(arguments.model.progress_mode(arguments.run.quiet));
  Comparison comparison = compare(problem, contenders, arguments.folds,
                                  {.seed = arguments.model.seed,
                                   .threads = arguments.run.threads,
                                   .folds = arguments.inner_folds,
                                   .observer = &progress});
  comparison.target = data.target;
  comparison.levels = data.levels;
  comparison.left_out = suitable.left_out;
  return comparison;
}

int run(const CompareArguments& arguments) {
  const auto options = parse_options(arguments);
  if (!arguments.model.family.empty()) static_cast<void>(family(arguments.model.family));
  check_writable(arguments.output);
  check_not_input(arguments.output, arguments.data.path);
  const Dataset data = read_data(arguments.data.path, arguments.data.read, arguments.model, arguments.run);
  tell_about_missing(data, arguments.data.path, "the column mean", arguments.run.quiet);

  const InterruptGuard guard;  // from here on there is something to show
  const Comparison comparison = run_comparison(arguments, data, options);
  if (!arguments.output.empty()) {
    deliver(arguments.output, to_html(comparison_page(comparison)));
    note(arguments.run.quiet, fmt::format("report written to {}", arguments.output));
  }
  print(arguments.run.json ? to_json(comparison) : text_report(comparison));
  const bool useful =
      std::ranges::any_of(comparison.methods, [](const ComparedMethod& m) { return m.error.has_value(); });
  if (comparison.cancelled) note(arguments.run.quiet, "cancelled: results are for the folds finished so far");
  if (!comparison.cancelled && !useful) note(false, "no method could be evaluated; see the reasons above");
  return comparison.cancelled || !useful ? ExitCode::not_converged : ExitCode::done;
}

void add_method_options(Parser& parser, CompareArguments& arguments) {
  add_names(parser, "--methods", arguments.methods,
            "methods to compare: " + method_names() + " (default: those suited to the family and the size of the data)")
      .check([](const std::string& text) { return split_names(text).empty() ? "expected at least one method" : ""; })
      .type_name("A,B,...")
      .group("Model");
  arguments.model.add_family(parser);
  add_repeatable(parser, "--set", arguments.settings,
                 "set an option of a method, such as vg.steps=30 (see 'tamis methods M'); may be repeated")
      .type_name("METHOD.OPTION=VALUE")
      .group("Model");
  arguments.model.add_intercept_and_standardize(parser);
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<CompareArguments>();
  arguments->data.add_path(parser);
  parser.option("--target", arguments->data.read.target, "response column; .svm and .npz files contain the response")
      .type_name("NAME")
      .group("Data");
  arguments->data.add_weights_and_exclude(parser);
  arguments->data.add_offset(parser);
  arguments->data.add_missing(parser);
  arguments->data.add_response(parser);
  add_method_options(parser, *arguments);
  parser.option("--cv", arguments->folds, "number of cross-validation folds, the same for all methods (default 10)")
      .check(folds_check(2))
      .type_name("K")
      .group("Cross-validation");
  parser
      .option("--inner-cv", arguments->inner_folds,
              "number of inner folds, for methods that choose a tuning parameter (default 10); 0: no "
              "cross-validation; use the last point of the path")
      .check(folds_check(0))
      .type_name("K")
      .group("Cross-validation");
  arguments->model.add_seed(parser);
  arguments->run.add_threads(parser);
  arguments->model.add_progress(parser);
  parser
      .option("-o,--output", arguments->output,
              "write a report (HTML) with the tables, the errors of each fold, calibration and the selected features")
      .type_name("FILE")
      .group("Output");
  arguments->run.add_json(parser, "print the comparison as JSON instead of tables");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .summary =
              "compare methods by cross-validation on the same folds: prediction error, calibration and "
              "selected features",
          .usage = "DATA --target NAME [--methods A,B,...] [-o page.html] [options]",
          .purpose =
              "Splits the rows into folds, fits every method to all folds but one (tuning parameters are chosen by "
              "inner cross-validation) and evaluates it on the held-out fold: prediction error, log score, "
              "calibration, number and stability of the selected features, time. Fits to all rows then show which "
              "features each method selects and how far the methods agree. A method that fails is listed with the "
              "reason. Ctrl-C stops a long run and reports the folds finished so far.",
          .examples =
              "tamis compare diabetes.csv --target progression -o compared.html\n"
              "tamis compare survey.csv --target bought --methods lasso,vg,ard --cv 5 --set vg.steps=30 --json",
          .prepare = prepare};
}

}  // namespace tamis::app
