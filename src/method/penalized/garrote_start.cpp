// Starting estimates of the non-negative garrote.
//
// Least squares  b = argmin sum_i w_i loss(y_i, offset_i + b0 + x_i'b) on standardized columns, b0 profiled out: Newton
//                with step halving, one step for a quadratic loss. Columns that depend on each other leave b
//                undetermined; of all minimizers that of least norm is taken, which treats equal columns alike.
// Ridge, lasso   the methods of these names at the penalty of least cross-validation error.
// Hazard         Where classes are separable (or counts of a column's rows all 0) the likelihood has no maximum: Newton
//                steps then stay as long as they are, while everything that is summed over rows falls to rounding
//                error. The length of the step in the predictor decides, not the loss.
// Papers         Breiman (1995), Technometrics 37(4), least squares; Yuan & Lin (2007), JRSS B 69(2), ridge and lasso
#include "method/penalized/garrote_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "family/null_intercept.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/penalized/penalized_path.hpp"
#include "problem/standardization.hpp"

namespace tamis {
namespace {

constexpr int most_steps = 60;             // Newton steps; five to fifteen are the rule
constexpr int most_halvings = 30;          // of one of them
constexpr double settled = 1e-9;           // largest change of a predictor, relative to the largest
constexpr double dependent = 1e-11;        // eigenvalue of X'WX, relative to the largest, that is rounding error
constexpr double nearly_dependent = 1e-8;  // pivot of its Cholesky factor from which eigenvalues are asked

// Columns of X that vary, and a basis Q of the coefficients that the rows determine: b = Q a.
class MaximumLikelihood {
 public:
  explicit MaximumLikelihood(const Problem& problem) : problem_(problem), scale_(problem) {
    for (Index j = 0; j < problem.X.cols(); ++j) {
      if (scale_.scale(j) > 0) kept_.push_back(j);
    }
    eta_.assign(problem.y.size(), 0.0);
    if (problem.intercept) {
      std::ranges::fill(eta_, null_intercept(problem.likelihood, problem.y, scale_.weights(), problem.offset));
    }
    for (Index i = 0; i < std::ssize(problem.offset); ++i) eta_[i] += problem.offset[i];
  }

  StartingEstimate run();

 private:
  Index rows_that_count() const {
    return std::ranges::count_if(scale_.weights(), [](double w) { return w > 0; });
  }
  double loss(std::span<const double> eta) const {
    return problem_.likelihood.total_loss(problem_.y, eta, scale_.weights());
  }
  Matrix hessian();
  void profile_intercept(Matrix& H) const;
  bool find_basis();
  bool solve_step(std::vector<double>& step);
  bool newton_step();
  double go(std::span<const double> change);
  void take_derivatives();

  const Problem& problem_;
  Standardization scale_;
  std::vector<Index> kept_;
  std::vector<double> eta_, residual_, curvature_;
  Matrix known_;  // the Hessian of a quadratic loss, which is the same everywhere
  Matrix basis_;  // Q; empty: the identity
  std::vector<double> b_;
  double moved_ = HUGE_VAL;  // by the last step: largest change of a predictor, relative to the largest
};

void MaximumLikelihood::take_derivatives() {
  residual_.resize(eta_.size());
  curvature_.resize(eta_.size());
  problem_.likelihood.derivatives(problem_.y, eta_, residual_, curvature_);
  for (Index i = 0; i < std::ssize(eta_); ++i) {
    residual_[i] *= scale_.weights()[i];
    curvature_[i] *= scale_.weights()[i];
  }
}

// X'HX - (X'h)(X'h)' / sum h of the kept columns, the intercept profiled out.
Matrix MaximumLikelihood::hessian() {
  if (known_.rows() > 0) return known_;
  const Index p = std::ssize(kept_);
  Matrix H(p, p);
  scale_.X().gram(kept_, curvature_, H);
  if (problem_.intercept) profile_intercept(H);
  if (problem_.likelihood.is_quadratic()) known_ = H;
  return H;
}

void MaximumLikelihood::profile_intercept(Matrix& H) const {
  const Index p = H.rows();
  const double total = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  std::vector<double> sums(p);
  scale_.X().transpose_multiply(kept_, std::span<const double>(curvature_), std::span(sums));
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) H(i, j) -= sums[i] * sums[j] / total;
  }
}

// What the rows determine is the range of X'HX, the same for any positive curvature: found once.
bool MaximumLikelihood::find_basis() {
  Matrix H = hessian(), factor = H;
  const Index p = H.rows();
  double largest = 0, least = HUGE_VAL;
  const bool positive = cholesky(factor);
  for (Index j = 0; j < p && positive; ++j) {
    largest = std::max(largest, H(j, j));
    least = std::min(least, factor(j, j) * factor(j, j));
  }
  if (positive && least > nearly_dependent * largest) return true;
  const std::vector<double> values = symmetric_eigen(H);
  Index first = 0;
  while (first < p && values[first] <= dependent * values.back()) ++first;
  basis_ = Matrix(p, p - first);
  for (Index k = first; k < p; ++k) std::ranges::copy(H.column(k), basis_.col(k - first));
  return basis_.cols() > 0;
}

// Solves the quadratic model for the step of the coefficients, the intercept profiled out of residual_. False if the
// Hessian is not positive definite where the rows determine the coefficients.
bool MaximumLikelihood::solve_step(std::vector<double>& step) {
  Matrix H = hessian();
  std::vector<double> g(kept_.size());
  scale_.X().transpose_multiply(kept_, std::span<const double>(residual_), std::span(g));
  if (basis_.cols() > 0) {
    H = multiply_transposed(basis_, multiply(H, basis_));
    g = multiply_transposed(basis_, g);
  }
  if (!cholesky(H)) return false;
  solve_positive(H, MatrixView(std::span(g)));
  if (basis_.cols() == 0) {
    step = std::move(g);
  } else {
    step.assign(kept_.size(), 0.0);
    add_multiply(basis_, g, step);
  }
  return true;
}

bool MaximumLikelihood::newton_step() {
  take_derivatives();
  const double total = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  const double along = std::accumulate(residual_.begin(), residual_.end(), 0.0);
  if (problem_.intercept) {
    for (Index i = 0; i < std::ssize(eta_); ++i) residual_[i] -= curvature_[i] * along / total;
  }
  std::vector<double> step, change(eta_.size(), 0.0);
  if (!solve_step(step)) return false;
  scale_.X().multiply_add(kept_, std::span<const double>(step), std::span(change));
  if (problem_.intercept) {
    double shift = along;
    for (Index i = 0; i < std::ssize(eta_); ++i) shift -= curvature_[i] * change[i];
    for (double& c : change) c += shift / total;
  }
  const double length = go(change);
  for (Index k = 0; k < std::ssize(b_); ++k) b_[k] += length * step[k];
  return std::isfinite(moved_);
}

// Moves the predictor by as much of the change as does not raise the loss; returns the share.
double MaximumLikelihood::go(std::span<const double> change) {
  const double before = loss(eta_);
  double length = 1;
  std::vector<double> next(eta_.size());
  for (int half = 0; half < most_halvings; ++half, length *= 0.5) {
    for (Index i = 0; i < std::ssize(eta_); ++i) next[i] = eta_[i] + length * change[i];
    // A step within rounding error of the minimum may seem to rise.
    if (loss(next) <= before + 1e-14 * std::abs(before)) break;
  }
  double most = 0, largest = std::numeric_limits<double>::min();
  for (Index i = 0; i < std::ssize(eta_); ++i) {
    if (!(scale_.weights()[i] > 0)) continue;
    most = std::max(most, std::abs(next[i] - eta_[i]));
    largest = std::max(largest, std::abs(next[i]));
  }
  moved_ = most / largest;
  eta_ = std::move(next);
  return length;
}

StartingEstimate MaximumLikelihood::run() {
  StartingEstimate out;
  out.coefficients.assign(problem_.X.cols(), 0.0);
  const Index n = rows_that_count(), p = std::ssize(kept_);
  if (p == 0) return out;
  if (n - (problem_.intercept ? 1 : 0) <= p) {
    out.missing = fmt::format("least squares needs more rows than features; received {} rows x {} features", n, p);
    return out;
  }
  b_.assign(p, 0.0);
  take_derivatives();
  bool defined = find_basis();
  const int steps = problem_.likelihood.is_quadratic() ? 2 : most_steps;  // the second takes off rounding error
  for (int step = 0; defined && step < steps && moved_ > settled; ++step) defined = newton_step();
  if (!defined || (!problem_.likelihood.is_quadratic() && moved_ > settled)) {
    out.missing = "the likelihood has no finite maximum, as with separable classes";
    return out;
  }
  for (Index k = 0; k < p; ++k) out.coefficients[kept_[k]] = scale_.to_original(kept_[k], b_[k]);
  return out;
}

// Passes on the wish to stop, and no progress: that of the search itself would seem to begin again.
class StopOnly final : public Observer {
 public:
  explicit StopOnly(Observer* outer) : outer_(outer) {}
  bool cancelled() override { return outer_ != nullptr && outer_->cancelled(); }

 private:
  Observer* outer_;
};

StartingEstimate estimate_of(const Fit& fit) {
  StartingEstimate out;
  out.coefficients = fit.coefficients;
  out.cancelled = fit.status == Status::cancelled;
  if (fit.status == Status::numerical_failure) out.missing = fit.message;
  if (const auto found = fit.hyper.find("penalty"); found != fit.hyper.end()) {
    out.penalty = std::get<double>(found->second);
  }
  return out;
}

}  // namespace

std::string_view name_of(GarroteStart start) {
  return start == GarroteStart::least_squares ? "least-squares" : start == GarroteStart::ridge ? "ridge" : "lasso";
}

StartingEstimate starting_estimate(const Problem& problem, GarroteStart start, std::optional<double> penalty,
                                   const Control& control) {
  if (start == GarroteStart::least_squares) {
    Problem standardized = problem;  // changes nothing but the arithmetic
    standardized.standardize = true;
    return MaximumLikelihood(standardized).run();
  }
  StopOnly observer(control.observer);
  Control quiet = control;
  quiet.observer = &observer;
  if (start == GarroteStart::lasso) {
    return estimate_of(fit_penalized_path(problem, {.penalty = penalty, .one_standard_error = false}, quiet));
  }
  std::map<std::string, OptionValue> options;
  if (penalty) options["penalty"] = *penalty;
  return estimate_of(method("ridge").fit(problem, options, quiet));
}

}  // namespace tamis
