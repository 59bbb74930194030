// tamis select: the features that a model has found.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "output.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/report/printable.hpp"

namespace tamis::app {
namespace {

struct SelectArguments {
  std::string model;
  std::optional<double> fdr;
  std::optional<double> threshold;
  std::optional<Index> top;
  RunArguments run;
};

std::vector<Selected> chosen_by(const SelectArguments& arguments, const Fit& fit) {
  if (arguments.fdr) return select_by_fdr(fit, *arguments.fdr);
  if (arguments.top) return select_top(fit, *arguments.top);
  return select_by_threshold(fit, arguments.threshold.value_or(0.5));
}

// An inclusion probability is shown only where the method defines one.
std::string lines(const Fit& fit, const std::vector<Selected>& chosen) {
  std::string text;
  for (const Selected& s : chosen) {
    text += fmt::format("{}\t{}\t{}\n", printable(fit.features[s.feature]),
                        fit.inclusion.empty() ? "NA" : fmt::format("{}", s.inclusion), s.coefficient);
  }
  return text;
}

std::string json_list(const Fit& fit, const std::vector<Selected>& chosen) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Selected& s : chosen) {
    list.push_back(
        {{"feature", fit.features[s.feature]},
         {"inclusion", fit.inclusion.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(s.inclusion)},
         {"coefficient", s.coefficient}});
  }
  return list.dump(2) + "\n";
}

int run(const SelectArguments& arguments) {
  const Fit fit = load(arguments.model);
  const std::vector<Selected> chosen = chosen_by(arguments, fit);
  print(arguments.run.json ? json_list(fit, chosen) : lines(fit, chosen));
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<SelectArguments>();
  parser.option("MODEL", arguments->model, "model file written by 'tamis fit -o'").required().group("Data");
  Argument fdr = parser.option("--fdr", arguments->fdr,
                               "the largest set of features with an expected false discovery rate of at most RATE");
  Argument threshold = parser.option(
      "--threshold", arguments->threshold,
      "features with inclusion probability at least P (default 0.5); for methods without inclusion probabilities: all "
      "nonzero coefficients");
  Argument top = parser.option("--top", arguments->top, "the K strongest features");
  fdr.excludes(threshold).excludes(top).type_name("RATE").group("Selection rule (at most one)");
  threshold.excludes(top).type_name("P").group("Selection rule (at most one)");
  top.type_name("K").group("Selection rule (at most one)");
  arguments->run.add_json(parser, "print a JSON array of objects");
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command select_command() {
  return {.name = "select",
          .summary = "list the features selected by a model",
          .usage = "MODEL [--fdr RATE | --threshold P | --top K] [--json]",
          .purpose =
              "Prints one line per selected feature, strongest first: name, inclusion probability (NA for methods "
              "that do not define one) and coefficient, separated by tabs.",
          .examples =
              "tamis select model.json --top 10\n"
              "tamis select model.json --fdr 0.05 | cut -f1",
          .prepare = prepare};
}

}  // namespace tamis::app
