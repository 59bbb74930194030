// tamis predict: a model on new data.
// Columns    matched to the features of the model by name. Text columns are coded by the levels of the training data,
//            and missing values are imputed by the training means, so that the prediction of a row does not depend on
//            the others.
// Output     mean, sd and interval (gaussian), probability and label (bernoulli), mean and interval (poisson), as
//            CSV or JSON in the order of the rows; rows that were dropped are reported.
// Error      computed if the file has the response too.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "model_data.hpp"
#include "output.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/io/write_csv.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

struct PredictArguments {
  std::string model;
  DataArguments data;
  RunArguments run;
  double level = 0.95;
  std::string output;
};

// The predictions as named columns, numbers or class labels.
struct Predicted {
  std::vector<std::pair<std::string, std::vector<double>>> numbers;
  std::vector<std::string> labels;  // of two classes only
};

Predicted columns_of(const Fit& fit, Prediction prediction) {
  if (!family(fit.family).is_binary()) {
    Predicted result{{{"mean", std::move(prediction.mean)}}, {}};
    if (!prediction.sd.empty()) result.numbers.emplace_back("sd", std::move(prediction.sd));
    result.numbers.emplace_back("lower", std::move(prediction.lower));
    result.numbers.emplace_back("upper", std::move(prediction.upper));
    return result;
  }
  Predicted result{{{"probability", std::move(prediction.mean)}}, {}};
  for (const double probability : result.numbers[0].second) {
    const std::size_t label = probability >= 0.5 ? 1 : 0;
    result.labels.push_back(fit.levels.empty() ? std::to_string(label) : fit.levels[label]);
  }
  return result;
}

std::string to_csv(const Predicted& columns) {
  CsvText csv;
  for (const auto& [name, values] : columns.numbers) csv.cell(name);
  if (!columns.labels.empty()) csv.cell("label");
  csv.end_row();
  const Index rows = std::ssize(columns.numbers[0].second);
  for (Index i = 0; i < rows; ++i) {
    for (const auto& [name, values] : columns.numbers) csv.cell(values[i]);
    if (!columns.labels.empty()) csv.cell(columns.labels[i]);
    csv.end_row();
  }
  return csv.text();
}

std::string to_json_text(const Predicted& columns) {
  nlohmann::ordered_json object;
  for (const auto& [name, values] : columns.numbers) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const double value : values) list.push_back(std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr);
    object[name] = std::move(list);
  }
  if (!columns.labels.empty()) object["label"] = columns.labels;
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// How good the predictions are, when the data hold the response too.
std::string test_error(const Fit& fit, const std::vector<double>& y, const std::vector<double>& eta) {
  const Family& family = tamis::family(fit.family);
  double squares = 0;
  double deviance = 0;
  double wrong = 0;
  const auto n = static_cast<double>(y.size());
  for (Index i = 0; i < std::ssize(y); ++i) {
    squares += (y[i] - eta[i]) * (y[i] - eta[i]);
    deviance += family.deviance(y[i], eta[i]);
    wrong += (eta[i] >= 0 ? 1 : 0) != y[i];
  }
  if (family.is_quadratic()) return fmt::format("RMSE {:.5g}", std::sqrt(squares / n));
  if (family.is_binary()) {
    return fmt::format("{:.2f}% misclassified, mean deviance {:.5g}", 100 * wrong / n, deviance / n);
  }
  return fmt::format("mean deviance {:.5g}", deviance / n);
}

int run(const PredictArguments& arguments) {
  check_writable(arguments.output);
  check_not_input(arguments.output, arguments.data.path);
  check_not_input(arguments.output, arguments.model);
  if (!(arguments.level > 0 && arguments.level < 1)) {
    throw InvalidOption(fmt::format("--level: received {}; expected a number between 0 and 1", arguments.level));
  }
  const Fit fit = load(arguments.model);
  with_threads(arguments.run.threads, [&] {
    const Dataset data = read_dataset(arguments.data.path, read_options_for(fit, arguments.data));
    tell_about_missing(data, arguments.data.path,
                       fit.feature_means.empty()
                           ? "the column means of this file (the model was written by an older version of tamis and "
                             "lacks those of the training data)"
                           : "the column means of the training data",
                       arguments.run.quiet);
    const std::shared_ptr<const Design> X = align(data, fit.features);
    Predicted columns = columns_of(fit, predict(fit, *X, data.offset, arguments.level));
    for (const Fit& other : split_targets(fit)) {  // further targets: mean.b, sd.b, ...
      if (other.target == fit.target) continue;
      Predicted more = columns_of(other, predict(other, *X, data.offset, arguments.level));
      for (auto& [name, values] : more.numbers) {
        columns.numbers.emplace_back(name + "." + other.target, std::move(values));
      }
    }
    deliver(arguments.output, arguments.run.json ? to_json_text(columns) : to_csv(columns));
    if (!can_evaluate(fit, data.y, data.levels)) return;
    note(arguments.run.quiet, fmt::format("test error on {}: {}", plural(std::ssize(data.y), "row"),
                                          test_error(fit, data.y, linear_predictor(fit, *X, data.offset))));
  });
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<PredictArguments>();
  parser.option("MODEL", arguments->model, "model file written by 'tamis fit -o'").required().group("Data");
  arguments->data.add_path(parser);
  arguments->data.add_offset(parser);
  arguments->data.add_missing(parser);
  arguments->data.add_response(parser);
  arguments->run.add_threads(parser);
  parser
      .option("--level", arguments->level,
              "probability of the prediction intervals to hold a new observation (default 0.95)")
      .type_name("L")
      .group("Output");
  parser.option("-o,--output", arguments->output, "write the predictions to this file (CSV)")
      .type_name("FILE")
      .group("Output");
  arguments->run.add_json(parser, "write a JSON object with one array per column instead of CSV");
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

// "gaussian: mean,sd,lower,upper; ..."
std::string columns_by_family() {
  std::string text;
  for (const Family* each : families()) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", each->name(),
                        each->is_binary()   ? "probability,label"
                        : each->has_noise() ? "mean,sd,lower,upper"
                                            : "mean,lower,upper");
  }
  return text;
}

}  // namespace

Command predict_command() {
  return {.name = "predict",
          .summary = "predict new data from a fitted model",
          .usage = "MODEL DATA [options]",
          .purpose = fmt::format(
              "Writes one line per row of DATA. {}; lower and upper bound the 95% prediction interval of a new "
              "observation. Columns are matched to the features of the model by name; their order does not matter and "
              "other columns are ignored. If DATA contains the response, the test error is reported on standard "
              "error. A model fitted with an offset uses the column of the same name unless --offset names another.",
              columns_by_family()),
          .examples =
              "tamis predict model.json new.csv -o predictions.csv\n"
              "tamis predict model.json new.csv | head",
          .prepare = prepare};
}

}  // namespace tamis::app
