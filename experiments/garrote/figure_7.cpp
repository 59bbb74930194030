// Figure 7: the solutions behind Table 4, and how annealing the prior leads pmf out of its wrong one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/garrote/boston.hpp"
#include "experiments/garrote/experiments.hpp"
#include "experiments/garrote/random_start.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::string weights = "weights", hysteresis = "pmf, annealed", priors = "vg, fixed priors";
const std::string error = "L1 error", cost = "negative bound";
// Solutions further from the exact weights than this are a wrong optimum.
constexpr double wrong_beyond = 0.1;

void record_weights(Recorder& record, const std::string& name, std::span<const double> values) {
  for (Index j = 0; j < std::ssize(values); ++j) {
    record.add_at({weights, static_cast<double>(j + 1), name, "v"}, values[j]);
  }
}

std::vector<double> prior_grid() {
  std::vector<double> grid;
  for (int k = 5; k <= 19; ++k) grid.push_back(k / 20.0);
  return grid;
}

// From a wrong optimum upwards to dense priors and back.
void anneal(FixedField& pmf, FieldSolution state, const Boston& boston, Recorder& record) {
  std::vector<double> grid = prior_grid();
  for (const char* direction : {"forward", "backward"}) {
    for (const double prior : grid) {
      state = pmf.continue_from(state, prior);
      record.add_at({hysteresis, prior, direction, cost}, -state.bound);
      record.add_at({hysteresis, prior, direction, error}, l1_distance(state.coefficients, boston.exact));
    }
    std::reverse(grid.begin(), grid.end());
  }
}

void measure(const Trial& trial, Recorder& record) {
  const Boston boston(*trial.data);
  const std::vector<double> start = random_inclusion(StartKind::soft, boston.X.cols(), trial.seed);
  FixedField pmf(FieldKind::paired, boston.X, boston.y, Boston::noise_variance, Boston::slab_variance);
  FixedField vg(FieldKind::garrote, boston.X, boston.y, Boston::noise_variance, Boston::slab_variance);
  record_weights(record, "exact", boston.exact);
  const FieldSolution found = pmf.solve_from(start, Boston::prior_inclusion);
  const bool wrong = l1_distance(found.coefficients, boston.exact) > wrong_beyond;
  record_weights(record, wrong ? "pmf, wrong" : "pmf, right", found.coefficients);
  record.add("pmf", "wrong optimum", wrong ? 1 : 0);
  record.ended("pmf", found.converged);
  if (wrong) anneal(pmf, found, boston, record);
  for (const double prior : prior_grid()) {
    const FieldSolution solution = vg.solve_from(start, prior);
    record.add_at({priors, prior, "vg", error}, l1_distance(solution.coefficients, boston.exact));
    record.ended("vg", solution.converged);
    if (prior == Boston::prior_inclusion) record_weights(record, "vg", solution.coefficients);
  }
}

std::vector<Finding> check_claims(const Results& results) {
  const double share = results.value("", no_coordinate, "pmf", "wrong optimum");
  double leaves = std::numeric_limits<double>::quiet_NaN(), stays = 0, spread = 0;
  for (const Row* row : results.curve(hysteresis, "forward", error)) {
    if (row->ours.mean < wrong_beyond && std::isnan(leaves)) leaves = row->place.x;
  }
  for (const Row* row : results.curve(hysteresis, "backward", error)) stays = std::max(stays, row->ours.mean);
  for (const Row* row : results.curve(priors, "vg", error)) spread = std::max(spread, row->ours.most - row->ours.least);
  return {{"pmf converges to two solutions about equally often",
           fmt::format("{:.0f}% of the starts end in the wrong one", 100 * share), share > 0.3 && share < 0.7},
          {"going forward, pmf leaves the wrong optimum at a prior inclusion of about 0.7",
           std::isnan(leaves) ? std::string("it never does") : fmt::format("at {:.2f}", leaves),
           std::abs(leaves - 0.7) < 0.1},
          {"going back, pmf stays in the right optimum",
           fmt::format("the largest error on the way back is {:.4f}", stays), stays < wrong_beyond},
          {"vg finds the same solution from every start, whatever the prior",
           fmt::format("errors differ by at most {:.1e} between starts", spread), spread < 1e-4}};
}

Picture picture(const Results& results) {
  const Axis predictor{.label = "predictor", .minimum = 0.3, .maximum = 13.7};
  Panel left{.title = "pmf: two solutions", .x = predictor, .y = {.label = "coefficient"}};
  Panel middle{.title = "vg: one solution", .x = predictor, .y = {.label = "coefficient"}};
  for (Panel* panel : {&left, &middle}) {
    Series exact = curve(results, weights, "exact", "v", {.mark = Mark::bars, .color = 7});
    panel->series.push_back(std::move(exact));
  }
  left.series.push_back(curve(results, weights, "pmf, right", "v", {.mark = Mark::points, .color = 2}));
  left.series.push_back(curve(results, weights, "pmf, wrong", "v", {.mark = Mark::points, .color = 1}));
  middle.series.push_back(curve(results, weights, "vg", "v", {.mark = Mark::points, .color = 0}));
  Panel right{.title = "pmf annealed: hysteresis",
              .x = {.label = "π, prior inclusion"},
              .y = {.label = "negative bound on the log evidence"}};
  right.series = {curve(results, hysteresis, "forward", cost, {.mark = Mark::line_and_points, .color = 1}),
                  curve(results, hysteresis, "backward", cost, {.dash = Dash::dashed, .color = 2})};
  return {.title = "Boston housing: local optima",
          .panels = {left, middle, right},
          .columns = 3,
          .panel_width = 340,
          .panel_height = 260};
}

}  // namespace

Experiment figure7() {
  return {
      .name = "vg.fig7",
      .title = "solutions of pmf and vg on the Boston housing data, and hysteresis of pmf",
      .source = paper + "Fig. 7",
      .shows =
          "the solutions of vg.table4 (all rows) from soft starts; from each wrong solution of pmf the prior inclusion "
          "is raised from 0.25 to 0.95 and lowered again; vg from the same starts at each of these priors",
      .replicates = 100,
      .data = boston_file,
      .target = boston_target,
      .settings = {{}},
      .measure = measure,
      .check_claims = check_claims,
      .picture = picture};
}

}  // namespace tamis::experiments::garrote
