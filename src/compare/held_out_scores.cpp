// Scores of one fit on held-out rows.
//
// Scores     error: RMSE (gaussian), misclassification rate (bernoulli), mean deviance (poisson).
//            log score: mean log predictive density, a strictly proper score (Gneiting & Raftery 2007, JASA 102);
//            gaussian with the predictive variance of predict(), which includes the uncertainty of the coefficients
//            where the method has one; bernoulli and poisson at the point prediction.
//            coverage: share of rows inside their central 90 % prediction interval (gaussian, poisson).
// Weights    all means are weighted; rows of weight 0 are skipped before value(i) is computed, since 0 * infinity is
//            NaN and their predictions need not be finite.
// Invariant  a fit whose predictions are not finite is a failure with the first such row, never a NaN in a table.
#include "compare/held_out_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tamis {
namespace {

constexpr double interval_level = 0.9;
constexpr double normal_quantile = 1.6448536269514722;  // of 0.95

// The weighted mean of value(i) over the rows.
template <class Value>
double mean_over(const Part& part, const Value& value) {
  double total = 0, sum = 0;
  for (Index i = 0; i < std::ssize(part.y); ++i) {
    const double w = part.weights.empty() ? 1.0 : part.weights[i];
    if (w == 0) continue;
    total += w;
    sum += w * value(i);
  }
  return sum / total;
}

// max|r| sqrt(mean (r / max|r|)^2): residuals beyond 1e154 would overflow when squared, below 1e-162 underflow.
double root_mean_square(const Part& part, const std::vector<double>& mean) {
  double unit = 0;
  for (Index i = 0; i < std::ssize(mean); ++i) unit = std::max(unit, std::abs(part.y[i] - mean[i]));
  if (!(unit > 0) || !std::isfinite(unit)) return unit;
  return unit * std::sqrt(mean_over(part, [&](std::size_t i) {
           const double share = (part.y[i] - mean[i]) / unit;
           return share * share;
         }));
}

// log N(y; mean, sd^2). sd = 0 (neither noise variance nor posterior deviations) is no density, hence no log score.
void score_gaussian(const Part& part, HeldOutScores& scored) {
  scored.result.error = root_mean_square(part, scored.mean);
  if (!std::ranges::all_of(scored.sd, [](double s) { return s > 0 && std::isfinite(s); })) return;
  const auto deviate = [&](std::size_t i) { return (part.y[i] - scored.mean[i]) / scored.sd[i]; };
  scored.result.log_score = mean_over(part, [&](std::size_t i) {
    return -0.5 * std::log(2 * std::numbers::pi) - std::log(scored.sd[i]) - 0.5 * deviate(i) * deviate(i);
  });
  scored.result.coverage =
      mean_over(part, [&](std::size_t i) { return std::abs(deviate(i)) <= normal_quantile ? 1.0 : 0.0; });
}

// A probability of exactly 0.5 predicts class 1. log_density takes the linear predictor: log p computed from p would be
// -infinity where p rounds to 0 or 1.
void score_classes(const Family& likelihood, const Part& part, HeldOutScores& scored) {
  scored.result.error =
      mean_over(part, [&](std::size_t i) { return (scored.mean[i] >= 0.5 ? 1.0 : 0.0) == part.y[i] ? 0.0 : 1.0; });
  scored.result.log_score =
      mean_over(part, [&](std::size_t i) { return likelihood.log_density(part.y[i], scored.predictor[i]); });
}

// The interval of a discrete distribution covers more than 90 %, for small rates much more.
void score_by_deviance(const Family& likelihood, const Part& part, HeldOutScores& scored) {
  scored.result.error =
      mean_over(part, [&](std::size_t i) { return likelihood.deviance(part.y[i], scored.predictor[i]); });
  scored.result.log_score =
      mean_over(part, [&](std::size_t i) { return likelihood.log_density(part.y[i], scored.predictor[i]); });
  scored.result.coverage = mean_over(part, [&](std::size_t i) {
    const double variance = scored.sd.empty() ? std::nan("") : scored.sd[i] * scored.sd[i];
    const Family::Interval inside = likelihood.interval(scored.mean[i], variance, interval_level);
    return part.y[i] >= inside.lower && part.y[i] <= inside.upper ? 1.0 : 0.0;
  });
}

}  // namespace

HeldOutScores score_held_out(const Fit& fit, const Family& likelihood, const Part& held_out) {
  Prediction prediction = predict(fit, *held_out.X, held_out.offset);
  HeldOutScores scored{.result = {},
                       .predictor = linear_predictor(fit, *held_out.X, held_out.offset),
                       .mean = std::move(prediction.mean),
                       .sd = std::move(prediction.sd)};
  scored.result.status = fit.status;
  scored.result.seconds = fit.seconds;
  scored.result.kept = kept_by(fit);
  const auto bad = std::ranges::find_if_not(scored.mean, [](double m) { return std::isfinite(m); });
  if (bad != scored.mean.end()) {
    const auto row = held_out.rows[bad - scored.mean.begin()];
    scored.result.failure = fmt::format("prediction for row {} is {}", row + 1, std::isnan(*bad) ? "NaN" : "infinite");
    return scored;
  }
  if (likelihood.is_quadratic()) {
    score_gaussian(held_out, scored);
  } else if (likelihood.is_binary()) {
    score_classes(likelihood, held_out, scored);
  } else {
    score_by_deviance(likelihood, held_out, scored);
  }
  if (!std::isfinite(scored.result.error)) {
    scored.result.failure = "the prediction error is not finite";
  }
  return scored;
}

std::vector<Index> kept_by(const Fit& fit) {
  std::vector<Index> kept;
  for (const Selected& s : select_by_threshold(fit)) kept.push_back(s.feature);
  std::ranges::sort(kept);
  return kept;
}

}  // namespace tamis
