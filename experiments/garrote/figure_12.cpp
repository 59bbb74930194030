// Figure 12: the function whose fixed points are the solutions of the garrote with one feature.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/garrote/experiments.hpp"
#include "experiments/garrote/one_feature.hpp"
#include "experiments/reproduce/curves.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr double samples = 100;
constexpr std::array gammas = {-10.0, -30.0};
// Around the correlation at which the solution moves from 0 to 1.
constexpr std::array<std::array<double, 6>, 2> correlations = {
    {{0.1, 0.14, 0.17, 0.2, 0.23, 0.26}, {0.3, 0.4, 0.44, 0.48, 0.52, 0.6}}};
const std::string f = "f(m)", count = "solutions";

std::string panel_of(double gamma) { return fmt::format("gamma = {:g}", gamma); }
std::string line_of(double correlation) { return fmt::format("ρ = {:g}", correlation); }

// Differences of F over a step in log odds. Beyond log odds of 12 they drown in rounding, and solutions closer than two
// steps are about to merge.
constexpr double step = 0.1, largest_log_odds = 12;

// Whether F is least (1), greatest (-1) or neither (0) at these log odds among near ones.
int kind_of(const OneFeature& problem, double log_odds, double gamma) {
  const double here = problem.free_energy(log_odds, gamma);
  const double below = problem.free_energy(log_odds - step, gamma) - here;
  const double above = problem.free_energy(log_odds + step, gamma) - here;
  return below > 0 && above > 0 ? 1 : below < 0 && above < 0 ? -1 : 0;
}

// Everything about the solutions at one gamma and a fine grid of rho.
void record_solutions(Recorder& record, double gamma) {
  double most = 0, fewest = HUGE_VAL, rises = 1, last = 0, as_claimed = 1;
  for (int k = 1; k < 1000; ++k) {
    const OneFeature problem{samples, k / 1000.0};
    const std::vector<double> all = problem.solutions(gamma);
    most = std::max(most, static_cast<double>(all.size()));
    fewest = std::min(fewest, static_cast<double>(all.size()));
    for (Index i = 0; i < std::ssize(all); ++i) {
      if (std::abs(all[i]) > largest_log_odds) continue;
      if ((i > 0 && all[i] - all[i - 1] < 2 * step) || (i + 1 < std::ssize(all) && all[i + 1] - all[i] < 2 * step)) {
        continue;
      }
      if (kind_of(problem, all[i], gamma) != (all.size() == 3 && i == 1 ? -1 : 1)) as_claimed = 0;
    }
    const double m = logistic(all.front());
    if (all.size() == 1 && m < last) rises = 0;
    last = m;
  }
  const std::string method = panel_of(gamma);
  record.add(method, "most solutions", most);
  record.add(method, "fewest solutions", fewest);
  record.add(method, "the solution rises with rho", rises);
  record.add(method, "outer solutions are minima of F, the middle one a maximum", as_claimed);
}

void measure(const Trial&, Recorder& record) {
  for (Index g = 0; g < std::ssize(gammas); ++g) {
    const double gamma = gammas[g];
    for (const double rho : correlations[g]) {
      for (int k = 0; k <= 200; ++k) {
        const double m = k / 200.0;
        record.add_at({panel_of(gamma), m, line_of(rho), f},
                      logistic(gamma + 0.5 * samples * rho / (1 - rho * m)));  // Eq. 15
      }
      for (const double log_odds : OneFeature{samples, rho}.solutions(gamma)) {
        record.add_at({panel_of(gamma), logistic(log_odds), "solutions", f}, logistic(log_odds));
      }
    }
    for (const double m : {0.0, 1.0}) record.add_at({panel_of(gamma), m, "diagonal", f}, m);
    record_solutions(record, gamma);
  }
}

std::vector<Finding> check_claims(const Results& results) {
  const auto at = [&](double gamma, const char* what) {
    return results.value("", no_coordinate, panel_of(gamma), what);
  };
  return {{"a: at gamma = -10 the solution is unique and rises with rho",
           fmt::format("{:g} to {:g} solutions for rho from .001 to .999{}", at(-10, "fewest solutions"),
                       at(-10, "most solutions"),
                       at(-10, "the solution rises with rho") == 1 ? ", rising" : ", not always rising"),
           at(-10, "most solutions") == 1 && at(-10, "the solution rises with rho") == 1},
          {"b: at gamma = -30 there are one or three solutions, depending on rho",
           fmt::format("{:g} to {:g} solutions", at(-30, "fewest solutions"), at(-30, "most solutions")),
           at(-30, "fewest solutions") == 1 && at(-30, "most solutions") == 3},
          {"the solutions near 0 and 1 are minima of F, the one between them a maximum",
           at(-30, "outer solutions are minima of F, the middle one a maximum") == 1 ? "at every rho on a grid of 999"
                                                                                     : "not at every rho",
           at(-30, "outer solutions are minima of F, the middle one a maximum") == 1}};
}

Picture picture(const Results& results) {
  Picture out{.title = "Solutions of the garrote with one feature: where f(m) crosses the diagonal",
              .panels = {},
              .panel_width = 430,
              .panel_height = 380};
  for (Index g = 0; g < std::ssize(gammas); ++g) {
    const double gamma = gammas[g];
    Panel panel{.title = fmt::format("{}: γ = {:g}, {:g} samples", g == 0 ? 'a' : 'b', gamma, samples),
                .x = {.label = "m", .minimum = -0.02, .maximum = 1.02},
                .y = {.label = f, .minimum = -0.02, .maximum = 1.02}};
    Index color = 0;
    for (const double rho : correlations[g]) {
      panel.series.push_back(curve(results, panel_of(gamma), line_of(rho), f, {.color = color++}));
    }
    panel.series.push_back(curve(results, panel_of(gamma), "diagonal", f, {.dash = Dash::dotted, .color = 7}));
    panel.series.push_back(curve(results, panel_of(gamma), "solutions", f, {.mark = Mark::points, .color = 7}));
    out.panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace

Experiment figure12() {
  return {.name = "vg.fig12",
          .title = "the fixed points of the garrote with one feature",
          .source = paper + "Fig. 12 (Appendix A, Eq. 15)",
          .shows =
              "f(m) against m for six values of rho at gamma = -10 and -30, with the solutions f(m) = m; number and "
              "kind of the solutions on a grid of 999 values of rho",
          .replication = Replication::calculation,
          .settings = {{}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
