// Figure 1: where the garrote of one feature has one solution and where two, and what it switches at.
#include <fmt/format.h>

#include <cmath>

#include "experiments/garrote/experiments.hpp"
#include "experiments/garrote/one_feature.hpp"
#include "experiments/reproduce/curves.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr double samples = 100;
const std::string phases = "phases at 100 samples";

void phase_plot(Recorder& record) {
  for (int k = 1; k < 200; ++k) {
    const double rho = k / 200.0;
    const OneFeature problem{samples, rho};
    if (const auto range = problem.coexistence()) {
      record.add_at({phases, rho, "two solutions, upper edge", "gamma"}, range->upper);
      record.add_at({phases, rho, "two solutions, lower edge", "gamma"}, range->lower);
      record.add_at({phases, rho, "equal F", "gamma"}, problem.switch_gamma());
    } else {
      record.add_at({phases, rho, "m = 1/2", "gamma"}, problem.switch_gamma());
    }
    record.add_at({phases, rho, "exact switch", "gamma"}, problem.exact_switch_gamma());
    record.add_at({phases, rho, "exact switch as printed", "gamma"}, -samples * rho / 2);
  }
}

// Stable solutions only: with three, the middle one is a maximum of F.
void solutions(Recorder& record, const std::string& panel, double gamma) {
  for (int k = 1; k < 400; ++k) {
    const double rho = k / 400.0;
    const OneFeature problem{samples, rho};
    const std::vector<double> all = problem.solutions(gamma);
    const double best = problem.best_inclusion(gamma);
    record.add_at({panel, rho, "lowest F", "m"}, best);
    if (all.size() < 3) continue;
    const bool other_is_high = best < 0.5;
    record.add_at({panel, rho, other_is_high ? "also stable, m ≈ 1" : "also stable, m ≈ 0", "m"},
                  logistic(other_is_high ? all.back() : all.front()));
  }
}

void measure(const Trial&, Recorder& record) {
  phase_plot(record);
  solutions(record, "gamma = -10", -10);
  solutions(record, "gamma = -40", -40);
  const OneFeature half{samples, 0.5};
  record.add("vg", "critical rho", critical_correlation(samples));
  record.add("vg", "critical gamma", critical_gamma(samples));
  record.add("vg", "switch at rho = 1/2", half.switch_gamma());
  record.add("exact", "switch at rho = 1/2", half.exact_switch_gamma());
}

std::vector<Finding> check_claims(const Results& results) {
  const double rho = results.value("", no_coordinate, "vg", "critical rho");
  const double gamma = results.value("", no_coordinate, "vg", "critical gamma");
  const double vg = results.value("", no_coordinate, "vg", "switch at rho = 1/2");
  const double exact = results.value("", no_coordinate, "exact", "switch at rho = 1/2");
  constexpr double printed_rho = 0.28, printed_switch = -samples / 4;
  const double approximate_gamma = -std::sqrt(2 * samples);
  return {{"two solutions coexist above rho* = 0.28 (caption)",
           fmt::format("Eq. 18 gives {:.4f}; 0.28 is its limit for many samples, 2 sqrt(2 / samples)", rho),
           std::abs(rho - printed_rho) < 0.005},
          {fmt::format("the exact solution switches at gamma = -samples rho / 2: {:g} at rho = 1/2", printed_switch),
           fmt::format("it switches at (samples / 2) log(1 - rho) = {:.3f}", exact),
           std::abs(exact - printed_switch) < 0.5},
          {"the best variational solution is close to the exact one", fmt::format("it switches at {:.3f}", vg),
           std::abs(vg - exact) < 0.01},
          {fmt::format("gamma* is about -sqrt(2 samples) = {:.2f} (Eq. 20)", approximate_gamma),
           fmt::format("{:.2f} exactly", gamma), std::abs(gamma / approximate_gamma - 1) < 0.1}};
}

Picture picture(const Results& results) {
  Panel plot{.title = "Phase plot, " + std::to_string(static_cast<int>(samples)) + " samples",
             .x = {.label = "ρ, squared correlation", .minimum = 0, .maximum = 1},
             .y = {.label = "γ, log prior odds", .minimum = -70, .maximum = 0}};
  plot.series = {curve(results, phases, "m = 1/2", "gamma", {.color = 0}),
                 curve(results, phases, "equal F", "gamma", {.color = 0}),
                 curve(results, phases, "two solutions, upper edge", "gamma", {.dash = Dash::dashed, .color = 1}),
                 curve(results, phases, "two solutions, lower edge", "gamma", {.dash = Dash::dash_dotted, .color = 2}),
                 curve(results, phases, "exact switch", "gamma", {.dash = Dash::dotted, .color = 6}),
                 curve(results, phases, "exact switch as printed", "gamma", {.dash = Dash::dotted, .color = 7})};
  plot.series[0].name = "vg switches";
  plot.series[1].name = "";
  plot.remarks = {{0.22, -45, "m ≈ 0"}, {0.75, -8, "m ≈ 1"}};
  Picture out{.title = "Variational garrote of one feature: one solution or two",
              .panels = {plot},
              .columns = 3,
              .panel_width = 360,
              .panel_height = 300};
  for (const std::string panel : {"gamma = -10", "gamma = -40"}) {
    Panel inset{.title = panel == "gamma = -10" ? "γ = -10: continuous" : "γ = -40: a jump, with hysteresis",
                .x = {.label = "ρ, squared correlation", .minimum = 0, .maximum = 1},
                .y = {.label = "m, inclusion", .minimum = -0.03, .maximum = 1.03}};
    inset.series = {curve(results, panel, "lowest F", "m")};
    for (const char* branch : {"also stable, m ≈ 1", "also stable, m ≈ 0"}) {
      Series other = curve(results, panel, branch, "m", {.dash = Dash::dashed, .color = 1});
      if (other.x.empty()) continue;
      other.name = inset.series.size() == 1 ? "also stable" : "";
      inset.series.push_back(std::move(other));
    }
    out.panels.push_back(inset);
  }
  return out;
}

}  // namespace

Experiment figure1() {
  return {.name = "vg.fig1",
          .title = "phase diagram of the garrote with one feature",
          .source = paper + "Fig. 1 (Eqs. 15-20)",
          .shows =
              "the range of gamma in which two solutions coexist, and where the solution of lowest free energy and the "
              "exact MAP solution switch; m against rho at gamma = -10 and -40",
          .replication = Replication::calculation,
          .settings = {{}},
          .measure = measure,
          .paper = {{.place = {"", no_coordinate, "vg", "critical rho"}, .value = 0.28},
                    {.place = {"", no_coordinate, "vg", "critical gamma"}, .value = -std::sqrt(2 * samples)},
                    {.place = {"", no_coordinate, "exact", "switch at rho = 1/2"}, .value = -samples / 4}},
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
