// Figure 6: distance from the true weights against the noise, with weakly (a) and strongly (b) correlated inputs, and
// with few samples and correlations of both signs (c).
#include <fmt/format.h>

#include <array>

#include "experiments/garrote/experiments.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr std::array noises = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0};
const std::vector<std::string> methods = {"lasso", "pmf", "pmf-anneal", "vg"};
const std::string error = "L1 error", wrong = "fraction of runs with L1 error above 1";

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& [panel, design] :
       {std::pair{"a", "vg.noise"}, {"b", "vg.noise-correlated"}, {"c", "vg.noise-mixed"}}) {
    for (const double noise : noises) {
      all.push_back({panel, noise, design, {{"noise_variance", noise}, {"test", 0}}});
    }
  }
  return all;
}

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  for (const Contender& contender :
       {lasso(), paired_mean_field(), annealed_paired_mean_field(), variational_garrote()}) {
    const Fit fit = benchmark.fit(contender);
    const double distance = l1_distance(fit.coefficients, benchmark.drawn().truth.coefficients.column(0));
    record.add(contender.label, error, distance);
    // The weights are 1 or -1: this much is wrong only when one of them is missed or in another place.
    record.add(contender.label, wrong, distance > 1 ? 1 : 0);
  }
}

// Mean error over the noises up to `largest`: the end where only local minima can do harm.
double at_low_noise(const Results& results, std::string_view panel, std::string_view method, std::string_view measure,
                    double largest) {
  double sum = 0, count = 0;
  for (const double noise : noises) {
    if (noise > largest) continue;
    sum += results.value(panel, noise, method, measure);
    ++count;
  }
  return sum / count;
}

Finding mean_comparison(const Results& results, const char* panel, const std::string& claim, double largest,
                        bool holds) {
  std::string ours = fmt::format("mean error at noise variance up to {:g}: ", largest);
  for (const std::string& method : methods) {
    ours += fmt::format("{} {:.3g}, ", method, at_low_noise(results, panel, method, error, largest));
  }
  return {claim, ours.substr(0, ours.size() - 2), holds};
}

std::vector<Finding> check_claims(const Results& results) {
  const auto low = [&](const char* panel, const char* method) {
    return at_low_noise(results, panel, method, error, 1e-3);
  };
  const auto at = [&](double noise, const char* method) { return results.value("a", noise, method, error); };
  const double vg_ratio = at(1e-8, "vg") / at(1e-4, "vg"), lasso_ratio = at(1e-8, "lasso") / at(1e-4, "lasso");
  const double pmf_ratio = at(1e-8, "pmf") / at(1e-4, "pmf");
  return {{"a: between noise 1e-2 and 1 vg and pmf are better than the lasso",
           fmt::format("at 1e-1: vg {:.3g}, pmf {:.3g}, lasso {:.3g}", at(0.1, "vg"), at(0.1, "pmf"), at(0.1, "lasso")),
           at(0.1, "vg") < at(0.1, "lasso") && at(0.1, "pmf") < at(0.1, "lasso")},
          {"a: towards zero noise the errors of vg and pmf keep falling, the lasso's does not",
           fmt::format("error at 1e-8 over error at 1e-4: vg {:.3g}, pmf {:.3g}, lasso {:.3g}", vg_ratio, pmf_ratio,
                       lasso_ratio),
           vg_ratio < 0.1 && pmf_ratio < 0.1 && lasso_ratio > 0.5},
          mean_comparison(results, "b", "b: vg is better than pmf", 1e-3, low("b", "vg") < low("b", "pmf")),
          mean_comparison(results, "b", "b: vg is about as good as pmf-anneal", 1e-3,
                          low("b", "vg") < 2 * low("b", "pmf-anneal") && low("b", "pmf-anneal") < 2 * low("b", "vg")),
          mean_comparison(results, "c", "c: vg is better than all others on average", 1e-3,
                          low("c", "vg") < low("c", "pmf-anneal") && low("c", "vg") < low("c", "pmf") &&
                              low("c", "vg") < low("c", "lasso"))};
}

Picture picture(const Results& results) {
  Picture out{.title = "Error of the weights against the noise", .columns = 3, .panel_width = 330, .panel_height = 250};
  for (const Shown shown : {Shown::mean, Shown::median}) {
    for (const auto& [panel, title] :
         {std::pair{"a", "a: correlation 0.5"}, {"b", "b: correlation 0.95"}, {"c", "c: both signs, 60 samples"}}) {
      Panel plot = method_panel(results, panel, methods, error, shown);
      plot.title = std::string(title) + (shown == Shown::mean ? ", mean" : ", median");
      plot.x = {.label = "noise variance", .logarithmic = true};
      plot.y = {.label = "Σ |v - w|", .logarithmic = true, .minimum = 3e-5, .maximum = 1e2};
      out.panels.push_back(std::move(plot));
    }
  }
  return out;
}

}  // namespace

Experiment figure6() {
  return {.name = "vg.fig6",
          .title = "accuracy as a function of the noise variance",
          .source = paper + "Fig. 6",
          .shows =
              "sum |v - w| for ten unit weights among 100 features; 100 training and 20 validation samples with "
              "correlation 0.5 (a) and 0.95 (b); 60 and 5 with weights and correlations of both signs (c); the "
              "fraction of runs with sum |v - w| > 1, where a weight is missed or misplaced",
          .replicates = 50,
          .coordinate = "noise variance",
          .settings = settings(),
          .measure = measure,
          .medians = {error},
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
