// Figure 1: the prior on coefficients that ARD implies. Left, one coefficient of an orthogonal design (Eq. 18); right,
// along the line of feasible solutions of ten equations in eleven unknowns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/relevance/experiments.hpp"
#include "experiments/reproduce/curves.hpp"
#include "linalg/symmetric.hpp"
#include "method/ard/relevance.hpp"

namespace tamis::experiments::relevance {
namespace {

const std::string one = "one coefficient", line = "feasible line";
const std::string ard = "ARD", factorial = "sum |x|^0.01", sparsest = "at the sparsest solution",
                  minima = "local minima";
constexpr double one_noise = 0.01;
constexpr double line_noise = 1e-8;  // stands for its limit, zero

// Eq. 18, without its constant.
double implicit_prior(double x, double noise) {
  const double a = std::abs(x), root = std::sqrt(x * x + 4 * noise);
  return (a > 0 ? 2 * a / (a + root) : 0.0) + std::log(2 * noise + x * x + a * root);
}

// min over gamma of sum x^2/gamma + log|Sigma|: convex in log gamma, so reweighting from anywhere finds the minimum.
double implicit_prior(Relevance& model, const std::vector<double>& x) {
  const Index p = x.size();
  std::vector<Index> groups(x.size());
  std::vector<double> gamma(x.size());
  Matrix coefficients(p, 1);
  for (Index j = 0; j < p; ++j) {
    groups[j] = j;
    gamma[j] = std::abs(x[j]) + 1e-12;
    coefficients(j, 0) = x[j];
  }
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 2000; ++step) {
    const RelevancePoint point = model.posterior_at(groups, gamma, {line_noise, 0}, &coefficients);
    const double value = point.cost - point.residual_square / line_noise;
    if (last - value < 1e-10 * std::abs(value)) return value;
    last = value;
    const RelevanceScores scores = model.scores(point);
    for (Index j = 0; j < std::ssize(x); ++j) gamma[j] = std::max(1e-14, std::abs(x[j]) / std::sqrt(scores.z[j]));
  }
  return last;
}

// The vector that Phi takes to zero, of unit length.
std::vector<double> null_vector(const Matrix& Phi) {
  Matrix gram(Phi.cols(), Phi.cols());
  const DenseDesign design(Phi);
  design.gram(design.all(), {}, gram);
  symmetric_eigen(gram);
  return {gram.col(0), gram.col(0) + gram.rows()};
}

Index count_minima(const std::vector<double>& values) {
  Index count = 0;
  for (Index k = 1; k + 1 < std::ssize(values); ++k) count += values[k] < values[k - 1] && values[k] < values[k + 1];
  return count;
}

void record_line(Recorder& record, const std::string& name, const std::vector<double>& alphas,
                 const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  for (Index k = 0; k < std::ssize(alphas); ++k) {
    record.add_at({line, alphas[k], name, "-log p (normalized)"}, (values[k] - *least) / (*most - *least));
  }
  record.add(name, minima, static_cast<double>(count_minima(values)));
  record.add(name, sparsest, std::abs(alphas[least - values.begin()]) < 1e-9 ? 1 : 0);
}

void measure(const Trial& trial, Recorder& record) {
  constexpr double scale = 2;  // the right end: where all are one
  const double low = implicit_prior(0, one_noise), high = implicit_prior(scale, one_noise);
  for (int k = -100; k <= 100; ++k) {
    const double x = scale * k / 100;
    record.add_at({one, x, ard, "-log p"}, (implicit_prior(x, one_noise) - low) / (high - low));
    record.add_at({one, x, "|x|", "-log p"}, std::abs(x) / scale);
    record.add_at({one, x, "I[x != 0]", "-log p"}, x == 0 ? 0 : 1);
  }
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const DenseDesign design(drawn.train.X);
  const RelevanceData data(design, std::vector<double>(design.rows(), 1.0), false, drawn.train.y);
  Relevance model(data);
  const std::vector<double> direction = null_vector(drawn.train.X);
  std::vector<double> alphas, ours, norm;
  for (int k = -400; k <= 400; ++k) {
    alphas.push_back(k / 50.0);
    std::vector<double> x(direction.size());
    double sum = 0;
    for (Index j = 0; j < std::ssize(x); ++j) {
      x[j] = drawn.truth.coefficients(j, 0) + alphas.back() * direction[j];
      sum += std::pow(std::abs(x[j]), 0.01);
    }
    ours.push_back(implicit_prior(model, x));
    norm.push_back(sum);
  }
  record_line(record, ard, alphas, ours);
  record_line(record, factorial, alphas, norm);
}

std::vector<Finding> check_claims(const Results& results) {
  const auto value = [&](const std::string& method, const std::string& what) {
    return results.value("", no_coordinate, method, what);
  };
  double gap = 0;  // concave in |x|: above the chord
  for (const Row* row : results.curve(one, ard, "-log p")) {
    gap = std::max(gap, results.value(one, row->place.x, "|x|", "-log p") - row->ours.mean);
  }
  return {{"both priors peak at the sparsest solution",
           fmt::format("lowest at alpha = 0: ARD {}, sum |x|^0.01 {}", value(ard, sparsest) == 1 ? "yes" : "no",
                       value(factorial, sparsest) == 1 ? "yes" : "no"),
           value(ard, sparsest) == 1 && value(factorial, sparsest) == 1},
          {"ARD has smoothed away local minima",
           fmt::format("local minima along the line: ARD {:g}, sum |x|^0.01 {:g}", value(ard, minima),
                       value(factorial, minima)),
           value(ard, minima) < value(factorial, minima)},
          {"as a concave function of |x| the ARD prior is closer to the L0 norm than |x| is",
           fmt::format("it lies below |x| by at most {:.1e}", std::max(0.0, gap)), gap <= 1e-12}};
}

Picture picture(const Results& results) {
  Panel left{.title = "One coefficient, noise 0.01", .x = {.label = "x"}, .y = {.label = "-log p(x), normalized"}};
  left.series = {curve(results, one, "I[x != 0]", "-log p", {.dash = Dash::dotted, .color = 7}),
                 curve(results, one, "|x|", "-log p", {.dash = Dash::dashed, .color = 1}),
                 curve(results, one, ard, "-log p")};
  Panel right{.title = "Along the feasible solutions", .x = {.label = "α"}, .y = {.label = "-log p(x), normalized"}};
  right.series = {curve(results, line, ard, "-log p (normalized)"),
                  curve(results, line, factorial, "-log p (normalized)", {.dash = Dash::dashed, .color = 1})};
  return {.title = "The prior on coefficients that ARD implies", .panels = {left, right}};
}

}  // namespace

Experiment figure1() {
  return {.name = "ard.fig1",
          .title = "the prior on coefficients that ARD implies",
          .source = paper + "Fig. 1 (Eq. 18)",
          .shows =
              "-log p of one coefficient of an orthogonal design at noise 0.01 (the paper does not print its noise), "
              "and along x0 + alpha v, the solutions of ten equations in eleven unknowns, for noise 1e-8 in place of "
              "zero; both scaled to the range from 0 to 1",
          .replication = Replication::single_run,
          .settings = {{.design = "ard.local-minima"}},
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::relevance
