// Non-negative coefficients (section 4): ARD against the non-negative lasso.
#include <fmt/format.h>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string success = "recovered";

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const auto record_fit = [&](const std::string& label, std::string_view method,
                              const std::map<std::string, OptionValue>& options) {
    const Fit fit = plain_fit(trial, record, drawn, label, method, options);
    record.add(label, success, relative_error(fit, drawn.truth) < recovered_error ? 1 : 0);
  };
  record_fit("ard, nonnegative", "ard", {{"noise_variance", no_noise}, {"anneal", true}, {"nonnegative", true}});
  record_fit("ard", "ard", {{"noise_variance", no_noise}, {"anneal", true}});
  record_fit("lasso, nonnegative", "lasso", {{"penalty", 1e-5}, {"nonnegative", true}});
}

double mean_of(const Results& results, const std::string& method) {
  double sum = 0;
  const std::vector<const Row*> rows = results.curve("", method, success);
  for (const Row* row : rows) sum += row->ours.mean / static_cast<double>(rows.size());
  return sum;
}

std::vector<Finding> check_claims(const Results& results) {
  const double ours = mean_of(results, "ard, nonnegative"), lasso = mean_of(results, "lasso, nonnegative");
  return {
      {"with nonnegative coefficients ARD is often significantly better than the nonnegative lasso",
       fmt::format("recovered over all sizes: ard {:.2f}, lasso {:.2f}", ours, lasso), ours > lasso + 0.05},
      {"the constraint helps", fmt::format("recovered: with it {:.2f}, without {:.2f}", ours, mean_of(results, "ard")),
       ours > mean_of(results, "ard")}};
}

Picture picture(const Results& results) {
  Panel panel{.title = "50 equations, 100 unknowns",
              .x = {.label = "positive coefficients"},
              .y = {.label = "fraction recovered", .minimum = 0, .maximum = 1}};
  Index color = 0;
  for (const char* method : {"ard, nonnegative", "ard", "lasso, nonnegative"}) {
    panel.series.push_back(curve(results, "", method, success, {.mark = Mark::line_and_points, .color = color++}));
  }
  return {.title = "Recovery of nonnegative vectors", .panels = {panel}, .columns = 1};
}

}  // namespace

Experiment nonnegative() {
  Experiment made{.name = "ard.nonnegative",
                  .title = "recovery of nonnegative coefficients",
                  .source = paper + "section 4 (announced there without numbers)",
                  .shows =
                      "fraction of data sets with |x - x0| < 0.01 |x0| from 50 noiseless equations in 100 unknowns, "
                      "against the number of positive coefficients",
                  .replicates = 50,
                  .coordinate = "active",
                  .settings = {},
                  .measure = measure,
                  .check_claims = check_claims,
                  .picture = picture};
  for (const double active : {15.0, 20.0, 25.0, 30.0, 35.0}) {
    made.settings.push_back({.x = active, .design = "ard.nonnegative", .parameters = {{"active", active}}});
  }
  return made;
}

}  // namespace tamis::experiments::relevance
