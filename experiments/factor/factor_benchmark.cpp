#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/factor/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::factor_models {

FactorContender sampler(const std::string& prior, double burn_in, double samples, double chains) {
  FactorContender contender{prior, prior, {{"burn_in", burn_in}, {"samples", samples}, {"chains", chains}}};
  if (prior != "spike-slab") contender.options["leapfrog_steps"] = 5.0;
  return contender;
}

FactorContender usual(const std::string& prior) {
  if (prior == "spike-slab") return sampler(prior, 200, 300, 2);
  const bool samples = factor_prior(prior).is_sampler();
  return samples ? sampler(prior, 150, 150, 1) : FactorContender{prior, prior};
}

FactorBenchmark::FactorBenchmark(const Trial& trial, const std::string& family, Recorder& record)
    : trial_(trial), record_(record) {
  if (trial.table != nullptr) {
    if (trial.table->sparse) {
      problem_.sparse = &*trial.table->sparse;
    } else {
      problem_.dense = trial.table->dense();
    }
  } else {
    drawn_ = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
    problem_.dense = drawn_.train.X;
  }
  problem_.family = family;
  problem_.factors = static_cast<Index>(trial.setting.x);
  problem_.test_cells = draw_test_cells(problem_, 0.1, trial.seed);
}

FactorResult FactorBenchmark::fit(const FactorContender& contender, bool predict_cells) {
  problem_.intercept = contender.intercept;
  FactorResult result =
      factor_prior(contender.prior)
          .fit(problem_, contender.options,
               {.seed = trial_.seed, .threads = 1, .predict_cells = predict_cells, .observer = trial_.observer});
  record_.add(contender.label, nlp, *result.fit.nlp_bits);
  record_.add(contender.label, rmse, *result.fit.rmse);
  return result;
}

// The last three fifths of the sweeps are draws.
void FactorBenchmark::fit_time_matched(const FactorResult& l1, const FactorResult& full) {
  const auto option = [&](const char* name) { return std::get<double>(full.fit.options.at(name)); };
  const double per_sweep = full.fit.seconds / (option("chains") * (option("burn_in") + option("samples")));
  const double sweeps = std::clamp(std::floor(l1.fit.seconds / per_sweep), 5.0, 1e5);
  const double burn_in = std::floor(0.4 * sweeps);
  const FactorResult own =
      fit({matched, "spike-slab", {{"burn_in", burn_in}, {"samples", sweeps - burn_in}, {"chains", 1.0}}});
  record_.add("l1", seconds, l1.fit.seconds);
  record_.add("spike-slab", seconds, full.fit.seconds);
  record_.add(matched, seconds, own.fit.seconds);
}

void FactorBenchmark::score(const std::string& label, std::span<const double> probabilities) {
  double bits = 0, squares = 0;
  for (Index i = 0; i < std::ssize(probabilities); ++i) {
    const double on = probabilities[i], value = problem_.test_cells[i].value;
    bits -= std::log(value != 0 ? on : 1 - on) / std::numbers::ln2;
    squares += (value - on) * (value - on);
  }
  record_.add(label, nlp, bits);
  record_.add(label, rmse, std::sqrt(squares / static_cast<double>(probabilities.size())));
}

std::vector<Setting> factor_settings(const std::string& panel, const std::string& design,
                                     const std::map<std::string, double>& parameters,
                                     const std::vector<double>& factors) {
  std::vector<Setting> settings;
  settings.reserve(factors.size());
  for (const double count : factors) {
    settings.push_back({.panel = panel, .x = count, .design = design, .parameters = parameters});
  }
  return settings;
}

Picture factor_picture(const Results& results, const std::string& title, const std::string& panel,
                       const std::vector<std::string>& methods) {
  const bool leaves_out = std::find(methods.begin(), methods.end(), unpenalized) != methods.end();
  Picture picture{.title = leaves_out ? title + " (" + unpenalized + " is off the scale)" : title};
  for (const std::string& measure : {nlp, rmse}) {
    Panel each{.x = {.label = "factors"}, .y = {.label = measure}};
    Index color = 0;
    for (const std::string& method : methods) {
      if (method == unpenalized) continue;
      each.series.push_back(curve(results, panel, method, measure, {.mark = Mark::line_and_points, .color = color++}));
    }
    picture.panels.push_back(std::move(each));
  }
  return picture;
}

Finding lower_at(const Results& results, const std::string& panel, double x, const std::string& measure,
                 const std::string& better, const std::string& worse, const std::string& claim) {
  const double ours = results.value(panel, x, better, measure), theirs = results.value(panel, x, worse, measure);
  return {claim, fmt::format("{} at {:g} factors: {} {:.4g}, {} {:.4g}", measure, x, better, ours, worse, theirs),
          ours < theirs};
}

}  // namespace tamis::experiments::factor_models
