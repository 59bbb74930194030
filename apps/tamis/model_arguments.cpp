// Options of commands that fit regressions: family, standardization, seed, settings of a method.
// Family     guessed from the response if it is not given, and reported, since the guess decides the model; a constant
//            response is refused here, because it is nearly always the wrong column, although methods can fit it.
// Settings   name=value pairs are parsed by the Fields of the method and checked before the data are read: a misspelled
//            option should not cost the time to read a large file.
#include "model_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::app {

std::string family_choices(std::string_view two_classes) {
  std::vector<std::string> choices;
  for (const Family* each : families()) {
    const Family::Response response = each->traits().response;
    choices.push_back(fmt::format("{} ({})", each->name(),
                                  response == Family::Response::binary  ? two_classes
                                  : response == Family::Response::count ? "counts"
                                                                        : "continuous"));
  }
  return joined(std::vector<std::string_view>(choices.begin(), choices.end()), "or");
}

void ModelArguments::add_family(Parser& parser) {
  parser
      .option("--family", family,
              fmt::format("distribution of the response: {}; default: guessed from the response and reported",
                          family_choices("two classes")))
      .type_name("F")
      .group("Model");
}

void ModelArguments::add_intercept_and_standardize(Parser& parser) {
  parser.flag("--no-intercept", no_intercept, "fit without intercept").group("Model");
  parser.flag("--no-standardize", no_standardize, "do not standardize the columns").group("Model");
}

void ModelArguments::add_seed(Parser& parser) {
  app::add_seed(parser, seed, "random seed, also of the cross-validation folds (default 1)");
}

void ModelArguments::add_progress(Parser& parser) {
  parser.option("--progress", progress, "show a progress bar: auto (default; only on a terminal), always or never")
      .one_of({"auto", "always", "never"})
      .type_name("WHEN")
      .group("Running");
}

const Family& choose_family(const ModelArguments& arguments, const Dataset& data, bool quiet) {
  const bool is_guess = arguments.family.empty();
  const Family& family = tamis::family(is_guess ? guess_family(data.y) : arguments.family);
  // Of one class alone or of counts that are all 0 the family says more than that the response is constant.
  if (!is_guess) family.check(data.y, data.weights);
  // A method can fit a constant; a person who asks for it has surely named the wrong column. Without an intercept there
  // is something to explain, unless it is 0.
  const auto is_zero = [](double y) { return y == 0; };
  if (!arguments.no_intercept || std::ranges::all_of(data.y, is_zero)) check_response_varies(data.y, data.weights);
  if (is_guess) note_guessed_family(quiet, family.name(), "the response");
  return family;
}

void note_guessed_family(bool quiet, std::string_view family, std::string_view from) {
  note(quiet, fmt::format("family {} (guessed from {}; use --family to override)", family, from));
}

Dataset read_data(const std::string& path, ReadOptions options, const ModelArguments& model, const RunArguments& run) {
  options.signs_are_classes = model.family.empty() || family(model.family).is_binary();
  Dataset data;
  with_threads(run.threads, [&] { data = read_dataset(path, options); });
  for (const std::string& remark : data.notes) note(run.quiet, fmt::format("{}: {}", path, remark));
  return data;
}

std::map<std::string, OptionValue> parse_settings(const Method& method,
                                                  const std::vector<std::pair<std::string, std::string>>& settings) {
  const std::vector<Field> fields = method.fields();
  std::map<std::string, OptionValue> values;
  for (const auto& [name, text] : settings) {
    if (values.contains(name))
      throw InvalidOption(fmt::format("--set {}: given more than once; expected a single value", name));
    const auto field = std::ranges::find(fields, name, &Field::name);
    // An unknown name keeps its text: Options refuses it with the nearest.
    values[name] = field != fields.end() ? parse_option(*field, text) : OptionValue(text);
  }
  static_cast<void>(Options(method.name(), fields, values));  // refuses now, before the data are read
  return values;
}

std::string method_names() {
  std::string names;
  for (const Method* each : methods()) names += (names.empty() ? "" : ", ") + std::string(each->name());
  return names;
}

std::function<std::string(const std::string&)> folds_check(int least) {
  return [least](const std::string& text) -> std::string {
    if (least > 0 && text == "0") return "received '0'; expected at least 2 folds";
    if (text != "1" && !text.starts_with('-')) return "";
    return fmt::format("received '{}'; expected {}at least 2 folds", text,
                       least > 0 ? "" : "0 (no cross-validation) or ");
  };
}

}  // namespace tamis::app
