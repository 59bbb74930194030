// Figure 2: what each method makes of one weight.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/garrote/experiments.hpp"
#include "experiments/garrote/one_feature.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr double samples = 100, gamma = -10, noise = 1;
const std::string estimate = "estimate";

// y = w x + noise with unit x: the squared correlation is w^2 / (w^2 + noise).
double garrote_estimate(double w) {
  const double rho = w * w / (w * w + noise);
  return rho > 0 ? OneFeature{samples, rho}.best_inclusion(gamma) * w : 0;
}

void measure(const Trial&, Recorder& record) {
  for (int k = 0; k <= 200; ++k) {
    const double w = k / 100.0;
    record.add_at({"", w, "ols", estimate}, w);
    record.add_at({"", w, "ridge", estimate}, 0.5 * w);
    record.add_at({"", w, "garrote", estimate}, w > 0 ? std::max(0.0, 1 - 0.25 / (w * w)) * w : 0);
    record.add_at({"", w, "lasso", estimate}, std::max(0.0, w - 0.5));
    record.add_at({"", w, "vg", estimate}, garrote_estimate(w));
  }
}

std::vector<Finding> check_claims(const Results& results) {
  const double small = results.value("", 0.25, "vg", estimate), large = results.value("", 1, "vg", estimate);
  return {{"vg is close to zero for small w and the least squares solution above a threshold",
           fmt::format("{:.5f} at w = 0.25, {:.5f} at w = 1", small, large), small < 0.01 && large > 0.99},
          {"lasso and ridge shrink large weights",
           fmt::format("{:.2f} and {:.2f} at w = 1", results.value("", 1, "lasso", estimate),
                       results.value("", 1, "ridge", estimate)),
           results.value("", 1, "lasso", estimate) < 0.9 && results.value("", 1, "ridge", estimate) < 0.9}};
}

Picture picture(const Results& results) {
  Panel panel{.x = {.label = "w, least squares", .minimum = 0, .maximum = 2},
              .y = {.label = "estimate", .minimum = 0, .maximum = 2}};
  panel.series = {curve(results, "", "ols", estimate, {.dash = Dash::dotted, .color = 7}),
                  curve(results, "", "ridge", estimate, {.dash = Dash::dash_dotted, .color = 3}),
                  curve(results, "", "lasso", estimate, {.dash = Dash::dashed, .color = 1}),
                  curve(results, "", "garrote", estimate, {.color = 2}), curve(results, "", "vg", estimate)};
  return {.title = "Estimates of one weight by each method",
          .panels = {panel},
          .columns = 1,
          .panel_width = 420,
          .panel_height = 340};
}

}  // namespace

Experiment figure2() {
  return {.name = "vg.fig2",
          .title = "shrinkage of one weight by each method",
          .source = paper + "Fig. 2",
          .shows =
              "estimates against the least squares estimate: vg with gamma = -10, 100 samples and unit noise; ridge "
              "with shrinkage factor 1/2; lasso with threshold 1/2; Breiman's garrote with 1/4",
          .replication = Replication::calculation,
          .settings = {{}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
