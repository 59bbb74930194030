// Capped-L1 at one penalty after another: GIST on a working set, Newton steps on its smooth pieces, KKT check on all p.
//
// Model      min_b  F(b) + penalty sum_j f_j min(|b_j|, cap),  F the loss with the intercept profiled out
// Algorithm  start at a lasso solution; repeat
//              1 a few proximal gradient steps (gist.cpp): they find the support and the side of the cap of each b_j
//              2 a Newton step on the support, where the objective is smooth as long as no b_j changes its sign
//            then X'residual of all features: those not stationary at 0 join the working set, and it is solved again.
// Result     a stationary point, not the global minimum: the penalty is not convex, and the start is part of the
//            method. The certificate is the distance from stationarity; there is no duality gap without convexity.
// Papers     Zhang (2010) JMLR 11, the penalty; Gong et al. (2013) ICML, the algorithm. Choices: docs/decisions/0004.
#include "solver/path/capped_l1.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "linalg/symmetric.hpp"
#include "solver/path/duplicate_columns.hpp"
#include "solver/path/negligible.hpp"

namespace tamis {

CappedProblem::CappedProblem(PenalizedLoss problem, double curvature)
    : problem_(std::move(problem)),
      loss_(make_working_loss(problem_)),
      place_(problem_.X.cols(), -1),
      typical_curvature_(curvature),
      curvature_(curvature) {
  penalty_.nonnegative = problem_.nonnegative;
  std::vector<Index> free_features;
  for (Index j = 0; j < problem_.X.cols(); ++j) {
    if (problem_.factor(j) == 0) free_features.push_back(j);
  }
  add(free_features);
}

void CappedProblem::add(std::span<const Index> added) {
  for (const Index j : added) {
    place_[j] = static_cast<std::int32_t>(b_.size());
    b_.push_back(0);
    penalty_.strength.push_back(strength_ * problem_.factor(j));
  }
  loss_->add(added);
}

void CappedProblem::start(const PenalizedSolution& lasso, double penalty, double cap) {
  curvature_ = typical_curvature_;  // so that the result does not depend on what was solved before
  strength_ = penalty;
  curvature_ = typical_curvature_;
  violation_ = 1;  // until a check has seen every feature
  penalty_.cap = cap;
  std::vector<Index> added;
  for (const Index j : lasso.support) {
    if (place_[j] < 0) added.push_back(j);
  }
  add(added);
  std::ranges::fill(b_, 0.0);
  for (Index w = 0; w < std::ssize(b_); ++w) penalty_.strength[w] = penalty * problem_.factor(loss_->features()[w]);
  for (Index s = 0; s < std::ssize(lasso.support); ++s) {
    b_[place_[lasso.support[s]]] = lasso.values[s];
  }
  loss_->move_to(b_);
}

// GIST finds the support and the side of the cap; the rest is smooth, and a Newton step solves it where gradient steps
// would be slow (correlated features, separable classes).
void CappedProblem::solve(double tolerance, Index max_steps) {
  constexpr Index between = 6;
  for (Index steps = 0; steps < max_steps; steps += between) {
    const GistSettings settings{.tolerance = 0.5 * tolerance,
                                .unit = strength_,
                                .first_curvature = curvature_,
                                .least_curvature = 1e-2 * typical_curvature_,
                                .max_steps = between};
    const GistResult result = gist(*loss_, b_, penalty_, settings);
    if (result.converged) break;
    curvature_ = result.curvature;
    const bool moved = newton_step();
    if (!moved && result.steps < between) break;  // neither finds a way down
    loss_->move_to(b_);
  }
  loss_->move_to(b_);
}

// Newton's step on the nonzero coefficients, H + 1e-10 mean(diag H) I factored so that duplicate columns do not stop
// it. The slope of the penalty is f_j penalty below the cap and 0 beyond. False if there is no support, the
// factorization fails (or would cost more than the descent: 1000 coefficients), or no shortened step decreases the
// objective.
bool CappedProblem::newton_step() {
  constexpr std::size_t most = 1000;
  std::vector<std::size_t> support;
  for (Index w = 0; w < std::ssize(b_); ++w) {
    if (b_[w] != 0) support.push_back(w);
  }
  if (support.empty() || support.size() > most) return false;
  loss_->move_to(b_);
  Matrix H = loss_->hessian(support);
  double trace = 0;
  const Index size = support.size();
  for (Index k = 0; k < size; ++k) trace += H(k, k);
  for (Index k = 0; k < size; ++k) H(k, k) += 1e-10 * trace / static_cast<double>(size);
  if (!(trace > 0) || !cholesky(H)) return false;
  std::vector<double> direction(support.size());
  for (Index k = 0; k < std::ssize(support); ++k) {
    const double b = b_[support[k]];
    const double slope = std::abs(b) < penalty_.cap ? std::copysign(penalty_.strength[support[k]], b) : 0.0;
    direction[k] = loss_->negative_gradient()[support[k]] - slope;
  }
  for (const CBLAS_TRANSPOSE side : {CblasNoTrans, CblasTrans}) {
    cblas_dtrsv(CblasColMajor, CblasLower, side, CblasNonUnit, static_cast<int>(size), H.col(0), static_cast<int>(size),
                direction.data(), 1);
  }
  std::vector<double> step(b_.size());
  double length = 1;  // no coefficient changes its sign: past zero the slope is another one
  for (Index k = 0; k < std::ssize(support); ++k) {
    const double b = b_[support[k]];
    step[support[k]] = direction[k];
    if (b * (b + direction[k]) < 0) length = std::min(length, -b / direction[k]);
  }
  for (double& s : step) s *= length;
  return line_search(step);
}

// Backtracking. The penalty is concave on either side of zero, so it lies below its tangent and never spoils the
// descent that the Newton model promises; the loss of a non-quadratic family may.
bool CappedProblem::line_search(std::span<const double> step) {
  std::vector<double> shorter(step.begin(), step.end());
  for (int halving = 0; halving < 60; ++halving) {
    double change = loss_->try_step(shorter);
    for (Index w = 0; w < std::ssize(b_); ++w) {
      if (shorter[w] != 0) change += penalty_.value(w, b_[w] + shorter[w]) - penalty_.value(w, b_[w]);
    }
    if (change <= loss_->resolution()) {
      loss_->accept();
      for (Index w = 0; w < std::ssize(b_); ++w) b_[w] += shorter[w];
      return true;
    }
    for (double& s : shorter) s *= 0.5;
  }
  return false;
}

bool CappedProblem::check(std::span<const double> correlations, double tolerance) {
  violation_ = 0;
  std::vector<Index> added;
  for (Index j = 0; j < problem_.X.cols(); ++j) {
    const std::int32_t w = place_[j];
    const double factor = problem_.factor(j);
    if (std::isinf(factor)) continue;
    if (w >= 0) {
      const Index place = w;
      violation_ = std::max(violation_, penalty_.distance(place, b_[place], correlations[j]) / strength_);
      continue;
    }
    const double size = problem_.nonnegative ? correlations[j] : std::abs(correlations[j]);
    const double beyond = size / strength_ - factor;
    violation_ = std::max(violation_, beyond);
    if (beyond > tolerance) added.push_back(j);
  }
  add(added);
  if (!added.empty()) loss_->move_to(b_);
  return !added.empty();
}

PenalizedSolution CappedProblem::pruned_support(double tolerance) const {
  const PenalizedSolution joined = join_duplicates(problem_, solution());
  const std::vector<Index> support = columns_of(joined);
  const std::vector<double> curvature = curvature_of(problem_, loss_->predictor(), Columns(support));
  return without_negligible(problem_, joined, curvature, tolerance);
}

PenalizedSolution CappedProblem::solution() const {
  PenalizedSolution out;
  out.penalty = strength_;
  out.intercept = loss_->intercept();
  out.loss = out.objective = loss_->value();
  out.violation = out.gap = violation_;  // no duality without convexity: the certificate is stationarity
  for (Index w = 0; w < std::ssize(b_); ++w) {
    if (b_[w] == 0) continue;
    out.support.push_back(static_cast<std::int32_t>(loss_->features()[w]));
    out.values.push_back(b_[w]);
    out.objective += penalty_.value(w, b_[w]);
  }
  for (Index i = 0; i < std::ssize(problem_.validation_weights); ++i) {
    if (problem_.validation_weights[i] == 0) continue;
    out.held_out += problem_.validation_weights[i] * problem_.likelihood.deviance(problem_.y[i], loss_->predictor()[i]);
  }
  return out;
}

}  // namespace tamis
