// Figure 3: one run of the garrote on Example 1, along gamma.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/garrote/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::string energy = "free energy", errors = "errors", along = "solution along gamma", solution = "solution";

const std::vector<double>& vector_of(const Fit& fit, const std::string& name) {
  return std::get<std::vector<double>>(fit.hyper.at(name));
}

// The state that the search had at one gamma, as a fit at that gamma: it anneals in the same way.
void record_state(MethodBenchmark& benchmark, double gamma) {
  Contender fixed = variational_garrote();
  fixed.options["gamma"] = gamma;
  const Fit fit = benchmark.fit(fixed);
  double others = 0;
  for (Index j = 1; j < std::ssize(fit.coefficients); ++j) others = std::max(others, std::abs(fit.coefficients[j]));
  Recorder& record = benchmark.record();
  record.add_at({along, gamma, "relevant feature", "v"}, fit.coefficients[0]);
  record.add_at({along, gamma, "largest other", "v"}, others);
  record.add_at({along, gamma, "correct selection", "share"},
                count_selected(fit) == 1 && fit.inclusion[0] > 0.5 ? 1 : 0);
}

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  const Fit fit = benchmark.fit(variational_garrote());
  const std::vector<double>& forward = vector_of(fit, "path_forward_objective");
  const std::vector<double>& backward = vector_of(fit, "path_backward_objective");
  const std::vector<double>& training = vector_of(fit, "path_training_error");
  for (Index k = 0; k < std::ssize(fit.path); ++k) {
    const double gamma = fit.path[k].value;
    record.add_at({energy, gamma, "forward", "F"}, forward[k]);
    record.add_at({energy, gamma, "backward", "F"}, backward[k]);
    record.add_at({errors, gamma, "training", "mean squared error"}, training[k]);
    record.add_at({errors, gamma, "validation", "mean squared error"}, fit.path[k].validation_error.value());
    record_state(benchmark, gamma);
  }
  for (Index j = 0; j < std::ssize(fit.coefficients); ++j) {
    record.add_at({solution, static_cast<double>(j + 1), "v", "weight"}, fit.coefficients[j]);
  }
  record.add("vg", "chosen gamma", std::get<double>(fit.hyper.at("gamma")));
  record.add("vg", "noise standard deviation", std::sqrt(fit.noise_variance.value()));
}

// Gammas between which every point of the path keeps the one relevant feature and no other: the longest stretch.
std::pair<double, double> right_stretch(const Results& results) {
  double best = 0;
  std::pair<double, double> stretch{0, 0};
  double first = 0;
  bool inside = false;
  for (const Row* row : results.curve(along, "correct selection", "share")) {
    const bool right = row->ours.mean == 1;
    if (right && !inside) first = row->place.x;
    inside = right;
    if (inside && row->place.x - first > best) {
      best = row->place.x - first;
      stretch = {first, row->place.x};
    }
  }
  return stretch;
}

std::vector<Finding> check_claims(const Results& results) {
  int apart = 0;
  for (const Row* row : results.curve(energy, "forward", "F")) {
    const double back = results.value(energy, row->place.x, "backward", "F");
    apart += std::abs(row->ours.mean - back) > 1e-3 * std::abs(back) ? 1 : 0;
  }
  const auto [first, last] = right_stretch(results);
  return {{"forward and backward free energies differ for some gammas: hysteresis",
           fmt::format("they differ by more than 0.1% at {} of {} gammas", apart,
                       results.curve(energy, "forward", "F").size()),
           apart > 0},
          {"only the relevant feature is selected over a large range of gamma (about -20 to -5)",
           fmt::format("from {:.1f} to {:.1f}", first, last), last - first >= 10}};
}

Picture picture(const Results& results) {
  const double chosen = results.value("", no_coordinate, "vg", "chosen gamma");
  const Axis gamma{.label = "γ, log prior odds"};
  Panel a{.title = "a: free energy", .x = gamma, .y = {.label = "F"}};
  a.series = {curve(results, energy, "forward", "F"),
              curve(results, energy, "backward", "F", {.dash = Dash::dashed, .color = 1})};
  Panel b{.title = "b: errors", .x = gamma, .y = {.label = "mean squared error"}, .rules = {chosen}};
  b.series = {curve(results, errors, "training", "mean squared error"),
              curve(results, errors, "validation", "mean squared error", {.dash = Dash::dashed, .color = 1})};
  Panel c{.title = "c: solution against γ", .x = gamma, .y = {.label = "v"}, .rules = {chosen}};
  c.series = {curve(results, along, "relevant feature", "v"),
              curve(results, along, "largest other", "v", {.dash = Dash::dashed, .color = 1})};
  Panel d{.title = "d: solution at the chosen γ", .x = {.label = "feature"}, .y = {.label = "v"}};
  d.series = {curve(results, solution, "v", "weight", {.mark = Mark::stems})};
  d.series[0].name = "";
  return {
      .title = "One run on Example 1 (the dotted line is the chosen γ)", .panels = {a, b, c, d}, .panel_height = 230};
}

}  // namespace

Experiment figure3() {
  return {.name = "vg.fig3",
          .title = "one run of the garrote on Example 1, along gamma",
          .source = paper + "Fig. 3",
          .shows =
              "free energy of the forward and the backward pass, training and validation error, the weight of the "
              "relevant feature and the largest other one, each against gamma; the solution at the gamma of minimum "
              "validation error",
          .replication = Replication::single_run,
          .settings = {{.design = "vg.example1"}},
          .measure = measure,
          .paper = {{.place = {"", no_coordinate, "vg", "chosen gamma"}, .value = -21},
                    {.place = {"", no_coordinate, "vg", "noise standard deviation"}, .value = 1.05}},
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
