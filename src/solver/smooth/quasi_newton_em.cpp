// Quasi-Newton acceleration of EM for a few hyperparameters with bounds.
//
// Model      maximize the log evidence L(x) over lower <= x <= upper; unknowns are logarithms.
// Algorithm  B starts as the complete-data information, the curvature that EM assumes, so that the first step is EM's:
//              1 free unknowns: those that no bound holds against their gradient
//              2 direction B^-1 gradient on the free ones, cut at 3 in any unknown, projected onto the bounds
//              3 accepted if L rises by 1e-4 of what the gradient promises (Armijo), else tried at a quarter of the
//                length, four lengths in all, then replaced by the EM step, which cannot decrease L
//              4 BFGS update of B from the change of the gradient: it learns what EM ignores (missing information)
// Converged  when neither the quasi-Newton step nor EM's would move any unknown by more than the tolerance.
// Hazard     Near the maximum differences of L are rounding error (1e-14 of it); then a step is accepted if L is level
//            and the gradient, in the metric of EM, shrinks.
// Not taken  SQUAREM (Varadhan & Roland 2008), which extrapolates two EM maps without gradients: here the gradient is
//            known from the E-step, and bounds and exact convergence are wanted.
// Paper      Lange (1995) Statistica Sinica 5, A quasi-Newton acceleration of the EM algorithm.
// Departure  Lange corrects the complete-data information of every new point by a symmetric rank-one matrix; here it is
//            only the start of B, and BFGS keeps B positive definite.
#include "solver/smooth/quasi_newton_em.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Unknowns are logarithms: one step changes none of them by more than a factor of about twenty.
constexpr double longest_step = 3;
constexpr int most_shortenings = 4;
// Differences of the objective below this share of it are rounding; then the gradient decides.
constexpr double rounding = 1e-14;
constexpr double sufficient_rise = 1e-4;  // of what the gradient promises (Armijo)

VectorXd vector_of(std::span<const double> v) { return Eigen::Map<const VectorXd>(v.data(), std::ssize(v)); }

double largest(const VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

class QuasiNewtonAscent {
 public:
  QuasiNewtonAscent(const EmProblem& problem, std::span<const double> start)
      : problem_(problem), lower_(vector_of(problem.lower)), upper_(vector_of(problem.upper)), x_(vector_of(start)) {
    current_ = e_step(x_);
    reset_curvature();
    update_direction();
  }

  const VectorXd& x() const { return x_; }
  const Expectation& here() const { return current_; }
  double distance() const { return std::max(largest(direction_), largest(em_target() - x_)); }

  // Whether the rise that the quadratic model predicts for the full step is below the rounding error of L.
  bool rise_is_rounding() const {
    return 0.5 * vector_of(current_.gradient).dot(direction_) <= slack() + current_.rounding;
  }

  // False when neither the shortened quasi-Newton steps nor the EM step increase L.
  bool step() {
    VectorXd move = direction_ * std::min(1.0, longest_step / std::max(largest(direction_), longest_step));
    for (int k = 0; k < most_shortenings; ++k, move /= 4) {
      if (move_to(clamped(x_ + move))) return true;
    }
    reset_curvature();
    return move_to(em_target());
  }

 private:
  VectorXd clamped(const VectorXd& x) const { return x.cwiseMax(lower_).cwiseMin(upper_); }
  VectorXd em_target() const { return clamped(vector_of(current_.maximization)); }
  Expectation e_step(const VectorXd& x) const { return problem_.expect(std::span<const double>(x.data(), x.size())); }
  double slack() const { return rounding * (1 + std::abs(current_.objective)); }
  void reset_curvature() { curvature_ = vector_of(current_.information).asDiagonal(); }

  // Unknowns that no bound holds against their gradient.
  std::vector<Index> free_at(const VectorXd& x, const Expectation& e) const {
    std::vector<Index> free;
    for (Index i = 0; i < x.size(); ++i) {
      const double g = e.gradient[i];
      if (!(x[i] <= lower_[i] && g <= 0) && !(x[i] >= upper_[i] && g >= 0)) free.push_back(i);
    }
    return free;
  }

  // Squared norm of the free gradient in EM's metric: g'I^-1 g, the distance from stationarity.
  double scaled_gradient_norm2(const VectorXd& x, const Expectation& e) const {
    double sum = 0;
    for (const Index i : free_at(x, e)) {
      const Index k = i;
      sum += e.gradient[k] * e.gradient[k] / e.information[k];
    }
    return sum;
  }

  // Newton system on the free unknowns; rows of the bound ones are those of the identity, so that they do not move.
  void update_direction() {
    VectorXd g = VectorXd::Zero(x_.size());
    MatrixXd B = MatrixXd::Identity(x_.size(), x_.size());
    const std::vector<Index> free = free_at(x_, current_);
    for (const Index i : free) {
      g[i] = current_.gradient[i];
      for (const Index j : free) B(i, j) = curvature_(i, j);
    }
    direction_ = B.llt().solve(g);
  }

  bool move_to(const VectorXd& candidate) {
    const VectorXd move = candidate - x_;
    if (largest(move) == 0) return false;
    Expectation there = e_step(candidate);
    const double rise = there.objective - current_.objective;
    const bool risen = rise > slack() && rise >= sufficient_rise * vector_of(current_.gradient).dot(move);
    const bool level =
        std::abs(rise) <= slack() && scaled_gradient_norm2(candidate, there) < scaled_gradient_norm2(x_, current_);
    if (!risen && !level) return false;
    update_curvature(move, vector_of(current_.gradient) - vector_of(there.gradient));
    x_ = candidate;
    current_ = std::move(there);
    update_direction();
    return true;
  }

  // BFGS. Pairs without positive curvature are skipped, or B would lose positive definiteness.
  void update_curvature(const VectorXd& move, const VectorXd& gradient_change) {
    const double product = gradient_change.dot(move);
    if (!(product > 1e-10 * move.norm() * gradient_change.norm())) return;
    const VectorXd expected = curvature_ * move;
    curvature_ +=
        gradient_change * gradient_change.transpose() / product - expected * expected.transpose() / move.dot(expected);
  }

  const EmProblem& problem_;
  VectorXd lower_;
  VectorXd upper_;
  VectorXd x_;
  Expectation current_;
  MatrixXd curvature_;
  VectorXd direction_;
};

}  // namespace

EmResult quasi_newton_em(const EmProblem& problem, std::vector<double> start, double tolerance, Index most_steps,
                         const std::function<bool(std::span<const double>, const Expectation&, double)>& accepted) {
  QuasiNewtonAscent ascent(problem, start);
  const auto result = [&](EmEnd end) {
    return EmResult{end, std::vector<double>(ascent.x().begin(), ascent.x().end()), ascent.distance()};
  };
  for (Index k = 0;; ++k) {
    const std::span<const double> x(ascent.x().data(), start.size());
    const bool go_on = accepted(x, ascent.here(), ascent.distance());
    if (ascent.distance() <= tolerance) return result(EmEnd::converged);
    if (!go_on) return result(EmEnd::stopped);
    if (k == most_steps) return result(EmEnd::iteration_limit);
    if (!ascent.step()) return result(ascent.rise_is_rounding() ? EmEnd::converged : EmEnd::exhausted);
  }
}

}  // namespace tamis
