// Several responses that share their support (section 4, Eqs 20 and 21): ARD against the group lasso.
#include <fmt/format.h>

#include <cmath>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"
#include "method/ard/group_lasso.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string success = "recovered";

// The row-sparse lasso at a penalty that is as good as none: the first step of the paper's algorithm as noise goes to
// 0.
double group_lasso_error(const Simulation& drawn) {
  const DenseDesign design(drawn.train.X);
  const RelevanceData data(design, std::vector<double>(design.rows(), 1.0), false, drawn.train.y);
  Relevance model(data);
  GroupLasso lasso(model, false, {});
  const Index groups = data.feature_groups();
  double weight = 1;
  for (int step = 0; step < 8; ++step, weight /= 10) lasso.solve(std::vector<double>(groups, weight), 1e-4);
  std::vector<Index> support;
  std::vector<double> lengths;
  lasso.support(support, lengths);
  const Matrix found = lasso.coefficients(support);
  Matrix left = drawn.truth.coefficients;
  double error = 0, size = 0;
  for (Index l = 0; l < left.cols(); ++l) {
    for (const double truth : left.column(l)) size += truth * truth;
    for (Index k = 0; k < std::ssize(support); ++k) left(support[k], l) -= found(k, l);
    for (const double difference : left.column(l)) error += difference * difference;
  }
  return std::sqrt(error / size);
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const Fit fit = plain_fit(trial, record, drawn, "ard", "ard", {{"noise_variance", no_noise}, {"anneal", true}});
  record.add("ard", success, relative_error(fit, drawn.truth) < recovered_error ? 1 : 0);
  record.add("group lasso", success, group_lasso_error(drawn) < recovered_error ? 1 : 0);
}

std::vector<Finding> check_claims(const Results& results) {
  const auto share = [&](double targets, const char* method) { return results.value("", targets, method, success); };
  return {{"more responses make recovery easier, and ARD gains more from them than the group lasso",
           fmt::format("recovered at 1, 2, 4 responses: ard {:.2f}, {:.2f}, {:.2f}; group lasso {:.2f}, {:.2f}, {:.2f}",
                       share(1, "ard"), share(2, "ard"), share(4, "ard"), share(1, "group lasso"),
                       share(2, "group lasso"), share(4, "group lasso")),
           share(4, "ard") >= share(1, "ard") && share(4, "ard") > share(4, "group lasso")}};
}

Picture picture(const Results& results) {
  Panel panel{.title = "25 equations, 100 unknowns, 10 nonzero rows",
              .x = {.label = "responses"},
              .y = {.label = "fraction recovered", .minimum = 0, .maximum = 1}};
  panel.series = {curve(results, "", "ard", success, {.mark = Mark::line_and_points}),
                  curve(results, "", "group lasso", success, {.mark = Mark::line_and_points, .color = 1})};
  return {.title = "Recovery from several responses", .panels = {panel}, .columns = 1};
}

}  // namespace

Experiment several_targets() {
  Experiment made{.name = "ard.mmv",
                  .title = "recovery from several responses that share their support",
                  .source = paper + "section 4, Eqs 20-21 (announced there without numbers)",
                  .shows =
                      "fraction of data sets with |X - X0| < 0.01 |X0| from 25 noiseless equations in 100 unknowns "
                      "with ten nonzero rows, against the number of responses; ARD annealed",
                  .replicates = 100,
                  .coordinate = "responses",
                  .settings = {},
                  .measure = measure,
                  .check_claims = check_claims,
                  .picture = picture};
  for (const double responses : {1.0, 2.0, 4.0}) {
    made.settings.push_back({.x = responses, .design = "ard.responses", .parameters = {{"responses", responses}}});
  }
  return made;
}

}  // namespace tamis::experiments::relevance
