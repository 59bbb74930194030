// Figure 1 of the masking paper: how lasso and ARD shrink the least-squares estimate of one feature, by the formulas
// (Eqs 7 and 8) and by our own fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::relevance {
namespace {

constexpr Index samples = 20;
constexpr double noise = 0.25;
constexpr double strength = 2;  // alpha of the lasso
const std::string panel = "estimate against least squares", value = "estimate";

// One feature of squared length `samples`, and the response whose least-squares estimate is b: x b plus what x cannot
// see.
struct OneDimension {
  explicit OneDimension(double b) : x(samples, 1), y(samples) {
    for (Index i = 0; i < samples; ++i) {
      x(i, 0) = i % 2 == 0 ? 1.0 : -1.0;
      y[i] = b * x(i, 0) + (i % 4 < 2 ? 0.3 : -0.3);
    }
  }
  Fit fit(std::string_view method, const std::map<std::string, OptionValue>& options) const {
    const DenseDesign design(x);
    const Problem problem{
        .X = design, .y = y, .likelihood = family("gaussian"), .intercept = false, .standardize = false};
    return tamis::fit(problem, method, options, {.threads = 1});
  }
  Matrix x;
  std::vector<double> y;
};

double shrunk(double b, double by) { return std::copysign(std::max(0.0, std::abs(b) - by), b); }

void measure(const Trial&, Recorder& record) {
  double worst_lasso = 0, worst_ard = 0;
  const double xx = static_cast<double>(samples);
  for (int k = -60; k <= 60; ++k) {
    const double b = k / 60.0;
    const OneDimension data(b);
    // Eq. 7 with its constant as the derivation has it, alpha / (lambda x'x); lambda = 1 / noise.
    const double lasso = shrunk(b, strength * noise / xx);
    const double ard = b == 0 ? 0.0 : shrunk(b, noise / (xx * std::abs(b)));  // Eq. 8
    record.add_at({panel, b, "least squares", value}, b);
    record.add_at({panel, b, "lasso (Eq. 7)", value}, lasso);
    record.add_at({panel, b, "ARD (Eq. 8)", value}, ard);
    const double fitted_lasso =
        data.fit("lasso", {{"penalty", strength * noise / xx}, {"tolerance", 1e-10}}).coefficients[0];
    const double fitted_ard = data.fit("ard", {{"noise_variance", noise}}).coefficients[0];
    worst_lasso = std::max(worst_lasso, std::abs(fitted_lasso - lasso));
    worst_ard = std::max(worst_ard, std::abs(fitted_ard - ard));
  }
  record.add("lasso", "largest difference between fit and formula", worst_lasso);
  record.add("ard", "largest difference between fit and formula", worst_ard);
}

std::vector<Finding> check_claims(const Results& results) {
  const auto at = [&](double b, const char* method) { return b - results.value(panel, b, method, value); };
  const double lasso_small = at(0.5, "lasso (Eq. 7)"), lasso_large = at(1, "lasso (Eq. 7)");
  const double ard_small = at(0.5, "ARD (Eq. 8)"), ard_large = at(1, "ARD (Eq. 8)");
  const double apart = results.value("", no_coordinate, "ard", "largest difference between fit and formula");
  return {{"lasso shifts every estimate by the same value",
           fmt::format("by {:.4f} at 1/2 and {:.4f} at 1", lasso_small, lasso_large),
           std::abs(lasso_small - lasso_large) < 1e-12},
          {"the shrinkage of ARD is larger when the least-squares estimate is smaller",
           fmt::format("by {:.4f} at 1/2 and {:.4f} at 1", ard_small, ard_large), ard_small > 1.5 * ard_large},
          {"the estimator of one feature is analytic (Eq. 8)", fmt::format("our fits differ from it by {:.1e}", apart),
           apart < 1e-10}};
}

Picture picture(const Results& results) {
  Panel drawn{.title = "", .x = {.label = "least-squares estimate"}, .y = {.label = "estimate"}};
  drawn.series = {curve(results, panel, "least squares", value, {.dash = Dash::dotted, .color = 7}),
                  curve(results, panel, "lasso (Eq. 7)", value, {.dash = Dash::dashed, .color = 1}),
                  curve(results, panel, "ARD (Eq. 8)", value)};
  return {.title = "Shrinkage of one coefficient", .panels = {drawn}, .columns = 1};
}

}  // namespace

Experiment masking_figure1() {
  return {.name = "bm.fig1",
          .title = "how lasso and ARD shrink one coefficient",
          .source = "Kondo, Maeda & Hayashi (2015), Bayesian masking, Fig. 1 (Eqs 6-8)",
          .shows =
              "estimates of one feature against the least-squares estimate, 20 samples, noise variance 0.25, penalty "
              "2; the constant of Eq. 7 is alpha / (lambda x'x), half of what is printed; our fits beside the formulas",
          .replication = Replication::calculation,
          .coordinate = "least squares",
          .settings = {{}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::relevance
