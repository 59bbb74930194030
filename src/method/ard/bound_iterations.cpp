// ard for a bernoulli response by iterations of a quadratic lower bound of the likelihood.
//
// Model      p(y_i | eta_i) >= exp(-h_i/2 (r_i - eta_i)^2 + const): the bound of Jaakkola & Jordan (2000), Statistics
//            and Computing 10, exact at eta_i^2 = E[eta_i]^2 + Var[eta_i]. Under it y is gaussian with response r, row
//            precisions h and noise variance 1, so every ard algorithm applies.
// Algorithm  repeat
//              1 a few iterations of the ard algorithm on (r, h), warm-started at the last gammas
//              2 mean and variance of eta under the posterior                       (take_predictor)
//              3 steps 1 and 2 on the selected columns only, to convergence          (iterate_on_support)
//              4 new r and h, new Phi'Y and column norms; passes over X              (update_working_response)
//            until the cost changes by less than 1e-8 per sample and no gamma by more than the tolerance; then once
//            more with coordinate refinement.
// Invariant  cost = -2 (bound on the log evidence) does not rise: the bound is tightened at fixed q(x), then the gammas
//            lower the cost of the tightened bound. Hence few inner steps are enough in step 1.
// Intercept  maximized over inside the integral over x, not integrated out: its variance, of order 1/n, does not enter
//            Var[eta].
#include "method/ard/bound_iterations.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "family/null_intercept.hpp"
#include "tamis/design/column_subset.hpp"

namespace tamis {
namespace {

// Limits of the outer iterations, of the iterations on the selected columns between two of them, and of the ard
// algorithm inside each: solving a bound to the end is wasted work while the bound still moves.
constexpr Index max_bound_updates = 1000;
constexpr Index max_support_updates = 100;  // in a row
constexpr Index steps_per_update = 10;
// Change of the cost per sample below which the bound is called converged.
constexpr double cost_tolerance = 1e-8;

// Of a gamma between two points, relative to the largest; both list their groups by the same numbers.
double largest_change(const RelevancePoint& before, const RelevancePoint& after) {
  std::map<Index, double> old;
  for (Index k = 0; k < std::ssize(before.gamma); ++k) old[before.feature_groups[k]] = before.gamma[k];
  double change = 0, largest = 0;
  for (Index k = 0; k < std::ssize(after.gamma); ++k) {
    double& gamma = old[after.feature_groups[k]];
    largest = std::max(largest, after.gamma[k]);
    change = std::max(change, std::abs(after.gamma[k] - gamma));
    gamma = 0;
  }
  for (const auto& [group, gone] : old) change = std::max(change, gone);
  return change == 0 ? 0.0 : change / std::max(largest, change);
}

}  // namespace

BoundIterations::BoundIterations(const Problem& problem, const Standardization& scale, std::span<const Index> group_of,
                                 std::string algorithm)
    : problem_(problem),
      scale_(scale),
      group_of_(group_of),
      algorithm_(std::move(algorithm)),
      working_response_(problem.likelihood, problem.y, scale.weights(), scale.total_weight()),
      eta_(problem.y.size(), 0.0),
      variance_(problem.y.size(), 0.0) {
  if (problem.intercept) {
    intercept_ = null_intercept(problem.likelihood, problem.y, scale.weights(), problem.offset);
  }
  for (Index i = 0; i < std::ssize(eta_); ++i) {
    eta_[i] = intercept_ + (problem.offset.empty() ? 0.0 : problem.offset[i]);
  }
  update_working_response();
}

// The gaussian data of the current bound, restricted to these columns. Offsets belong to the linear predictor, so they
// are subtracted from the working response r, not from y.
RelevanceData BoundIterations::working_data(const Design& X, std::span<const Index> group_of) const {
  std::vector<double> precisions(working_response_.weights().begin(), working_response_.weights().end());
  for (double& h : precisions) h *= working_response_.total();
  Matrix Y(problem_.X.rows(), 1);
  for (Index i = 0; i < Y.rows(); ++i) {
    Y(i, 0) = working_response_.response()[i] - (problem_.offset.empty() ? 0.0 : problem_.offset[i]);
  }
  return {X, std::move(precisions), problem_.intercept, std::move(Y), group_of};
}

void BoundIterations::update_working_response() {
  working_response_.update(eta_, variance_);
  model_.reset();
  data_.emplace(working_data(scale_.X(), group_of_));
  model_.emplace(*data_);
}

// E[eta] and Var[eta] under the posterior N(mean, noise D S^-1 D), S = C C'. With Z the centered columns of the
// support, Var[eta_i] = noise |C^-1 D z_i|^2: a triangular solve and a sum of squares, without the k x k covariance.
void BoundIterations::take_predictor(const Design& X, const RelevanceData& data, const RelevancePoint& point) {
  const Index n = problem_.X.rows(), k = point.size();
  Matrix Z(n, k);
  X.gather(point.features, Z);
  std::vector<double> center(k, 0.0);
  if (problem_.intercept) {
    X.transpose_multiply(point.features, working_response_.weights(), std::span(center));
    intercept_ = data.target_means()[0];
    for (Index a = 0; a < k; ++a) intercept_ -= center[a] * point.mean(a, 0);
  }
  for (Index i = 0; i < n; ++i) eta_[i] = intercept_ + (problem_.offset.empty() ? 0.0 : problem_.offset[i]);
  for (Index a = 0; a < k; ++a) {
    const double root = std::sqrt(point.feature_gamma[a] * point.model.noise_variance);
    for (Index i = 0; i < n; ++i) {
      eta_[i] += point.mean(a, 0) * Z(i, a);
      Z(i, a) = root * (Z(i, a) - center[a]);
    }
  }
  if (k > 0) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, static_cast<int>(n),
                static_cast<int>(k), 1.0, point.factor.col(0), static_cast<int>(k), Z.col(0), static_cast<int>(n));
  }
  std::ranges::fill(variance_, 0.0);
  for (Index a = 0; a < k; ++a) {
    for (Index i = 0; i < n; ++i) variance_[i] += Z(i, a) * Z(i, a);
  }
}

// Iterates the bound on the selected columns, with O(n k) work each, until it converges: a full iteration recomputes
// Phi'Y and the column norms, passes over all of X, and is needed only to see which other features should enter.
// Failures inside are no errors: the last valid point is kept, and the full iteration that follows decides.
void BoundIterations::iterate_on_support(RelevanceRequest request) {
  // A group would have to keep all of its columns; the column subset numbers single features only.
  if (data_->has_groups() || run_.point.feature_groups.empty()) return;
  const std::vector<Index> columns = run_.point.feature_groups;
  const ColumnSubsetDesign X(scale_.X(), columns);
  RelevancePoint from = run_.point;
  std::iota(from.feature_groups.begin(), from.feature_groups.end(), 0);
  request.allowed = {};
  request.from = &from;
  request.want_scores = false;
  double before = cost_;
  for (Index view = 0; view < max_support_updates && !from.feature_groups.empty(); ++view) {
    working_response_.update(eta_, variance_);
    const RelevanceData data = working_data(X, {});
    Relevance model(data);
    RelevanceRun part =
        run_algorithm(algorithm_, model, request, [](const RelevancePoint&, double, double) { return true; });
    if (!part.point.numerically_valid || part.point.by_samples) break;
    const double moved = largest_change(from, part.point);
    from = std::move(part.point);
    take_predictor(X, data, from);
    const double cost = from.cost + 2 * working_response_.constant();
    if (std::abs(cost - before) <= cost_tolerance * scale_.total_weight() && moved <= request.tolerance) break;
    before = cost;
  }
  // Back from positions in the subset to columns of X.
  run_.point.gamma = from.gamma;
  run_.point.feature_groups.clear();
  for (const Index at : from.feature_groups) run_.point.feature_groups.push_back(columns[at]);
}

void BoundIterations::run(RelevanceRequest request, const Watch& on_iteration) {
  request.model.noise_variance = 1;
  const Index allowed_steps = request.max_iterations;
  request.max_iterations = steps_per_update;
  request.refine_coordinates = false;
  RelevancePoint from = run_.point;
  bool resumed = !from.feature_groups.empty();
  for (Index view = 0;; ++view) {
    request.from = resumed ? &from : nullptr;
    bool cancelled = false;
    run_ = run_algorithm(algorithm_, *model_, request, [](const RelevancePoint&, double, double) { return true; });
    if (run_.status == Status::numerical_failure) return;
    const double before = cost_;
    cost_ = present_cost();
    const double change = view == 0 ? 0.0 : cost_ - before;
    cancelled = !on_iteration(cost_, change, std::ssize(run_.point.feature_groups), run_.certificate.active);
    run_.status = cancelled ? Status::cancelled : Status::converged;
    take_predictor(scale_.X(), *data_, run_.point);
    if (cancelled) return;
    const bool converged = view > 0 && std::abs(change) <= cost_tolerance * scale_.total_weight() &&
                           largest_change(from, run_.point) <= request.tolerance;
    if (converged) {
      // Coordinate refinement is exact but O(k^3): only once, when reweighting has converged.
      if (request.refine_coordinates) return;
      request.refine_coordinates = true;
    } else if (view + 1 >= std::max(max_bound_updates, allowed_steps)) {
      run_.status = Status::iteration_limit;
      return;
    }
    iterate_on_support(request);
    from = run_.point;
    resumed = true;
    update_working_response();
  }
}

}  // namespace tamis
