#include "experiments/garrote/random_start.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "method/mean_field/fixed_point.hpp"
#include "method/mean_field/mean_field_path.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/family/family.hpp"

namespace tamis::experiments::garrote {
namespace {

// A coin that is said to be certain must still be able to turn.
constexpr double largest_logit = 30;
constexpr double tolerance = 1e-9;

MeanFieldProblem problem_of(const Design& X, std::span<const double> y, std::span<const double> curvature) {
  const Index n = X.rows();
  return {.X = X,
          .likelihood = family("gaussian"),
          .y = y,
          .offset = {},
          .weights = std::vector<double>(n, 1.0 / static_cast<double>(n)),
          .samples = static_cast<double>(n),
          .intercept = true,
          .curvature = curvature};
}

}  // namespace

FixedField::FixedField(FieldKind kind, const Matrix& X, std::span<const double> y, double noise_variance,
                       double slab_variance)
    : kind_(kind),
      matrix_(X),
      X_(X),
      y_(y),
      noise_variance_(noise_variance),
      slab_variance_(slab_variance),
      curvature_(X.cols(), 1.0) {
  MeanFieldProblem problem = problem_of(X_, y_, curvature_);
  if (kind_ == FieldKind::garrote) {
    field_ = std::make_unique<FixedPoint>(std::move(problem), /*dual=*/false);
  } else {
    field_ = std::make_unique<MeanFieldPath>(std::move(problem), MeanFieldPathSettings{});
  }
}

FixedField::~FixedField() = default;

FieldSolution FixedField::solve_from(std::span<const double> inclusion, double prior_inclusion) {
  const double n = static_cast<double>(matrix_.rows()), information = n / noise_variance_;
  const double shrinkage =
      kind_ == FieldKind::garrote ? 1 : information * slab_variance_ / (1 + information * slab_variance_);
  std::vector<double> weights, residual(y_.begin(), y_.end());
  for (Index j = 0; j < matrix_.cols(); ++j) {
    const std::span<const double> x = matrix_.column(j);
    weights.push_back(shrinkage * std::inner_product(x.begin(), x.end(), residual.begin(), 0.0) / n);
    const double coefficient = inclusion[j] * weights.back();
    for (Index i = 0; i < std::ssize(residual); ++i) residual[i] -= coefficient * x[i];
  }
  return run(inclusion, weights, prior_inclusion);
}

FieldSolution FixedField::continue_from(const FieldSolution& start, double prior_inclusion) {
  return run(start.inclusion, start.weights, prior_inclusion);
}

FieldSolution FixedField::run(std::span<const double> inclusion, std::span<const double> weights,
                              double prior_inclusion) {
  MeanFieldPoint start;
  // vg has no slab: gamma is the prior's log odds and nothing else.
  start.hyper.prior = {.log_odds = logit(prior_inclusion),
                       .slab_variance = kind_ == FieldKind::garrote ? 0 : slab_variance_,
                       .slab_is_normal = kind_ == FieldKind::paired};
  start.hyper.noise_precision = 1 / noise_variance_;
  start.hyper.learn_noise = false;
  for (Index j = 0; j < std::ssize(inclusion); ++j) {
    start.features.push_back(static_cast<std::int32_t>(j));
    start.logits.push_back(std::clamp(logit(inclusion[j]), -largest_logit, largest_logit));
    start.means.push_back(weights[j]);
    start.variances.push_back(0);
  }
  const std::vector<ScreenedProblem*> alone = {field_.get()};
  field_->start(start.hyper);
  screening_pass(alone);
  field_->restart(start);
  field_->start_recording(tolerance);
  constexpr int most_passes = 500;
  for (int pass = 0; pass < most_passes && field_->accepted() == 0 && !field_->interpolates(); ++pass) {
    field_->solve_block(std::span(&start.hyper.prior, 1));
    screening_pass(alone);
  }
  FieldSolution solution;
  solution.converged = field_->accepted() > 0;
  const FeaturePosteriors state = field_->state();
  for (Index j = 0; j < std::ssize(inclusion); ++j) {
    solution.inclusion.push_back(logistic(state.logits[j]));
    solution.weights.push_back(state.means[j]);
    solution.coefficients.push_back(solution.inclusion[j] * state.means[j]);
  }
  const double energy = field_->present_free_energy();
  solution.bound = kind_ == FieldKind::paired ? field_->evidence_bound(energy, start.hyper) : -energy;
  return solution;
}

}  // namespace tamis::experiments::garrote
