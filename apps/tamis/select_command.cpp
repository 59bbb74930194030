// tamis select: the features that a model has found.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "output.hpp"
#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/method/method.hpp"
#include "tamis/report/printable.hpp"
#include "tamis/report/text.hpp"

namespace tamis::app {
namespace {

struct SelectArguments {
  std::string model;
  std::optional<double> fdr;
  std::optional<double> threshold;
  std::optional<Index> top;
  bool sets = false;
  std::optional<double> level;
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

// Sets of the level that was asked for, or as the fit has them.
std::vector<CredibleSet> sets_of(const SelectArguments& arguments, const Fit& fit) {
  const bool none = fit.credible_sets.empty() && fit.set_candidates.features.empty();
  const auto known = methods();
  const auto draws_models = [&](const Method* each) { return each->name() == fit.method && each->is_sampler(); };
  if (none && std::ranges::none_of(known, draws_models)) {
    throw InvalidOption(fmt::format(
        "--sets: method {} draws no models to make credible sets from; fit a sampler (gibbs)", printable(fit.method)));
  }
  return arguments.level ? credible_sets(fit.set_candidates, *arguments.level) : fit.credible_sets;
}

std::string set_lines(const Fit& fit, const std::vector<CredibleSet>& sets) {
  std::string text;
  for (Index s = 0; s < std::ssize(sets); ++s) {
    for (Index k = 0; k < std::ssize(sets[s].features); ++k) {
      const Index j = sets[s].features[k];
      text += fmt::format("{}\t{}\t{}\t{}\t{:.4g}\t{:.4g}\n", s + 1, printable(fit.features[j]), sets[s].inclusion[k],
                          fit.coefficients[j], sets[s].probability, sets[s].purity);
    }
  }
  return text;
}

std::string json_sets(const Fit& fit, const std::vector<CredibleSet>& sets) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const CredibleSet& set : sets) {
    std::vector<std::string> names;
    for (const Index j : set.features) names.push_back(fit.features[j]);
    list.push_back({{"features", names},
                    {"inclusion", set.inclusion},
                    {"probability", set.probability},
                    {"purity", set.purity},
                    {"size", set.features.size()},
                    {"correlation", set.correlation}});
  }
  return list.dump(2) + "\n";
}

int list_sets(const SelectArguments& arguments, const Fit& fit) {
  const std::vector<CredibleSet> sets = sets_of(arguments, fit);
  print(arguments.run.json ? json_sets(fit, sets) : set_lines(fit, sets));
  if (sets.empty()) note(arguments.run.quiet, "no features or groups of correlated features reach the level");
  for (Index s = 0; s < std::ssize(sets); ++s) {
    note(arguments.run.quiet, fmt::format("set {}: {}", s + 1, text_of(fit, sets[s])));
  }
  return ExitCode::done;
}

int run(const SelectArguments& arguments) {
  const Fit fit = load(arguments.model);
  if (arguments.level && !arguments.sets) throw InvalidOption("--level: applies to credible sets; add --sets");
  if (arguments.sets) return list_sets(arguments, fit);
  if (arguments.fdr && fit.inclusion_kind == InclusionKind::approximate) {
    note(arguments.run.quiet, fmt::format("the inclusion probabilities of {} are approximate, and so is the rate: it "
                                          "may be much larger where features are correlated",
                                          fit.method));
  }
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
  Argument sets =
      parser.flag("--sets", arguments->sets, "credible sets: few features each, at least one of which matters");
  sets.excludes(fdr).excludes(threshold).excludes(top).group("Selection rule (at most one)");
  parser
      .option("--level", arguments->level,
              "with --sets: probability that a set holds a feature that matters, 0.5 to 1 (default: that of the fit, "
              "0.95)")
      .range(lowest_set_level, 1.0)
      .type_name("P")
      .group("Selection rule (at most one)");
  fdr.excludes(threshold).excludes(top).type_name("RATE").group("Selection rule (at most one)");
  threshold.excludes(top).type_name("P").group("Selection rule (at most one)");
  top.type_name("K").group("Selection rule (at most one)");
  arguments->run.add_json(parser, "print a JSON array of objects");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command select_command() {
  return {.name = "select",
          .summary = "list the features selected by a model",
          .usage = "MODEL [--fdr RATE | --threshold P | --top K | --sets [--level P]] [--json]",
          .purpose =
              "Prints one line per selected feature, strongest first: name, inclusion probability (NA for methods "
              "that do not define one) and coefficient, separated by tabs. With --sets one line per feature of a "
              "credible set: number of the set, name, inclusion probability, coefficient, probability that a feature "
              "of the set matters, and smallest correlation (absolute) in it; on standard error each set in words.",
          .examples =
              "tamis select model.json --top 10\n"
              "tamis select model.json --fdr 0.05 | cut -f1\n"
              "tamis select model.json --sets --level 0.9",
          .prepare = prepare};
}

}  // namespace tamis::app
