// How fast the five algorithms lower the cost, and how EM and MacKay stay where a gamma is zero (the paper's section
// 1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"
#include "method/ard/algorithms.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string own = "from its own start", blocked = "from gamma = 0 on half of the true features";
const std::string cost = "L above the lowest", certificate = "violation of the optimality conditions",
                  at_end = "L at the end";
constexpr double noise = 0.5;
constexpr Index most_shown = 300;

struct Course {
  std::vector<double> costs;
  RelevanceRun run;
};

Course follow(Relevance& model, std::string_view algorithm, const RelevancePoint* from) {
  Course course;
  RelevanceRequest request;
  request.model.noise_variance = noise;
  request.refine_coordinates = false;
  request.from = from;
  request.tolerance = 1e-6;
  if (from != nullptr) course.costs.push_back(from->cost);
  course.run = run_algorithm(algorithm, model, request, [&](const RelevancePoint& point, double, double) {
    course.costs.push_back(point.cost);
    return true;
  });
  return course;
}

void measure_panel(Relevance& model, Recorder& record, const std::string& panel, const RelevancePoint* from) {
  std::vector<Course> courses;
  double least = HUGE_VAL;
  for (const std::string_view algorithm : relevance_algorithms) {
    courses.push_back(follow(model, algorithm, from));
    least = std::min(least, courses.back().run.point.cost);
  }
  for (Index a = 0; a < std::ssize(courses); ++a) {
    const std::string name(relevance_algorithms[a]);
    const std::vector<double>& costs = courses[a].costs;
    for (Index k = 0; k < std::ssize(costs) && k < most_shown; ++k) {
      record.add_at({panel, static_cast<double>(k + 1), name, cost}, costs[k] - least);
    }
    record.add_at({panel, no_coordinate, name, at_end}, courses[a].run.point.cost);
    record.add_at({panel, no_coordinate, name, certificate}, courses[a].run.certificate.worst());
    record.add_at({panel, no_coordinate, name, "steps"}, static_cast<double>(courses[a].run.iterations));
  }
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign design(drawn.train.X);
  const RelevanceData data(design, std::vector<double>(design.rows(), 1.0), false, drawn.train.y);
  Relevance model(data);
  measure_panel(model, record, own, nullptr);
  // Every feature in, but for half of the true ones: their gamma is exactly zero.
  std::vector<Index> groups;
  std::vector<double> gamma;
  const std::vector<Index>& support = drawn.truth.support;
  for (Index j = 0; j < data.features(); ++j) {
    const auto at = std::ranges::find(support, j) - support.begin();
    if (at < static_cast<std::ptrdiff_t>(support.size() / 2)) continue;
    groups.push_back(j);
    gamma.push_back(data.response_square() / (static_cast<double>(data.features()) * data.group_norms()[j]));
  }
  const RelevancePoint from = model.posterior_at(groups, gamma, {noise, 0});
  measure_panel(model, record, blocked, &from);
}

std::vector<Finding> check_claims(const Results& results) {
  const auto value = [&](const std::string& panel, const char* method, const std::string& what) {
    return results.value(panel, no_coordinate, method, what);
  };
  const auto stuck = [&](const char* method) {
    return Finding{
        fmt::format("{} has fixed points where a gamma is zero, at a minimum or not", method),
        fmt::format("from gamma = 0 it ends at L = {:.1f} with a violation of {:.2f}; reweighted-l1 at {:.1f} "
                    "with {:.1e}",
                    value(blocked, method, at_end), value(blocked, method, certificate),
                    value(blocked, "reweighted-l1", at_end), value(blocked, "reweighted-l1", certificate)),
        value(blocked, method, certificate) > 0.1 &&
            value(blocked, "reweighted-l1", at_end) < value(blocked, method, at_end)};
  };
  return {stuck("em"),
          stuck("mackay"),
          {"EM converges slowly, MacKay's rule considerably faster",
           fmt::format("steps: em {:.0f}, mackay {:.0f}, reweighted-l2 {:.0f}, reweighted-l1 {:.0f}",
                       value(own, "em", "steps"), value(own, "mackay", "steps"), value(own, "reweighted-l2", "steps"),
                       value(own, "reweighted-l1", "steps")),
           value(own, "mackay", "steps") < value(own, "em", "steps")}};
}

Picture picture(const Results& results) {
  Picture out{.title = "L above the lowest value found by any algorithm", .panels = {}};
  for (const std::string& panel : {own, blocked}) {
    Panel drawn{
        .title = panel, .x = {.label = "step", .logarithmic = true}, .y = {.label = "L - lowest", .logarithmic = true}};
    Index color = 0;
    for (const std::string_view algorithm : relevance_algorithms) {
      drawn.series.push_back(curve(results, panel, algorithm, cost, {.color = color++}));
    }
    out.panels.push_back(std::move(drawn));
  }
  return out;
}

}  // namespace

Experiment convergence() {
  return {.name = "ard.convergence",
          .title = "convergence of the five algorithms",
          .source = paper + "section 1",
          .shows =
              "L against the step of each algorithm on 50 samples of 100 features, 10 true, noise 0.5; from the start "
              "of each algorithm, and from a gamma of zero on half of the true features",
          .replication = Replication::single_run,
          .coordinate = "step",
          .settings = {{.design = "ard.recovery", .parameters = {{"active", 10}, {"noise_variance", noise}}}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::relevance
