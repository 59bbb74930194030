// Noiseless recovery against sparsity and samples: the limit that section 6 of the garrote paper calls compressed
// sensing and leaves open.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "experiments/garrote/experiments.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr std::array sampling = {0.2, 0.35, 0.5, 0.65, 0.8};          // n / p
constexpr std::array sparsity = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};  // k / n
constexpr std::array small_sampling = {0.25, 0.5, 0.75};
constexpr std::array small_sparsity = {0.25, 0.5, 0.75};
constexpr double features = 100, few_features = 16;
// A response without noise is fitted at this variance by the methods that need one; recovered is what is off by less
// than a hundredth of the truth, as in ard.recovery.
constexpr double no_noise = 1e-8, recovered_error = 1e-2;
const std::string recovered = "recovered";

struct Road {
  std::string label;
  std::string method;
  std::map<std::string, OptionValue> options = {};
  int folds = 10;
};

// The lasso at a vanishing penalty is basis pursuit: least |b|_1 of all solutions.
std::vector<Road> roads(bool few) {
  std::vector<Road> all = {{"vg", "vg"},
                           {"vg (end of path)", "vg", {}, 0},
                           {"ard", "ard", {{"noise_variance", no_noise}, {"anneal", true}}},
                           {"lasso", "lasso", {{"penalty", 1e-5}}}};
  if (few) all.push_back({"exact", "exact", {{"noise_variance", no_noise}, {"slab_variance", 1.0}}});
  return all;
}

std::string panel_of(double p, double k_of_n) { return fmt::format("{:g} features, k/n = {:g}", p, k_of_n); }

double relative_error(std::span<const double> b, std::span<const double> truth) {
  double error = 0, size = 0;
  for (Index j = 0; j < std::ssize(b); ++j) {
    error += (b[j] - truth[j]) * (b[j] - truth[j]);
    size += truth[j] * truth[j];
  }
  return std::sqrt(error / size);
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign X(drawn.train.X);
  const Problem problem{
      .X = X, .y = drawn.train.y.column(0), .likelihood = family("gaussian"), .intercept = false, .standardize = false};
  for (const Road& road : roads(trial.setting.parameters.at("p") == few_features)) {
    const Control control{.seed = trial.seed, .threads = 1, .folds = road.folds, .observer = trial.observer};
    const Fit fit = tamis::fit(problem, road.method, road.options, control);
    record.ended(road.label, fit.status == Status::converged);
    const bool found = relative_error(fit.coefficients, drawn.truth.coefficients.column(0)) < recovered_error;
    record.add(road.label, recovered, found ? 1 : 0);
    record.add(road.label, "seconds", fit.seconds);
  }
}

void add_settings(double p, std::span<const double> samples, std::span<const double> sparsities,
                  std::vector<Setting>& all) {
  for (const double k_of_n : sparsities) {
    for (const double n_of_p : samples) {
      const double n = std::round(n_of_p * p);
      all.push_back({panel_of(p, k_of_n),
                     n_of_p,
                     "ard.recovery",
                     {{"n", n}, {"p", p}, {"active", std::max(1.0, std::round(k_of_n * n))}}});
    }
  }
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  add_settings(features, sampling, sparsity, all);
  add_settings(few_features, small_sampling, small_sparsity, all);
  return all;
}

// Share recovered over the whole grid.
double mean_share(const Results& results, double p, std::span<const double> samples, std::span<const double> sparsities,
                  const std::string& method) {
  double sum = 0;
  for (const double k_of_n : sparsities) {
    for (const double n_of_p : samples) sum += results.value(panel_of(p, k_of_n), n_of_p, method, recovered);
  }
  return sum / static_cast<double>(samples.size() * sparsities.size());
}

std::vector<Finding> check_claims(const Results& results) {
  const auto many = [&](const char* method) { return mean_share(results, features, sampling, sparsity, method); };
  const auto few = [&](const char* method) {
    return mean_share(results, few_features, small_sampling, small_sparsity, method);
  };
  Index fits = 0, unfinished = 0;
  for (const char* method : {"vg", "vg (end of path)"}) {
    const auto ended = results.endings.find(method);
    if (ended == results.endings.end()) continue;
    fits += ended->second.fits;
    unfinished += ended->second.unfinished;
  }
  return {
      {"vg is excellent in the zero noise limit: it recovers more than the lasso (basis pursuit)",
       fmt::format("share recovered over the grid of {:g} features: vg {:.2f}, at the end of its path {:.2f}, ard "
                   "{:.2f}, lasso {:.2f}",
                   features, many("vg"), many("vg (end of path)"), many("ard"), many("lasso")),
       many("vg") > many("lasso")},
      {"the sparsest solution (L0) is the best that can be done",
       fmt::format("{:g} features: exact {:.2f}, vg {:.2f}, at the end of its path {:.2f}, ard {:.2f}, lasso {:.2f}",
                   few_features, few("exact"), few("vg"), few("vg (end of path)"), few("ard"), few("lasso")),
       few("exact") >= few("vg") && few("exact") >= few("ard") && few("exact") >= few("lasso")},
      {"(not in the paper) vg converges where there is no noise",
       fmt::format("{} of {} fits did not", unfinished, fits), unfinished == 0}};
}

Panel phase_diagram(const Results& results, double p, std::span<const double> samples,
                    std::span<const double> sparsities, const std::string& method) {
  Panel panel{.title = fmt::format("{}, {:g} features", method, p), .x = {.label = "n/p"}, .y = {.label = "k/n"}};
  HeatMap map{.values = Matrix(std::ssize(sparsities), std::ssize(samples)), .least = 0, .most = 1};
  for (const double n_of_p : samples) panel.x.names.push_back(fmt::format("{:g}", n_of_p));
  // The densest on top.
  for (Index r = 0; r < std::ssize(sparsities); ++r) {
    const double k_of_n = sparsities[sparsities.size() - 1 - r];
    panel.y.names.push_back(fmt::format("{:g}", k_of_n));
    for (Index c = 0; c < std::ssize(samples); ++c) {
      map.values(r, c) = results.value(panel_of(p, k_of_n), samples[c], method, recovered);
    }
  }
  panel.heat_map = std::move(map);
  return panel;
}

Picture picture(const Results& results) {
  Picture out{.title = "Share of noiseless vectors recovered, from none (blue) to all (red)",
              .panels = {},
              .columns = 3,
              .panel_width = 300,
              .panel_height = 260};
  for (const Road& road : roads(false)) {
    out.panels.push_back(phase_diagram(results, features, sampling, sparsity, road.label));
  }
  for (const char* method : {"vg (end of path)", "exact"}) {
    out.panels.push_back(phase_diagram(results, few_features, small_sampling, small_sparsity, method));
  }
  return out;
}

}  // namespace

Experiment compressed_sensing() {
  return {.name = "vg.compressed-sensing",
          .title = "recovery without noise against sparsity and samples",
          .source = paper + "section 6 (named there as the limit of zero noise, without numbers)",
          .shows =
              "fraction of data sets with |v - w| < 0.01 |w|, k of p standard normal weights from n noiseless "
              "equations with normal coefficients: vg with gamma by 10-fold cross-validation, and at the last point of "
              "its path without; ard (annealed) and exact at noise variance 1e-8; lasso at penalty 1e-5 (basis "
              "pursuit); exact with 16 features only",
          .replicates = 20,
          .coordinate = "n/p",
          .settings = settings(),
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
