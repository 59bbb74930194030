// ridge: every feature keeps a coefficient, shrunk by a squared penalty. Path of penalties, cross-validation,
// certificate, noise variance and posterior deviations.
//
// Model      min  sum_i w_i loss(y_i, offset_i + b0 + x_i'b) + penalty / 2 sum_j f_j b_j^2
//            with weights w that sum to 1 and b on the working scale
// Algorithm  1 basis: standardized columns divided by sqrt(f_j), rotated into the row space when p > n    (RidgeBasis)
//            2 every penalty on the full data and all folds: from moments or by Newton-CG                 (RidgeSolver)
//            3 choose by held-out deviance, polish, compute objective and gradient on the original data
// Posterior  gaussian: b ~ N(0, noise / (n penalty)); mean and covariance are ridge's solution and its inverse Hessian.
//            Ridge shrinks but selects nothing: all features are reported as active.
// Certificate  norm of the gradient at the returned coefficients relative to that of the null model, recomputed from X,
//            y and the coefficients in original units: an error of the basis or of the solver would show.
// Paper      Hoerl & Kennard (1970) Technometrics 12(1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/ridge/ridge_posterior.hpp"
#include "method/ridge/ridge_solver.hpp"
#include "search/cv_score.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

// Largest penalty: 100 times the largest curvature, where even the strongest direction keeps 1 % of its coefficient.
// Smallest: 1e-6 of that curvature, where only directions with a millionth of it are still shrunk.
constexpr double largest_over_curvature = 100;
constexpr double default_ratio = 1e-8;
// Errors within this many standard errors count as equal, and the largest penalty among them wins. With p > n the curve
// is often flat down to penalty 0, where the fit interpolates and leaves no residual to estimate the noise from.
constexpr double tie = 0.05;

struct Request {
  std::optional<double> penalty;
  Index path_length;
  double path_ratio;
  bool one_standard_error;
  double tolerance;
};

// path_, cv_scores_ and fold_errors_ have one entry per penalty solved, largest first. Coefficients are in the
// coordinates of basis_ until original() takes them back.
class RidgeSearch {
 public:
  RidgeSearch(const Problem& problem, Request request, const Control& control)
      : problem_(problem), request_(request), control_(control), basis_(problem) {
    if (!request_.penalty && control.validation.X == nullptr && control.folds > 1) {
      folds_ = make_folds(problem, control);
    }
    solver_ = make_ridge_solver(problem, basis_, folds_);
  }

  Fit run() {
    make_grid();
    run_path();
    return result();
  }

 private:
  bool searches() const { return !request_.penalty && (control_.validation.X != nullptr || folds_.count > 0); }

  void make_grid() {
    if (request_.penalty) {
      grid_ = {*request_.penalty};
      return;
    }
    const double curvature = solver_->largest_curvature();
    // A path relative to the curvature, not to X'y: ridge has no penalty above which all coefficients are zero.
    // Without any curvature nothing is correlated with y, and every penalty gives the null model.
    grid_ = penalty_grid(curvature > 0 ? largest_over_curvature * curvature : 1.0, request_.path_ratio,
                         request_.path_length);
  }

  void run_path() {
    for (Index k = 0; k < std::ssize(grid_); ++k) {
      solved_ = solver_->solve(grid_[k]);
      PathPoint& point = path_.emplace_back();
      point.value = grid_[k];
      point.objective = solver_->objective();
      point.active = basis_.active();
      point.certificate = solver_->certificate();
      if (searches()) score(point);
      if (control_.observer != nullptr) {
        control_.observer->progress(static_cast<double>(k + 1) / static_cast<double>(grid_.size()), "path");
        cancelled_ = control_.observer->cancelled();
      }
      // Warm starts only go downwards in the penalty, so a failure ends the path.
      if (cancelled_ || !solved_ || past_minimum(fold_errors_)) return;
    }
  }

  void score(PathPoint& point) {
    if (folds_.count > 0) {
      fold_errors_.push_back(solver_->held_out());
      cv_scores_.push_back(score_folds(fold_errors_.back()));
    } else {
      Fit fit = original(solver_->solution());
      const Validation& held_out = control_.validation;
      std::vector<double> eta(held_out.y.size(), fit.intercept);
      held_out.X->multiply_add(held_out.X->all(), std::span<const double>(fit.coefficients), std::span(eta));
      cv_scores_.push_back(score_rows(problem_.likelihood, held_out, eta));
    }
    point.validation_error = cv_scores_.back().mean;
    point.validation_se = cv_scores_.back().standard_error;
  }

  Fit original(const RidgeSolution& solution) const {
    Fit fit;
    basis_.to_original(basis_.to_feature_space(solution.coefficients), solution.intercept, fit);
    return fit;
  }

  Fit result();
  double certify(Fit& fit, double penalty) const;
  void add_noise(Fit& fit, double penalty, std::optional<double> held_out_error) const;
  std::vector<double> predictor(const Fit& fit) const;

  const Problem& problem_;
  const Request request_;
  const Control& control_;
  RidgeBasis basis_;
  Folds folds_;
  std::unique_ptr<RidgeSolver> solver_;
  std::vector<double> grid_;
  std::vector<PathPoint> path_;
  std::vector<CvScore> cv_scores_;
  std::vector<std::vector<double>> fold_errors_;
  bool cancelled_ = false;
  bool solved_ = true;
};

std::vector<double> RidgeSearch::predictor(const Fit& fit) const {
  std::vector<double> eta(problem_.y.size(), fit.intercept);
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) eta[i] += problem_.offset[i];
  problem_.X.multiply_add(problem_.X.all(), std::span<const double>(fit.coefficients), std::span(eta));
  return eta;
}

// Objective and relative gradient norm at the returned coefficients, from the original data.
double RidgeSearch::certify(Fit& fit, double penalty) const {
  const std::vector<double>& weights = basis_.scale().weights();
  const Index n = std::ssize(problem_.y);
  const std::vector<double> eta = predictor(fit);
  std::vector<double> residual(n), curvature(n);
  problem_.likelihood.derivatives(problem_.y, eta, residual, curvature);
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += (residual[i] *= weights[i]);
  const Design& Z = basis_.features();
  std::vector<double> gradient(fit.coefficients.size());
  Z.transpose_multiply(Z.all(), std::span<const double>(residual), std::span(gradient));
  double size = problem_.intercept ? basis_.scale().intercept_unit() * std::abs(sum) : 0.0, cost = 0;
  for (Index j = 0; j < std::ssize(gradient); ++j) {
    const double penalized = basis_.penalized_features()[j];
    const double c = fit.coefficients[j] * basis_.divisor(j);
    size = std::hypot(size, gradient[j] - penalty * penalized * c);
    cost += 0.5 * penalty * penalized * c * c;  // in this order: the square alone may not be finite
  }
  fit.objective = problem_.likelihood.total_loss(problem_.y, eta, weights) + cost;
  const double null = solver_->null_gradient();
  return null > 0 ? size / null : 0.0;
}

// Noise: residual sum of squares / (n - trace of the hat matrix). Where the trace is unknown (large problems) or leaves
// no degree of freedom (interpolation), the held-out error takes its place, if there is one.
void RidgeSearch::add_noise(Fit& fit, double penalty, std::optional<double> held_out_error) const {
  if (!problem_.likelihood.has_noise()) return;
  const std::vector<double>& weights = basis_.scale().weights();
  const double mean_square = 2 * problem_.likelihood.total_loss(problem_.y, predictor(fit), weights);
  const std::optional<RidgePosterior> posterior = ridge_posterior(problem_, basis_, penalty);
  const double total = basis_.scale().total_weight();
  // Below one degree of freedom the ratio is rounding error over rounding error.
  const double free = posterior ? total - posterior->degrees_of_freedom : 0.0;
  fit.noise_variance = free >= 1        ? mean_square * total / free
                       : held_out_error ? std::max(mean_square, *held_out_error)
                                        : mean_square;
  if (!posterior) return;
  fit.hyper["degrees_of_freedom"] = posterior->degrees_of_freedom;
  // Root by root: the product of a huge response's variance and that of a tiny column may not be finite.
  const double noise = std::sqrt(*fit.noise_variance);
  for (const double v : posterior->variances) fit.standard_deviations.push_back(noise * std::sqrt(v));
}

Fit RidgeSearch::result() {
  const bool is_scored = searches() && !cv_scores_.empty();
  const Index chosen =
      is_scored ? choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : tie) : std::ssize(path_) - 1;
  const double penalty = path_[chosen].value;
  Fit fit = original(cancelled_ ? solver_->solution() : solver_->polish(penalty, request_.tolerance));
  const double kept = cancelled_ ? path_.back().value : penalty;
  const double gradient = certify(fit, kept);
  PathPoint& point = path_[cancelled_ ? path_.size() - 1 : chosen];
  point.objective = fit.objective;
  point.certificate = gradient;
  add_noise(fit, kept, point.validation_error);
  for (Index k = 0; k < std::ssize(path_); ++k) {
    const double change = k > 0 ? std::abs(path_[k].objective - path_[k - 1].objective) : 0.0;
    fit.trace.push_back({k + 1, path_[k].objective, change, path_[k].active, path_[k].certificate});
  }
  fit.path = path_;
  fit.hyper["penalty"] = kept;
  fit.hyper["relative_gradient"] = gradient;
  fit.status = cancelled_                            ? Status::cancelled
               : gradient <= 10 * request_.tolerance ? Status::converged
                                                     : Status::stalled;
  const std::string how = request_.penalty ? "fixed"
                          : !is_scored || cancelled_
                              ? "last point of the path; no cross-validation"
                              : how_chosen(cv_scores_[chosen], request_.one_standard_error, folds_.count);
  fit.message = fmt::format("{}{} at penalty {:.6g} ({}); relative gradient norm {:.1e}",
                            cancelled_ ? "cancelled; " : "", plural(basis_.active(), "feature"), kept, how, gradient);
  return fit;
}

class Ridge final : public Method {
 public:
  std::string_view name() const override { return "ridge"; }
  std::string_view summary() const override {
    return "Ridge regression (L2 penalty): keeps every feature and shrinks correlated ones together";
  }
  std::vector<Field> fields() const override;
  bool uses_penalty_factors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> Ridge::fields() const {
  return {
      Field::real("penalty", "fixed penalty; default: chosen along a path", {}, 0, 1e300, /*open_minimum=*/true),
      Field::integer("path_length", "number of penalties on the path", 100.0, 1, 10000),
      Field::real("path_ratio", "ratio of the smallest to the largest penalty on the path", default_ratio, 0, 1, true),
      Field::choice(
          "rule",
          "min: penalty with the minimum cross-validation error (ties within a twentieth of its standard error go to "
          "the largest penalty); one-se: largest penalty within one standard error of the minimum",
          {"min", "one-se"}, "min"),
      Field::real("tolerance",
                  "convergence tolerance on the gradient norm of the returned solution, relative to the null model",
                  1e-8, 1e-12, 1e-2),
  };
}

Fit Ridge::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const Request request{.penalty = options.maybe_real("penalty"),
                        .path_length = options.integer("path_length"),
                        .path_ratio = options.real("path_ratio"),
                        .one_standard_error = options.text("rule") == "one-se",
                        .tolerance = options.real("tolerance")};
  return RidgeSearch(problem, request, control).run();
}

}  // namespace

const Method& ridge() {
  static const Ridge method;
  return method;
}

}  // namespace tamis
