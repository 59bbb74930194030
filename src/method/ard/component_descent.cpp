// Projected Newton descent over the variances of covariance components.
//
// Problem    min over x >= 0 of the cost L, or of its bound with log|Sigma| replaced by a tangent: the weighted problem
//            of the reweighted L1, a group-norm (second-order cone) problem in the coefficients,
//            min_X |Y - sum T_i X_i|_F^2 / (noise t) + 2 sum sqrt(z_i / t) |X_i|_F. By |X|^2 / x + t z x >= 2 sqrt(t z)
//            |X| and the identity tr(Y'Sigma^-1 Y) = min |Y - sum T_i X_i|^2 / noise + sum |X_i|^2 / x_i (Wipf &
//            Nagarajan 2007, Eq. 13) it is min_x tr(Y'Sigma^-1 Y) / t + sum z_i x_i: convex, one unknown per component
//            whatever its rank. |X_i| = x_i sqrt(t z_i) at the minimum.
// Algorithm  Newton on the components with x > 0 and the worst violators of q^2 <= z at x = 0. The Hessian is 2 A for
//            the bound, 2 A - M for L (A_ij = Y'Sigma^-1 K_i Sigma^-1 K_j Sigma^-1 Y / t, M_ij = tr(Sigma^-1 K_i
//            Sigma^-1 K_j)), and the average information A where 2 A - M is not positive definite. Steps are projected
//            to x >= 0, then cut at the first zero; if neither lowers the value, x sqrt(q^2 / z), which always does.
// Papers     Bertsekas (1982) SIAM J. Control Optim. 20(2), projected Newton; Gilmour, Thompson & Cullis (1995)
//            Biometrics 51(4), average information.
#include "method/ard/component_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

constexpr std::size_t most_entering = 25;  // components that enter in one step
constexpr double sufficient = 1e-4;        // share of the linear decrease that a step must reach
constexpr double rounding = 1e-12;         // of a value, relative

// The scaled system: unknowns in units in which the diagonal is one.
bool solve_scaled(Matrix H, std::span<const double> gradient, std::vector<double>& direction) {
  const Index size = H.rows();
  std::vector<double> unit(size);
  for (Index a = 0; a < size; ++a) {
    if (!(H(a, a) > 0)) return false;
    unit[a] = 1 / std::sqrt(H(a, a));
  }
  for (Index b = 0; b < size; ++b) {
    for (Index a = b; a < size; ++a) H(a, b) *= unit[a] * unit[b];
    H(b, b) += 1e-9;  // components that coincide
  }
  if (!cholesky(H)) return false;
  direction.resize(size);
  for (Index a = 0; a < size; ++a) direction[a] = -gradient[a] * unit[a];
  solve_positive(H, std::span(direction));
  for (Index a = 0; a < size; ++a) direction[a] *= unit[a];
  return std::ranges::all_of(direction, [](double d) { return std::isfinite(d); });
}

Matrix rows_and_columns(const Matrix& H, std::span<const Index> which) {
  Matrix out(std::ssize(which), std::ssize(which));
  for (Index b = 0; b < out.cols(); ++b) {
    for (Index a = b; a < out.rows(); ++a) out(a, b) = H(std::max(which[a], which[b]), std::min(which[a], which[b]));
  }
  return out;
}

double& entry(ComponentVariances& at, Index i) { return i == std::ssize(at.x) ? at.noise : at.x[i]; }
double entry(const ComponentVariances& at, Index i) { return i == std::ssize(at.x) ? at.noise : at.x[i]; }

}  // namespace

double ComponentDescent::value(const ComponentPoint& point) const {
  if (slopes_.empty()) return point.cost;
  double sum = point.fit;
  for (Index i = 0; i <= data_.size(); ++i) {
    if (moves(i)) sum += slopes_[i] * entry(point.at, i);
  }
  return sum;
}

ComponentCertificate ComponentDescent::certificate(const ComponentPoint& point) const {
  ComponentCertificate worst;
  for (Index i = 0; i <= data_.size(); ++i) {
    if (!moves(i)) continue;
    const double violation = point.q_squared[i] / slope(point, i) - 1;
    // A noise at its floor may want to fall further.
    if (entry(point.at, i) > floor(i)) {
      worst.active = std::max(worst.active, std::abs(violation));
    } else {
      worst.inactive = std::max(worst.inactive, violation);
    }
  }
  return worst;
}

// Those above their bound, and the worst violators at it.
std::vector<Index> ComponentDescent::free_components(const ComponentPoint& point, double tolerance) const {
  std::vector<Index> which;
  std::vector<std::pair<double, Index>> entering;
  for (Index i = 0; i <= data_.size(); ++i) {
    if (!moves(i)) continue;
    if (entry(point.at, i) > floor(i)) {
      which.push_back(i);
    } else if (const double violation = point.q_squared[i] / slope(point, i) - 1; violation > tolerance) {
      entering.emplace_back(-violation, i);
    }
  }
  std::ranges::sort(entering);
  if (entering.size() > most_entering) entering.resize(most_entering);
  for (const auto& [violation, i] : entering) which.push_back(i);
  std::ranges::sort(which);
  return which;
}

// Newton's; components at their bound that it would move below are taken out, one round at a time.
std::vector<double> ComponentDescent::direction(const ComponentPoint& point, std::vector<Index>& which) const {
  const ComponentEvidence::Curvature curvature = evidence_.curvature(point, which, slopes_.empty());
  Matrix newton = curvature.fit, average = curvature.fit;
  for (Index b = 0; b < newton.cols(); ++b) {
    for (Index a = b; a < newton.rows() && slopes_.empty(); ++a) {
      average(a, b) /= 2;
      newton(a, b) =
          curvature.log_determinant.rows() == 0 ? average(a, b) : newton(a, b) - curvature.log_determinant(a, b);
    }
    if (slopes_.empty()) newton(b, b) += evidence_.penalty_curvature(point, penalty_, which[b]);
  }
  std::vector<Index> places(which.size());
  for (Index a = 0; a < std::ssize(places); ++a) places[a] = a;
  std::vector<double> found;
  while (!places.empty()) {
    std::vector<double> slopes;
    slopes.reserve(places.size());
    for (const Index a : places) slopes.push_back(gradient(point, which[a]));
    if (!solve_scaled(rows_and_columns(newton, places), slopes, found) &&
        !solve_scaled(rows_and_columns(average, places), slopes, found)) {
      found.clear();
      break;
    }
    std::vector<Index> kept;
    for (Index k = 0; k < std::ssize(places); ++k) {
      const Index i = which[places[k]];
      if (found[k] > 0 || entry(point.at, i) > floor(i)) kept.push_back(places[k]);
    }
    if (kept.size() == places.size()) break;
    places = std::move(kept);
  }
  std::vector<Index> left;
  left.reserve(places.size());
  for (const Index a : places) left.push_back(which[a]);
  which = std::move(left);
  return found;
}

ComponentPoint ComponentDescent::moved(const ComponentPoint& from, std::span<const Index> which,
                                       std::span<const double> direction, double length) const {
  ComponentVariances at = from.at;
  for (Index k = 0; k < std::ssize(which); ++k) {
    double& x = entry(at, which[k]);
    x = std::max(floor(which[k]), x + length * direction[k]);
  }
  return evidence_.at(std::move(at), penalty_, Slopes::none);
}

// Backtracking along the projected direction, then along the straight one up to the first bound; a step that fits
// better than the quadratic predicts is doubled.
bool ComponentDescent::search(ComponentPoint& point, std::span<const Index> which,
                              std::span<const double> direction) const {
  constexpr int projected = 6, straight = 20, doublings = 4;
  const double before = value(point);
  double linear = 0, first_bound = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < std::ssize(which); ++k) {
    linear += gradient(point, which[k]) * direction[k];
    if (direction[k] < 0)
      first_bound = std::min(first_bound, (floor(which[k]) - entry(point.at, which[k])) / direction[k]);
  }
  if (!(linear < 0)) return false;
  double length = 1;
  for (int k = 0; k < projected + straight; ++k, length /= 2) {
    if (k == projected) length = std::min(1.0, first_bound);
    ComponentPoint next = moved(point, which, direction, length);
    if (!next.valid || value(next) - before > sufficient * length * linear) continue;
    for (int more = 0; more < doublings && k == 0 && length < first_bound; ++more) {
      if (before - value(next) < -0.6 * length * linear) break;
      ComponentPoint further = moved(point, which, direction, 2 * length);
      if (!further.valid || value(further) >= value(next)) break;
      next = std::move(further);
      length *= 2;
    }
    point = std::move(next);
    return true;
  }
  return false;
}

// Eq. 14 minimized over the variance at the posterior mean: x sqrt(q^2 / z), for the cost and for its bound.
bool ComponentDescent::rescale(ComponentPoint& point) const {
  ComponentVariances at = point.at;
  for (Index i = 0; i <= data_.size(); ++i) {
    if (!moves(i)) continue;
    entry(at, i) = std::max(floor(i), entry(at, i) * std::sqrt(point.q_squared[i] / slope(point, i)));
  }
  ComponentPoint next = evidence_.at(std::move(at), penalty_, Slopes::none);
  if (!next.valid || value(next) >= value(point)) return false;
  point = std::move(next);
  return true;
}

bool ComponentDescent::step(ComponentPoint& point, double tolerance) const {
  const ComponentCertificate before = certificate(point);
  if (before.worst() <= tolerance) return false;
  std::vector<Index> which = free_components(point, tolerance);
  if (which.empty()) return false;
  const std::vector<double> along = direction(point, which);
  ComponentPoint next = point;
  if (along.empty() || !search(next, which, along)) {
    // At the minimum the value has no digits left, but the gradient has: a Newton step that halves the violation
    // counts.
    ComponentPoint last = along.empty() ? ComponentPoint() : moved(point, which, along, 1);
    if (last.valid) evidence_.take_z(last, wanted());
    if (last.valid && value(last) - value(point) <= rounding * (1 + std::abs(value(point))) &&
        certificate(last).worst() < before.worst() / 2) {
      point = std::move(last);
      return true;
    }
    if (!rescale(next)) return false;
  }
  if (slopes_.empty()) evidence_.take_z(next, wanted());
  point = std::move(next);
  return true;
}

}  // namespace tamis
