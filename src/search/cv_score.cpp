// Cross-validated error, its standard error, and the rules that choose a point of a path by them.
//
// Score      mean of the folds' mean deviances; standard error = sd of the folds / sqrt(folds). Folds share training
//            rows, so that it is an approximation (as in glmnet and CART); there is no unbiased one (Bengio &
//            Grandvalet 2004).
// Rules      minimum; one standard error (Breiman et al. 1984, CART): the simplest point within one of the minimum.
// Paired     simplest_within_tie and past_minimum compare points fold by fold: a hard fold is hard for both points, so
//            that the standard error of the difference is far below that of either error.
// Hazard     Deviances are squares already: squaring them again may overflow, so they are scaled by the largest.
#include "search/cv_score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tamis {
namespace {

// Weighted mean, and its standard error from the number of values with positive weight.
CvScore summarize(std::span<const double> errors, std::span<const double> weights) {
  double unit = 0;
  for (const double e : errors) unit = std::max(unit, std::abs(e));
  if (!(unit > 0)) return {};
  double total = 0, sum = 0, count = 0;
  for (Index i = 0; i < std::ssize(errors); ++i) {
    const double w = weights.empty() ? 1.0 : weights[i];
    total += w;
    sum += w * (errors[i] / unit);
    count += w > 0 ? 1 : 0;
  }
  const double mean = sum / total;
  double variance = 0;
  for (Index i = 0; i < std::ssize(errors); ++i) {
    const double distance = errors[i] / unit - mean;
    variance += (weights.empty() ? 1.0 : weights[i]) / total * distance * distance;
  }
  return {unit * mean, unit * std::sqrt(variance / std::max(1.0, count - 1))};
}

}  // namespace

CvScore score_folds(std::span<const double> fold_errors) { return summarize(fold_errors, {}); }

CvScore score_rows(const Family& likelihood, const Validation& held_out, std::span<const double> eta) {
  std::vector<double> errors(eta.size());
  for (Index i = 0; i < std::ssize(eta); ++i) {
    if (!held_out.weights.empty() && held_out.weights[i] == 0) continue;
    errors[i] = likelihood.deviance(held_out.y[i], eta[i] + (held_out.offset.empty() ? 0.0 : held_out.offset[i]));
  }
  return summarize(errors, held_out.weights);
}

Index choose_by_rule(std::span<const CvScore> cv_scores, double standard_errors) {
  // NaN would make every comparison false: a prediction that overflowed counts as infinitely bad.
  const auto error = [](const CvScore& j) {
    return std::isfinite(j.mean) ? j.mean : std::numeric_limits<double>::infinity();
  };
  const auto best = std::ranges::min_element(cv_scores, {}, error);
  const double margin = std::isfinite(best->standard_error) ? standard_errors * best->standard_error : 0.0;
  const double allowed = error(*best) + margin;
  return std::ranges::find_if(cv_scores, [&](const CvScore& j) { return error(j) <= allowed; }) - cv_scores.begin();
}

namespace {

// Mean and standard error of the paired difference between two points, fold by fold.
CvScore score_excess(const std::vector<double>& errors, const std::vector<double>& best) {
  std::vector<double> excess(errors);
  for (Index f = 0; f < std::ssize(excess); ++f) excess[f] -= best[f];
  return score_folds(excess);
}

}  // namespace

Index simplest_within_tie(std::span<const std::vector<double>> errors, Index best) {
  constexpr double tie = 0.3;  // standard errors of the difference: within this the folds do not distinguish two points
  for (Index k = 0; k < best; ++k) {
    const CvScore excess = score_excess(errors[k], errors[best]);
    if (excess.mean <= tie * excess.standard_error) return k;
  }
  return best;
}

bool past_minimum(std::span<const std::vector<double>> errors) {
  if (errors.empty() || errors.front().size() < 2) return false;
  const auto total = [](const std::vector<double>& folds) {
    double sum = 0;
    for (const double e : folds) sum += e;
    return sum;
  };
  const auto best = std::ranges::min_element(errors, {}, total);
  if (errors.end() - best <= 10) return false;
  const CvScore excess = score_excess(errors.back(), *best);
  return excess.mean > 2 * excess.standard_error;
}

std::string how_chosen(const CvScore& chosen, bool one_standard_error, int folds) {
  const std::string source = folds > 0 ? fmt::format("{}-fold cross-validation", folds) : "validation";
  return fmt::format("{} {} error {:.6g}, standard error {:.3g}",
                     one_standard_error ? "one-standard-error rule," : "minimum", source, chosen.mean,
                     chosen.standard_error);
}

}  // namespace tamis
