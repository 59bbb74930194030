// Figure 3: where em and gradient steps take the weight and the rate of an irrelevant feature.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "experiments/masking/experiments.hpp"
#include "method/masking/mask_gradient.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::masking {
namespace {

constexpr int starts = 10;
constexpr Index most_iterations = 5000;
const std::string em = "em", plain = "eg without reparametrization", eg = "eg";
const std::array<std::string, 3> algorithms = {em, plain, eg};
const std::string weight = "beta_1", rate = "pi_1", taken = "iterations until pruned", done = "pruned";

// On the line from (.05, .95) to (.5, .5); the paper says "diagonally in the upper right".
void begin(MaskState& state, int start) {
  const double share = static_cast<double>(start) / (starts - 1);
  MaskFeature &irrelevant = state.feature(0), &relevant = state.feature(1);
  irrelevant.beta = 0.05 + 0.45 * share;
  irrelevant.log_odds = logit(0.95 - 0.45 * share);
  relevant.beta = 1;
  state.make_certain(1);
  state.rebuild_residual();
}

// The learning coefficients of section 5.2.2.
void step(MaskState& state, const std::string& algorithm) {
  if (algorithm == em) {
    maximize_weights(state);
    maximize_rates(state);
  } else if (algorithm == eg) {
    gradient_step(state, {.weights = 2e-6});
  } else {
    gradient_step(state, {.weights = 2e-4, .rates = 2e-4, .reparametrized = false});
  }
}

// 0, 1, ..., 10, then ever wider.
bool shown(Index iteration) {
  for (Index unit = 1; unit <= most_iterations; unit *= 10) {
    if (iteration <= 10 * unit) return iteration % unit == 0;
  }
  return false;
}

void follow(const Simulation& drawn, const std::string& algorithm, int start, Recorder& record) {
  MaskState state(plain_data(drawn));
  state.start(drawn.truth.noise_variance);
  begin(state, start);
  const std::string name = fmt::format("start {}", start + 1);
  Index iteration = 0;
  double now = state.feature(0).rate();
  for (;; ++iteration) {
    if (shown(iteration) || now == 0) {
      record.add_at({algorithm, static_cast<double>(iteration), name, weight}, state.feature(0).beta);
      record.add_at({algorithm, static_cast<double>(iteration), name, rate}, now);
    }
    if (iteration == most_iterations || now == 0) break;
    for (const Index k : state.active) expect_masks(state, k);
    if (state.feature(0).sums.on < 0.5) {
      now = 0;  // pruned: its rate is below 1 / (2 N)
      continue;
    }
    step(state, algorithm);
    now = state.feature(0).rate();
  }
  record.add_at({algorithm, no_coordinate, name, done}, now == 0 ? 1 : 0);
  record.add_at({algorithm, no_coordinate, name, taken}, static_cast<double>(iteration));
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  for (const std::string& algorithm : algorithms) {
    for (int start = 0; start < starts; ++start) follow(drawn, algorithm, start, record);
  }
}

// Means over starts.
struct Tally {
  double pruned = 0;      // share of the sets
  double iterations = 0;  // median over the sets
};

Tally tally(const Results& results, const std::string& algorithm) {
  Tally out;
  for (int start = 1; start <= starts; ++start) {
    const std::string name = fmt::format("start {}", start);
    out.pruned += results.value(algorithm, no_coordinate, name, done) / starts;
    out.iterations += results.value(algorithm, no_coordinate, name, taken) / starts;
  }
  return out;
}

std::vector<Finding> check_claims(const Results& results) {
  const Tally by_em = tally(results, em), by_plain = tally(results, plain), by_eg = tally(results, eg);
  const std::string ours = fmt::format(
      "fraction pruned within {} iterations: em {:.2f}, eg without reparametrization {:.2f}, eg {:.2f}; median "
      "iterations (mean over starts) {:.0f}, {:.0f} and {:.0f}",
      most_iterations, by_em.pruned, by_plain.pruned, by_eg.pruned, by_em.iterations, by_plain.iterations,
      by_eg.iterations);
  return {
      {"em is trapped around beta_1 = 0; eg prunes with fewer iterations", ours, by_eg.iterations < by_em.iterations},
      {"eg without reparametrization is trapped too", ours, by_plain.iterations > by_eg.iterations}};
}

// The first set on which eg prunes from most starts: on some, chance makes the feature look relevant.
Index typical_set(const Results& results) {
  std::map<Index, double> pruned;
  for (const Observation& seen : results.observations) {
    if (seen.place.panel == eg && seen.place.measure == done) pruned[seen.replicate] += seen.value;
  }
  const auto best = std::ranges::max_element(pruned, {}, [](const auto& set) { return set.second; });
  return best != pruned.end() ? best->first : 0;
}

Picture picture(const Results& results) {
  Picture out{.title = "Weight and rate of an irrelevant feature from ten starts, one data set",
              .panels = {},
              .columns = 3,
              .panel_width = 330};
  const Index set = typical_set(results);
  for (const std::string& algorithm : algorithms) {
    Panel panel{.title = algorithm,
                .x = {.label = "beta_1", .minimum = -0.05, .maximum = 0.6},
                .y = {.label = "pi_1", .minimum = 0.0, .maximum = 1.0}};
    std::map<std::string, Series> paths;
    for (const Observation& seen : results.observations) {
      if (seen.replicate != set || seen.place.panel != algorithm) continue;
      Series& path = paths[seen.place.method];
      if (seen.place.measure == weight) path.x.push_back(seen.value);
      if (seen.place.measure == rate) path.y.push_back(seen.value);
    }
    Index color = 0;
    for (auto& [name, path] : paths) {
      path.mark = Mark::line_and_points;
      path.color = color++;
      panel.series.push_back(std::move(path));
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace

Experiment figure3() {
  return {.name = "bm.fig3",
          .title = "trajectories of an irrelevant feature's weight and rate",
          .source = paper + "Fig. 3",
          .shows =
              "beta_1 and pi_1 by iteration from ten starts on a diagonal (the paper does not print them), 100 "
              "samples, noise known, beta_2 at its true value and unmasked; learning rates 2e-6 (eg) and 2e-4 (without "
              "reparametrization) as in the paper",
          .replicates = 20,
          .coordinate = "iteration",
          .settings = {{.design = "bm.k2", .parameters = {{"pairs", 50}, {"test_pairs", 0}}}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::masking
