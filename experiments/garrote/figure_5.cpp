// Figure 5: lasso and garrote along their paths on the example on which the lasso is inconsistent.
#include <fmt/format.h>

#include <array>

#include "experiments/garrote/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr std::array features = {"x1", "x2", "x3"};
const std::string lasso_path = "lasso", garrote_path = "vg";

// The values of the hyperparameter that a search visits.
std::vector<double> visited(const Fit& fit) {
  std::vector<double> values;
  values.reserve(fit.path.size());
  for (const PathPoint& point : fit.path) values.push_back(point.value);
  return values;
}

void follow_lasso(MethodBenchmark& benchmark) {
  Contender fixed = lasso();
  for (const double penalty : visited(benchmark.fit(lasso()))) {
    fixed.options["penalty"] = penalty;
    const Fit fit = benchmark.fit(fixed);
    for (Index j = 0; j < std::ssize(features); ++j) {
      benchmark.record().add_at({lasso_path, penalty, features[j], "v"}, fit.coefficients[j]);
    }
  }
}

// From below the search's first gamma, at which the backward pass keeps both features still, so that they are seen to
// go.
void follow_garrote(MethodBenchmark& benchmark) {
  Contender fixed = variational_garrote();
  std::vector<double> gammas = visited(benchmark.fit(fixed));
  const double step = gammas[1] - gammas[0];
  for (double gamma = gammas[0] - step; gamma >= 3 * gammas.front(); gamma -= step) gammas.push_back(gamma);
  for (const double gamma : gammas) {
    fixed.options["gamma"] = gamma;
    const Fit fit = benchmark.fit(fixed);
    const auto& weights = std::get<std::vector<double>>(fit.hyper.at("weights"));
    for (Index j = 0; j < std::ssize(features); ++j) {
      benchmark.record().add_at({garrote_path, gamma, features[j], "v"}, fit.coefficients[j]);
      benchmark.record().add_at({garrote_path, gamma, features[j], "m"}, fit.inclusion[j]);
      benchmark.record().add_at({garrote_path, gamma, features[j], "w"}, weights[j]);
    }
  }
}

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  follow_lasso(benchmark);
  follow_garrote(benchmark);
}

// Points of a path at which `kept(j)` holds for the first two features and not for the third.
template <class Kept>
int right_points(const Results& results, const std::string& panel, const std::string& measure, const Kept& kept) {
  int right = 0;
  for (const Row* row : results.curve(panel, "x1", measure)) {
    const double x = row->place.x;
    right += kept(row->ours.mean) && kept(results.value(panel, x, "x2", measure)) &&
                     !kept(results.value(panel, x, "x3", measure))
                 ? 1
                 : 0;
  }
  return right;
}

std::vector<Finding> check_claims(const Results& results) {
  const int by_lasso = right_points(results, lasso_path, "v", [](double v) { return v != 0; });
  const int by_garrote = right_points(results, garrote_path, "m", [](double m) { return m > 0.5; });
  const auto lasso_points = results.curve(lasso_path, "x1", "v").size();
  const auto garrote_points = results.curve(garrote_path, "x1", "m").size();
  return {{"no penalty of the lasso gives the correct sparsity",
           fmt::format("{} of {} penalties do", by_lasso, lasso_points), by_lasso == 0},
          {"a large range of gamma gives the correct sparsity",
           fmt::format("{} of {} gammas do", by_garrote, garrote_points),
           2 * static_cast<std::size_t>(by_garrote) >= garrote_points}};
}

Panel path_panel(const Results& results, const std::string& path, const std::string& measure, const std::string& title,
                 Axis x) {
  Panel panel{.title = title, .x = std::move(x), .y = {.label = measure}};
  constexpr std::array dashes = {Dash::solid, Dash::dashed, Dash::dash_dotted};
  for (Index j = 0; j < std::ssize(features); ++j) {
    panel.series.push_back(curve(results, path, features[j], measure, {.dash = dashes[j], .color = j}));
  }
  return panel;
}

Picture picture(const Results& results) {
  const Axis gamma{.label = "γ, log prior odds"};
  return {.title = "Weights 2, 3 and 0, with a third feature that is nearly a sum of the others",
          .panels = {path_panel(results, lasso_path, "v", "lasso: v", {.label = "penalty", .logarithmic = true}),
                     path_panel(results, garrote_path, "v", "vg: v = m w", gamma),
                     path_panel(results, garrote_path, "m", "vg: inclusion m", gamma),
                     path_panel(results, garrote_path, "w", "vg: weight w", gamma)},
          .panel_height = 220};
}

}  // namespace

Experiment figure5() {
  return {.name = "vg.fig5",
          .title = "lasso and garrote paths on an example where the lasso is inconsistent",
          .source = paper + "Fig. 5, after Zhao & Yu (2006)",
          .shows =
              "coefficients of the lasso against its penalty; v, m and w of the garrote against gamma; 1000 training "
              "samples of Example 3a",
          .replication = Replication::single_run,
          .settings = {{.design = "vg.example3a"}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
