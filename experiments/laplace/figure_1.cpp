// Figure 1 a, b, e, f: prediction and selection, 20 relevant features of 1000 in two correlated groups.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/laplace/experiments.hpp"
#include "experiments/laplace/reference_methods.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::laplace {
namespace {

const std::string error = "test error", f1 = "F1", seconds = "seconds";

const std::string from_ridge = "flas, ridge start";

// The others, and FLAS as the paper begins it.
std::vector<ReferenceMethod> contenders() {
  std::vector<ReferenceMethod> all = reference_methods();
  all.insert(all.begin() + 2,
             reference_method(from_ridge, "flas", {{"start", std::string("ridge")}, {"prior_inclusion", 0.5}}));
  return all;
}

// Of precision and recall. Features count as selected as in the paper: more probable than not, or |coefficient| > .001.
double selection_f1(const Fit& fit, const Truth& truth) {
  double kept = 0, right = 0;
  for (Index j = 0; j < std::ssize(fit.coefficients); ++j) {
    const bool in = fit.inclusion.empty() ? std::abs(fit.coefficients[j]) > 0.001 : fit.inclusion[j] > 0.5;
    kept += in ? 1 : 0;
    right += in && std::ranges::binary_search(truth.support, j) ? 1 : 0;
  }
  return 2 * right / (kept + static_cast<double>(truth.support.size()));
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign X(drawn.train.X), new_rows(drawn.test.X);
  const Problem problem{.X = X, .y = drawn.train.y.column(0), .likelihood = family(drawn.family)};
  const Control control{.seed = trial.seed, .threads = 1, .observer = trial.observer};
  for (const ReferenceMethod& contender : contenders()) {
    const Fit fit = contender.fit(problem, control);
    record.ended(contender.label, fit.status == Status::converged);
    record.add(contender.label, error, test_error(fit, new_rows, drawn.test.y.column(0)));
    record.add(contender.label, f1, selection_f1(fit, drawn.truth));
    record.add(contender.label, seconds, fit.seconds);
  }
}

// At every number of samples.
bool always(const Results& results, const std::string& a, const std::string& b, const std::string& which,
            bool smaller) {
  bool all = true;
  for (const Row* row : results.curve("", a, which)) {
    const double other = results.value("", row->place.x, b, which);
    all = all && (smaller ? row->ours.mean <= other : row->ours.mean >= other);
  }
  return all;
}

std::string along(const Results& results, const std::string& method, const std::string& which) {
  std::string out;
  for (const Row* row : results.curve("", method, which)) out += fmt::format(" {:.3f}", row->ours.mean);
  return out;
}

std::vector<Finding> check_claims(const Results& results) {
  std::vector<Finding> findings;
  for (const std::string other : {"lasso", "elastic net", "capped L1", "ard", "mm", "vb"}) {
    findings.push_back(
        {fmt::format("FLAS predicts better than {}, or comparably", other),
         fmt::format("test error flas{}, {}{}", along(results, "flas", error), other, along(results, other, error)),
         always(results, "flas", other, error, true)});
  }
  findings.push_back({"FLAS started at a ridge regression predicts better than the lasso",
                      fmt::format("test error{}", along(results, from_ridge, error)),
                      always(results, from_ridge, "lasso", error, true)});
  findings.push_back({"FLAS selects as well as the best alternatives",
                      fmt::format("F1 flas{}, pmf{}, ard{}", along(results, "flas", f1), along(results, "pmf", f1),
                                  along(results, "ard", f1)),
                      always(results, "flas", "pmf", f1, false) && always(results, "flas", "ard", f1, false)});
  return findings;
}

Picture picture(const Results& results) {
  Picture out{.title = "20 relevant features of 1000"};
  for (const std::string& which : {error, f1}) {
    Panel panel{.title = which, .x = {.label = "training samples"}, .y = {.label = which}};
    panel.y.logarithmic = which == error;  // some are ten times as far as others
    constexpr Index colors = 8;            // of the palette; those beyond are dashed
    Index color = 0;
    for (const ReferenceMethod& contender : contenders()) {
      const Dash dash = color < colors ? Dash::solid : Dash::dashed;
      panel.series.push_back(
          curve(results, "", contender.label, which, {.mark = Mark::line_and_points, .dash = dash, .color = color++}));
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

Experiment figure1(const std::string& kind, const std::string& title, const std::string& what) {
  std::vector<Setting> settings;
  for (const int n : {60, 80, 100, 120}) {
    settings.push_back({"", static_cast<double>(n), fmt::format("flas.{}-n{}", kind, n)});
  }
  return {
      .name = "flas.fig1-" + kind,
      .title = title,
      .source = paper + "Fig. 1",
      .shows = what +
               " on 200 new samples, F1 of the selection (precision and recall; the paper's is of sensitivity and "
               "specificity), and the time of a fit including its search; the paper starts FLAS at a ridge regression",
      .replicates = 50,
      .coordinate = "samples",
      .settings = settings,
      .measure = measure,
      .medians = {error},
      .check_claims = check_claims,
      .picture = picture};
}

}  // namespace

Experiment figure1_regression() {
  return figure1("regression", "regression: prediction and selection", "root mean squared error");
}

Experiment figure1_classification() {
  return figure1("classification", "classification: prediction and selection", "misclassification rate");
}

}  // namespace tamis::experiments::laplace
