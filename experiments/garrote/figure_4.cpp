// Figure 4: lasso and ridge regression on the data of Figure 3, along the penalty.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/garrote/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::string errors = " errors", along = " along the penalty", solution = " solution";
const std::string training = "training", validation = "validation", mse = "mean squared error";
const std::string relevant = "relevant feature", others = "largest other", size = "size";

// Everything against the penalty from fits at that penalty; the path search itself chooses the one of least error.
void measure_method(MethodBenchmark& benchmark, const Contender& contender) {
  Recorder& record = benchmark.record();
  const std::string& name = contender.label;
  const Fit fit = benchmark.fit(contender);
  for (const PathPoint& point : fit.path) {
    Contender fixed = contender;
    fixed.options["penalty"] = point.value;
    const Fit there = benchmark.fit(fixed);
    double most = 0;
    for (Index j = 1; j < std::ssize(there.coefficients); ++j) most = std::max(most, std::abs(there.coefficients[j]));
    record.add_at({name + errors, point.value, training, mse}, mean_squared_error(there, benchmark.drawn().train));
    record.add_at({name + errors, point.value, validation, mse},
                  mean_squared_error(there, benchmark.drawn().validation));
    record.add_at({name + along, point.value, relevant, size}, std::abs(there.coefficients[0]));
    record.add_at({name + along, point.value, others, size}, most);
    record.add_at({name + along, point.value, "features selected", "count"},
                  static_cast<double>(count_selected(there)));
  }
  for (Index j = 0; j < std::ssize(fit.coefficients); ++j) {
    record.add_at({name + solution, static_cast<double>(j + 1), "v", "weight"}, fit.coefficients[j]);
  }
  double rest = 0;
  for (Index j = 1; j < std::ssize(fit.coefficients); ++j) rest += std::abs(fit.coefficients[j]);
  record.add(name, "chosen penalty", std::get<double>(fit.hyper.at("penalty")));
  record.add(name, "features selected", static_cast<double>(count_selected(fit)));
  record.add(name, "weight of the relevant feature", fit.coefficients[0]);
  record.add(name, "sum of the other weights", rest);
}

// Penalties at which the relevant feature is selected and no other, and the weight that it has at the smallest of them.
struct Alone {
  double from = HUGE_VAL, to = 0, weight = 0;
};

Alone alone(const Results& results) {
  Alone found;
  const std::string panel = "lasso" + along;
  for (const Row* row : results.curve(panel, relevant, size)) {
    const double penalty = row->place.x;
    if (row->ours.mean == 0 || results.value(panel, penalty, others, size) > 0) continue;
    if (penalty < found.from) found.weight = row->ours.mean;
    found.from = std::min(found.from, penalty);
    found.to = std::max(found.to, penalty);
  }
  return found;
}

std::vector<Finding> check_claims(const Results& results) {
  const auto value = [&](const char* method, const char* what) {
    return results.value("", no_coordinate, method, what);
  };
  const Alone range = alone(results);
  double fewest = HUGE_VAL;
  for (const Row* row : results.curve("ridge" + along, "features selected", "count")) {
    fewest = std::min(fewest, row->ours.mean);
  }
  const double lasso_weight = value("lasso", "weight of the relevant feature");
  const double ridge_weight = value("ridge", "weight of the relevant feature");
  const double ridge_rest = value("ridge", "sum of the other weights");
  return {{"the lasso selects a number of incorrect features as well",
           fmt::format("{:g} features selected", value("lasso", "features selected")),
           value("lasso", "features selected") > 2},
          {"a lasso with a larger penalty (0.45 to 0.95) selects the single correct feature, but estimates its weight "
           "of 1 much too small",
           fmt::format("from {:.2f} to {:.2f}; there the weight is at most {:.2f}", range.from, range.to, range.weight),
           range.from < range.to && range.weight < 0.75},
          {"ridge regression gives very bad results: the nonzero weight is too small and the others are large",
           fmt::format("weight {:.2f} (lasso {:.2f}), sum of the other weights {:.2f}", ridge_weight, lasso_weight,
                       ridge_rest),
           ridge_weight < lasso_weight && ridge_rest > 1},
          {"the ridge solution is not sparse at any penalty", fmt::format("at least {:g} features selected", fewest),
           fewest == 100}};
}

void add_row(const Results& results, const std::string& name, const char* letters, Picture& out) {
  const double chosen = results.value("", no_coordinate, name, "chosen penalty");
  const Axis penalty{.label = "λ", .logarithmic = true};
  const auto title = [&](int k, const char* what) { return fmt::format("{}: {}, {}", letters[k], name, what); };
  Panel a{.title = title(0, "errors"), .x = penalty, .y = {.label = mse, .minimum = 0}, .rules = {chosen}};
  a.series = {curve(results, name + errors, training, mse),
              curve(results, name + errors, validation, mse, {.dash = Dash::dashed, .color = 1})};
  Panel b{.title = title(1, "solution against λ"), .x = penalty, .y = {.label = "|v|"}, .rules = {chosen}};
  b.series = {curve(results, name + along, relevant, size),
              curve(results, name + along, others, size, {.dash = Dash::dashed, .color = 1})};
  Panel c{.title = title(2, "at the chosen λ"), .x = {.label = "feature"}, .y = {.label = "v"}};
  c.series = {curve(results, name + solution, "v", "weight", {.mark = Mark::stems})};
  c.series[0].name = "";
  for (Panel* panel : {&a, &b, &c}) out.panels.push_back(std::move(*panel));
}

Picture picture(const Results& results) {
  Picture out{.title = "Lasso and ridge regression on the data of Fig. 3 (the dotted line is the chosen λ)",
              .panels = {},
              .columns = 3,
              .panel_width = 330,
              .panel_height = 230};
  add_row(results, "lasso", "abc", out);
  add_row(results, "ridge", "def", out);
  return out;
}

}  // namespace

Experiment figure4() {
  return {.name = "vg.fig4",
          .title = "lasso and ridge regression on the data of Fig. 3, along the penalty",
          .source = paper + "Fig. 4",
          .shows =
              "training and validation error, the weight of the relevant feature and the largest other one, each "
              "against the penalty; the solution at the penalty of least validation error; the data are those of "
              "vg.fig3 with the same seed",
          .replication = Replication::single_run,
          .settings = {{.design = "vg.example1"}},
          .measure =
              [](const Trial& trial, Recorder& record) {
                MethodBenchmark benchmark(trial, record);
                measure_method(benchmark, lasso());
                measure_method(benchmark, ridge());
              },
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
