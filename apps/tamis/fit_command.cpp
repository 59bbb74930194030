// tamis fit: one method on one file.
// Order      everything that can be refused cheaply is refused first: method, options, output paths; then the data,
//            then the fit. The model is saved before the table is printed, so that a closed pipe does not lose it.
// Signals    Ctrl-C during the fit keeps the best state; the exit code says that it has not converged.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "command.hpp"
#include "exit_code.hpp"
#include "interrupt.hpp"
#include "model_arguments.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

// Its inclusion probabilities are calibrated, with Monte Carlo errors (docs/methods/bvs.md).
constexpr std::string_view default_method = "bvs";

struct FitArguments {
  DataArguments data;
  RunArguments run;
  ModelArguments model;
  std::string method;
  std::vector<std::string> settings;
  std::string validation;
  std::string penalty_factors;
  std::string components;
  std::string feature_priors;
  int folds = 10;
  std::string output;
  std::string checkpoint;
  double checkpoint_seconds = 30;
  std::string draws;
};

std::map<std::string, OptionValue> parse_options(const Method& method, const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(settings.size());
  for (const std::string& setting : settings) pairs.push_back(split_setting(setting));
  return parse_settings(method, pairs);
}

// The held-out file, with its columns in the order of the training data.
struct HeldOut {
  Dataset data;
  std::shared_ptr<const Design> X;
};

std::optional<HeldOut> read_validation(const FitArguments& arguments, const Dataset& training) {
  if (arguments.validation.empty()) return std::nullopt;
  ReadOptions read = arguments.data.read;
  read.features = training.features;
  read.levels = training.levels;
  if (read.missing == Missing::mean) read.means = column_moments(*training.X, training.weights).mean;
  HeldOut held_out{read_data(arguments.validation, read, arguments.model, arguments.run), nullptr};
  tell_about_missing(held_out.data, arguments.validation, "the column means of the training data", arguments.run.quiet);
  if (held_out.data.levels != training.levels) {
    const auto kind = [](const Dataset& data) { return data.levels.empty() ? "numeric" : "text"; };
    throw InvalidInput(
        fmt::format("{}: target \"{}\" is {}, but {} in the training data; code it the same in both files",
                    arguments.validation, training.target, kind(held_out.data), kind(training)));
  }
  held_out.X = align(held_out.data, training.features);
  return held_out;
}

struct Inputs {
  Dataset data;
  std::vector<double> penalty_factors;
  std::vector<double> feature_priors;
  std::vector<Index> groups;
  ComponentFile components;
  std::optional<HeldOut> held_out;
};

Inputs read_inputs(const FitArguments& arguments, const std::map<std::string, OptionValue>& options) {
  Inputs inputs{read_data(arguments.data.path, arguments.data.read, arguments.model, arguments.run),
                {},
                {},
                {},
                {},
                std::nullopt};
  tell_about_missing(inputs.data, arguments.data.path, "the column mean", arguments.run.quiet);
  if (!arguments.penalty_factors.empty()) {
    inputs.penalty_factors = read_penalty_factors(arguments.penalty_factors, inputs.data.features);
  }
  if (!arguments.feature_priors.empty()) {
    inputs.feature_priors = read_feature_priors(arguments.feature_priors, inputs.data.features);
  }
  if (const auto groups = options.find("groups"); groups != options.end()) {
    inputs.groups = read_groups(std::get<std::string>(groups->second), inputs.data.features);
  }
  if (!arguments.components.empty()) {
    inputs.components = read_components(arguments.components, inputs.data.features, inputs.data.X->rows());
  }
  inputs.held_out = read_validation(arguments, inputs.data);
  return inputs;
}

Fit run_method(const FitArguments& arguments, const Method& method, const std::map<std::string, OptionValue>& options,
               const Inputs& inputs) {
  const Dataset& data = inputs.data;
  const Problem problem{.X = *data.X,
                        .y = data.y,
                        .likelihood = choose_family(arguments.model, data, arguments.run.quiet),
                        .weights = data.weights,
                        .offset = data.offset,
                        .intercept = !arguments.model.no_intercept,
                        .standardize = !arguments.model.no_standardize,
                        .penalty_factors = inputs.penalty_factors,
                        .feature_priors = inputs.feature_priors,
                        .feature_names = data.features,
                        .groups = inputs.groups,
                        .more_responses = data.more_y,
                        .more_targets = data.more_targets,
                        .components = inputs.components.components};
  ProgressBar progress(arguments.model.progress_mode(arguments.run.quiet));
  Control control{
      .seed = arguments.model.seed, .threads = arguments.run.threads, .folds = arguments.folds, .observer = &progress};
  if (inputs.held_out) {
    const Dataset& held_out = inputs.held_out->data;
    control.validation = {inputs.held_out->X.get(), held_out.y, held_out.weights, held_out.offset};
  }
  control.checkpoint = arguments.checkpoint;
  control.checkpoint_seconds = arguments.checkpoint_seconds;
  Draws draws;
  if (!arguments.draws.empty()) control.draws = &draws;
  Fit fit = method.fit(problem, options, control);
  if (control.draws != nullptr) write_draws(arguments.draws, draws);
  fit.target = data.target;
  fit.levels = data.levels;
  fit.offset = arguments.data.read.offset;
  return fit;
}

const Method& choose_method(const FitArguments& arguments) {
  if (!arguments.method.empty()) return method(arguments.method);
  note(arguments.run.quiet, fmt::format("method {} (default; use --method to choose another)", default_method));
  return method(default_method);
}

int run(const FitArguments& arguments) {
  const Method& chosen = choose_method(arguments);
  const std::map<std::string, OptionValue> options = parse_options(chosen, arguments.settings);
  if (!arguments.model.family.empty()) static_cast<void>(family(arguments.model.family));
  if (!arguments.penalty_factors.empty() && !chosen.uses_penalty_factors()) {
    throw InvalidOption(
        fmt::format("--penalty-factors: method {} has no penalty to scale; omit the option", chosen.name()));
  }
  if (!arguments.components.empty() && !chosen.uses_components()) {
    throw InvalidOption(
        fmt::format("--components: method {} does not support covariance components; use --method ard", chosen.name()));
  }
  if (!arguments.feature_priors.empty() && !chosen.uses_feature_priors()) {
    throw InvalidOption(fmt::format(
        "--feature-priors: method {} has no prior for each feature; omit the option or use bvs", chosen.name()));
  }
  for (const std::string& output : {arguments.output, arguments.draws, arguments.checkpoint}) {
    check_writable(output);
    check_not_input(output, arguments.data.path);
  }
  const Inputs inputs = read_inputs(arguments, options);

  const InterruptGuard guard;  // from here on there is something to save
  const Fit fit = run_method(arguments, chosen, options, inputs);
  if (!arguments.output.empty()) {
    save(fit, arguments.output);
    note(arguments.run.quiet, fmt::format("model written to {}", arguments.output));
  }
  print(arguments.run.json ? to_json(fit) : text_report(fit));
  if (fit.status == Status::converged) return ExitCode::done;
  note(arguments.run.quiet, fmt::format("not converged ({}): {}", name_of(fit.status), fit.message));
  return ExitCode::not_converged;
}

void add_model_options(Parser& parser, FitArguments& arguments) {
  parser
      .option("--method", arguments.method,
              fmt::format("one of: {}; default {}, calibrated but slower than a lasso", method_names(), default_method))
      .type_name("M")
      .group("Model");
  arguments.model.add_family(parser);
  add_repeatable(parser, "--set", arguments.settings,
                 "set an option of the method (see 'tamis methods M'); may be repeated")
      .type_name("NAME=VALUE")
      .group("Model");
  parser
      .option("--penalty-factors", arguments.penalty_factors,
              "CSV file with columns feature,factor: multiplies the penalty of the listed features (0: not "
              "penalized; default 1); only for methods with a penalty")
      .type_name("FILE")
      .group("Model");
  parser
      .option("--components", arguments.components,
              "covariance components of the prior: an NPZ file with an array per component, or a folder of .npy and "
              ".csv files; an array with one row per feature is a factor L (covariance L L' of the coefficients), one "
              "of rows x rows a kernel of the rows, such as a kinship matrix; a name may say which by the prefix "
              "features: or rows:; only for method ard")
      .type_name("FILE")
      .group("Model");
  parser
      .option("--feature-priors", arguments.feature_priors,
              "CSV file with columns feature,prior_inclusion: prior probability of the listed features to be included "
              "(0: never, 1: always); the others share the method's prior; only for bvs and gibbs")
      .type_name("FILE")
      .group("Model");
  arguments.model.add_intercept_and_standardize(parser);
}

void add_search_options(Parser& parser, FitArguments& arguments) {
  Argument cv = parser
                    .option("--cv", arguments.folds,
                            "number of cross-validation folds, for methods that choose a tuning parameter (default "
                            "10); 0: no cross-validation; return the last point of the path")
                    .check(folds_check(0))
                    .type_name("K")
                    .group("Tuning");
  parser
      .option("--validation", arguments.validation,
              "validation data: choose the tuning parameter on this file instead of by cross-validation")
      .excludes(cv)
      .type_name("FILE")
      .group("Tuning");
}

void add_run_options(Parser& parser, FitArguments& arguments) {
  arguments.model.add_seed(parser);
  arguments.run.add_threads(parser);
  parser
      .option("--checkpoint", arguments.checkpoint,
              "checkpoint file of a sampler; resumes from it if it exists, with the same draws as an uninterrupted run")
      .type_name("FILE")
      .group("Running");
  parser
      .option("--checkpoint-seconds", arguments.checkpoint_seconds,
              "minimum number of seconds between checkpoints (default 30)")
      .not_negative()
      .type_name("S")
      .group("Running");
  arguments.model.add_progress(parser);
  parser.option("-o,--output", arguments.output, "write the model to this file (JSON)")
      .type_name("FILE")
      .group("Output");
  parser
      .option("--draws", arguments.draws,
              "write all draws of a sampler for ArviZ: .json for arviz.from_json, or .npz (dimensions chain, draw, "
              "feature)")
      .type_name("FILE")
      .group("Output");
  arguments.run.add_json(parser, "print the model as JSON instead of the table");
  arguments.run.add_quiet(parser);
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<FitArguments>();
  arguments->data.add_path(parser);
  parser
      .option(
          "--target", arguments->data.read.target,
          "response column; several (a,b,c) for methods that fit multiple responses (ard); .svm and .npz files contain "
          "the response")
      .type_name("NAME")
      .group("Data");
  arguments->data.add_weights_and_exclude(parser);
  arguments->data.add_offset(parser);
  arguments->data.add_missing(parser);
  arguments->data.add_response(parser);
  add_model_options(parser, *arguments);
  add_search_options(parser, *arguments);
  add_run_options(parser, *arguments);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command fit_command() {
  return {.name = "fit",
          .summary = "fit a sparse regression model and show the selected features",
          .usage = "DATA --target NAME --method M [options]",
          .purpose =
              "Fits a sparse regression of the target on all other columns and prints the selected features, "
              "strongest first: inclusion probability, coefficient, standard deviation and 95% interval, where the "
              "method defines them. Text columns are one-hot coded with names column=level. Coefficients are on the "
              "original scale of the data. Ctrl-C stops a long fit and keeps the best state so far.",
          .examples =
              "tamis fit diabetes.csv --target progression --method lasso -o model.json\n"
              "tamis fit survey.csv.gz --target bought --family bernoulli --method elastic-net \\\n"
              "    --set l1_ratio=0.5 --exclude id,date --cv 5 --missing mean",
          .prepare = prepare};
}

}  // namespace tamis::app
