// Truncated Newton for several ridge-penalized problems on the same columns A, in lockstep.
//
// Model      min over s, b0 of  sum_i w_i loss(y_i, offset_i + b0 + a_i's) + penalty/2 sum_j penalized_j s_j^2
// Algorithm  for all problems that have not converged:
//              1 one pass A'R: gradients of all; drop those below the tolerance
//              2 Newton directions by preconditioned conjugate gradients on A'HA + penalty D, two passes per step for
//                all problems that still need one
//              3 line search by halving; the image A step is known from CG, so it costs no pass
// Intercept  eliminated: the CG direction d moves b0 by -h'(A d) / sum(h), and after each step b0 is profiled exactly.
// Inexact    CG stops when its preconditioned residual has dropped by min(0.1, relative gradient): a rough direction
//            far from the solution, quadratic convergence near it (Dembo, Eisenstat & Steihaug 1982, SIAM J. Numer.
//            Anal. 19).
// Metric     the preconditioner is a Gram matrix of fixed weights scaled by the mean curvature, shared by all problems:
//            a fold differs from it by its held-out rows only, so that a few CG steps suffice.
#include "solver/smooth/batched_newton_cg.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "family/null_intercept.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return cblas_ddot(static_cast<int>(a.size()), a.data(), 1, b.data(), 1);
}

double norm(std::span<const double> v) { return cblas_dnrm2(static_cast<int>(v.size()), v.data(), 1); }

void add(double factor, std::span<const double> from, std::span<double> to) {
  cblas_daxpy(static_cast<int>(from.size()), factor, from.data(), 1, to.data(), 1);
}

}  // namespace

BatchedNewtonCg::BatchedNewtonCg(Setting setting, const std::vector<std::vector<double>>& weights)
    : setting_(std::move(setting)), n_(setting_.A.rows()), m_(setting_.A.cols()) {
  const Index n = n_;
  const Index m = m_;
  std::vector<Member*> all;
  members_.resize(weights.size());
  for (Index k = 0; k < std::ssize(weights); ++k) {
    Member& member = members_[k];
    member.weights = weights[k];
    for (auto* v : {&member.s, &member.gradient, &member.step, &member.cg_residual, &member.cg_direction})
      v->assign(m, 0.0);
    for (auto* v : {&member.eta, &member.residual, &member.curvature, &member.image, &member.cg_direction_image}) {
      v->assign(n, 0.0);
    }
    if (setting_.intercept) {
      member.b0 = null_intercept(setting_.likelihood, setting_.y, member.weights, setting_.offset);
    }
    for (Index i = 0; i < n; ++i) member.eta[i] = member.b0 + (setting_.offset.empty() ? 0.0 : setting_.offset[i]);
    profile_intercept(member, 0);
    all.push_back(&member);
  }
  take_gradients(all, 0);
  for (Member& member : members_) member.start_gradient = norm(member.gradient);
}

double BatchedNewtonCg::objective_of(const Member& member, std::span<const double> s, std::span<const double> eta,
                                     double penalty) const {
  double cost = 0;
  for (Index j = 0; j < std::ssize(s); ++j) cost += 0.5 * penalty * setting_.penalized[j] * s[j] * s[j];
  return setting_.likelihood.total_loss(setting_.y, eta, member.weights) + cost;
}

void BatchedNewtonCg::evaluate(Member& member) const {
  setting_.likelihood.derivatives(setting_.y, member.eta, member.residual, member.curvature);
  member.intercept_gradient = member.total_curvature = 0;
  for (Index i = 0; i < std::ssize(member.eta); ++i) {
    member.residual[i] *= member.weights[i];
    member.curvature[i] *= member.weights[i];
    member.intercept_gradient += member.residual[i];
    member.total_curvature += member.curvature[i];
  }
}

// Newton's method for the intercept alone, which costs no pass over the columns. Afterwards the residuals sum to zero,
// so that the columns' gradient contains no part along the constant vector. Steps are cut at 2 on the scale of the
// predictor: far out in the tail of a logistic or exponential loss Newton's step overshoots.
void BatchedNewtonCg::profile_intercept(Member& member, double penalty) const {
  evaluate(member);
  for (int round = 0; round < 50 && setting_.intercept && member.total_curvature > 0; ++round) {
    double size = 0;
    for (const double r : member.residual) size += std::abs(r);
    if (std::abs(member.intercept_gradient) <= 1e-13 * size) break;
    double step = member.intercept_gradient / member.total_curvature;
    if (!setting_.likelihood.is_quadratic()) step = std::clamp(step, -2.0, 2.0);
    if (member.b0 + step == member.b0) break;
    member.b0 += step;
    for (double& e : member.eta) e += step;
    evaluate(member);
    if (setting_.likelihood.is_quadratic() && round == 1) break;
  }
  if (!setting_.intercept) member.intercept_gradient = 0;
  member.objective = objective_of(member, member.s, member.eta, penalty);
}

// One pass for all: A' of the residuals, minus the penalty's part.
void BatchedNewtonCg::take_gradients(std::span<Member* const> members, double penalty) const {
  const Index count = members.size();
  Matrix residuals(n_, count), products(m_, count);
  for (Index k = 0; k < count; ++k) std::ranges::copy(members[k]->residual, residuals.col(k));
  setting_.A.transpose_multiply(setting_.A.all(), residuals, products);
  for (Index k = 0; k < count; ++k) {
    Member& member = *members[k];
    for (Index j = 0; j < std::ssize(member.s); ++j) {
      member.gradient[j] = products(j, k) - penalty * setting_.penalized[j] * member.s[j];
    }
    const double size = std::hypot(norm(member.gradient), setting_.intercept_unit * member.intercept_gradient);
    member.relative_gradient = member.start_gradient > 0 ? size / member.start_gradient : 0.0;
  }
}

// M^-1 v with M = Q (c diag(scale) + penalty) Q', c the total curvature; without rotation M is diagonal and free
// columns have no penalty. A column without any curvature is left unscaled.
std::vector<double> BatchedNewtonCg::precondition(const Member& member, std::span<const double> v,
                                                  double penalty) const {
  const Matrix& rotation = setting_.metric.rotation;
  const bool rotated = rotation.cols() > 0;
  const auto m = static_cast<int>(m_);
  std::vector<double> inner(v.begin(), v.end()), out(v.size());
  if (rotated) cblas_dgemv(CblasColMajor, CblasTrans, m, m, 1.0, rotation.col(0), m, v.data(), 1, 0.0, inner.data(), 1);
  for (Index j = 0; j < std::ssize(inner); ++j) {
    const double shrink = rotated ? 1.0 : setting_.penalized[j];
    const double curvature = std::max(0.0, setting_.metric.scale[j]) * member.total_curvature + penalty * shrink;
    inner[j] /= curvature > 0 ? curvature : 1.0;
  }
  if (!rotated) return inner;
  cblas_dgemv(CblasColMajor, CblasNoTrans, m, m, 1.0, rotation.col(0), m, inner.data(), 1, 0.0, out.data(), 1);
  return out;
}

void BatchedNewtonCg::begin_step(Member& member, double penalty) const {
  for (auto* v : {&member.step, &member.image}) std::ranges::fill(*v, 0.0);
  member.step_intercept = 0;
  member.cg_residual = member.gradient;
  member.cg_direction = precondition(member, member.cg_residual, penalty);
  member.energy = dot(member.cg_residual, member.cg_direction);
  // Forcing term: the residual that CG may leave, relative to that at the start, squared because energy is a square.
  const double accuracy = std::min(0.1, member.relative_gradient);
  member.stop_energy = member.energy * accuracy * accuracy;
}

// One step of conjugate gradients, given A'(H A d) of the present search direction d. True when it is the last.
bool BatchedNewtonCg::conjugate_step(Member& member, std::span<const double> curved, double penalty) const {
  std::vector<double> image(curved.begin(), curved.end());
  for (Index j = 0; j < std::ssize(image); ++j) image[j] += penalty * setting_.penalized[j] * member.cg_direction[j];
  const double directional_curvature = dot(member.cg_direction, image);
  if (!(directional_curvature > 0)) return true;
  const double length = member.energy / directional_curvature;
  add(length, member.cg_direction, member.step);
  add(length, member.cg_direction_image, member.image);
  member.step_intercept += length * member.search_intercept;
  add(-length, image, member.cg_residual);
  const std::vector<double> next = precondition(member, member.cg_residual, penalty);
  const double energy = dot(member.cg_residual, next);
  const double ratio = energy / member.energy;
  for (Index j = 0; j < std::ssize(next); ++j) member.cg_direction[j] = next[j] + ratio * member.cg_direction[j];
  member.energy = energy;
  return !(energy > member.stop_energy);
}

// Newton directions of all members in lockstep: A d and A'(H A d) of all search directions in one pass each. Members
// whose CG has converged leave the batch; their columns cost nothing more.
void BatchedNewtonCg::find_steps(std::vector<Member*> members, double penalty) const {
  for (Member* member : members) begin_step(*member, penalty);
  std::erase_if(members, [](const Member* member) { return !(member->energy > 0); });
  for (Index round = 0; round < setting_.max_conjugate && !members.empty(); ++round) {
    const Index count = members.size();
    Matrix directions(m_, count), images(n_, count), curved(m_, count);
    for (Index k = 0; k < count; ++k) std::ranges::copy(members[k]->cg_direction, directions.col(k));
    setting_.A.multiply_add(setting_.A.all(), directions, images);
    for (Index k = 0; k < count; ++k) {
      Member& member = *members[k];
      member.search_intercept = setting_.intercept && member.total_curvature > 0
                                    ? -dot(member.curvature, images.column(k)) / member.total_curvature
                                    : 0.0;
      for (Index i = 0; i < n_; ++i) {
        const Index s = i;
        member.cg_direction_image[s] = images(i, k) + member.search_intercept;
        images(i, k) = member.curvature[s] * member.cg_direction_image[s];
      }
    }
    setting_.A.transpose_multiply(setting_.A.all(), images, curved);
    std::vector<char> last(count);
    parallel_for(count, 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Index s = k;
        last[s] = conjugate_step(*members[s], curved.column(k), penalty) ? 1 : 0;
      }
    });
    std::vector<Member*> more;
    for (Index k = 0; k < std::ssize(members); ++k) {
      if (last[k] == 0) more.push_back(members[k]);
    }
    members = std::move(more);
  }
}

// Halves the step until the objective does not rise. No pass over the columns: the image of the step is known.
bool BatchedNewtonCg::line_search(Member& member, double penalty) const {
  const double before = member.objective;
  std::vector<double> s(member.s.size()), eta(member.eta.size());
  double length = 1;
  for (int halving = 0; halving < 34; ++halving, length *= 0.5) {
    for (Index j = 0; j < std::ssize(s); ++j) s[j] = member.s[j] + length * member.step[j];
    for (Index i = 0; i < std::ssize(eta); ++i) eta[i] = member.eta[i] + length * member.image[i];
    // Near convergence the decrease is below the rounding error of the sum of losses: 1e-13 of it is tolerated.
    if (!(objective_of(member, s, eta, penalty) <= before + 1e-13 * std::abs(before) + 1e-300)) continue;
    member.s = s;
    member.eta = eta;
    member.b0 += length * member.step_intercept;
    profile_intercept(member, penalty);
    return true;
  }
  return false;
}

bool BatchedNewtonCg::solve(double penalty, double tolerance, Index count) {
  std::vector<Member*> members;
  for (Index k = 0; k < count; ++k) members.push_back(&members_[k]);
  for (Member* member : members) member->objective = objective_of(*member, member->s, member->eta, penalty);
  bool good = true;
  for (Index round = 0; !members.empty(); ++round) {
    take_gradients(members, penalty);
    std::erase_if(members, [&](const Member* member) { return member->relative_gradient <= tolerance; });
    if (members.empty()) break;
    if (round == setting_.max_newton) return false;
    find_steps(members, penalty);
    std::vector<char> moved(members.size());
    parallel_for(std::ssize(members), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const Index s = k;
        moved[s] = line_search(*members[s], penalty) ? 1 : 0;
      }
    });
    std::vector<Member*> more;
    for (Index k = 0; k < std::ssize(members); ++k) {
      if (moved[k] != 0) more.push_back(members[k]);
    }
    good = good && more.size() == members.size();
    members = std::move(more);
  }
  return good;
}

}  // namespace tamis
