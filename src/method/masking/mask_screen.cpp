// Screening by the lasso for p > n / 3 (one-standard-error rule), and the noise variance from its residual. With many
// features per row masks can explain the noise: lambda grows without bound and G prefers any features.
#include "method/masking/mask_screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/penalized/penalized_path.hpp"

namespace tamis {
namespace {

// Rows that a feature needs: with fewer, the masks of chance features explain the noise.
constexpr double rows_per_feature = 3;

// Of the lasso's residual, by its degrees of freedom.
double noise_of(const MaskProblem& data, const Fit& lasso, double kept) {
  const Problem& problem = data.problem();
  const std::vector<double> weights = data.scale().weights();
  Fit named = lasso;
  // linear_predictor() wants names; they do not matter here.
  named.features.resize(lasso.coefficients.size());
  const std::vector<double> eta = linear_predictor(named, problem.X, problem.offset);
  double share = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) {
    const double r = (problem.y[i] - eta[i]) / data.unit();
    share += weights[i] * r * r;
  }
  // Nonzero coefficients as degrees of freedom of the lasso: Zou, Hastie & Tibshirani (2007), Annals of Statistics 35.
  const double freedom = data.samples() - kept - (problem.intercept ? 1 : 0);
  return std::max(share, min_noise_share) * data.unit() * data.unit() * data.samples() / std::max(1.0, freedom);
}

}  // namespace

Screened screen_features(const MaskProblem& data, const Control& control) {
  const double p = static_cast<double>(data.varying().size());
  if (p * rows_per_feature <= data.samples()) return {data.varying(), {}, "", false};
  constexpr int folds = 10;
  Control search = control;
  if (search.folds == 0) search.folds = folds;
  const Fit lasso = fit_penalized_path(data.problem(), {}, search);
  Screened screened;
  screened.cancelled = lasso.status == Status::cancelled;
  for (const Index j : data.varying()) {
    if (lasso.coefficients[j] != 0) screened.columns.push_back(j);
  }
  const auto kept = static_cast<double>(screened.columns.size());
  if (data.problem().likelihood.has_noise()) screened.noise_variance = noise_of(data, lasso, kept);
  const auto most = static_cast<std::size_t>(std::max(1.0, data.samples() / rows_per_feature));
  const auto strength = [&](Index j) { return std::abs(lasso.coefficients[j]) * data.scale().scale(j); };
  std::ranges::stable_sort(screened.columns, std::greater{}, strength);
  if (screened.columns.size() > most) screened.columns.resize(most);
  std::ranges::sort(screened.columns);
  screened.description = fmt::format("{} features are too many for {:g} rows; the {} selected by the lasso were fitted",
                                     p, data.samples(), screened.columns.size());
  if (screened.noise_variance) {
    screened.description +=
        fmt::format(", with the noise variance fixed at {:.4g} (residual of the lasso)", *screened.noise_variance);
  }
  return screened;
}

}  // namespace tamis
