// The judge: duality gaps computed from the coefficients alone, by the definition, for every solver alike.
// With residual r = -d loss / d eta at the solution, scale * r is feasible for the dual as long as its correlation
// with every standardised column stays within the penalty; the dual value there is -mean conjugate.
#include <algorithm>
#include <cmath>

#include "bench/problem.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::bench {
namespace {

double mean_of(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

// Newton steps on the intercept inside eta, and the residual there. The losses are convex in it with a bounded
// third derivative near the solution, where all callers start, so a few plain steps reach rounding error.
void centre_predictor(const Likelihood& family, std::span<const double> y, std::span<double> eta,
                      std::span<double> residual) {
  std::vector<double> curvature(eta.size());
  for (int step = 0; step < 30; ++step) {
    family.derivatives(y, eta, residual, curvature);
    const double shift = mean_of(residual) / mean_of(curvature);
    if (std::abs(shift) < 1e-14) return;
    for (double& e : eta) e += shift;
  }
  family.derivatives(y, eta, residual, curvature);
}

double mean_loss(const Likelihood& family, std::span<const double> y, std::span<const double> eta) {
  return family.total_loss(y, eta, {}) / static_cast<double>(y.size());
}

double null_loss(const Likelihood& family, std::span<const double> y) {
  std::vector<double> eta(y.size(), family.link(mean_of(y)));
  return mean_loss(family, y, eta);
}

}  // namespace

std::vector<double> Problem::relative_gaps(std::span<const double> penalties, ConstMatrixView coefficients) const {
  constexpr Index block = 8;  // right-hand sides per pass over X
  const Index n = X_->rows();
  const Index p = X_->cols();
  const ColumnMoments moments = column_moments(*X_, std::vector<double>(static_cast<std::size_t>(n), 1.0));
  const StandardisedDesign standardised(*X_, moments.mean, moments.deviation);
  const double null = null_loss(*family_, y_);
  std::vector<double> gaps;
  for (Index first = 0; first < coefficients.cols; first += block) {
    const Index width = std::min(block, coefficients.cols - first);
    Matrix b(p, width);
    Matrix eta(n, width);
    Matrix residual(n, width);
    Matrix correlation(p, width);
    for (Index k = 0; k < width; ++k) {
      for (Index j = 0; j < p; ++j) {
        b(j, k) = coefficients(j + 1, first + k) * moments.deviation[static_cast<std::size_t>(j)];
      }
    }
    standardised.multiply_add(standardised.all(), b, eta);
    for (Index k = 0; k < width; ++k) {
      for (double& e : eta.column(k)) e += family_->link(mean_of(y_));
      centre_predictor(*family_, y_, eta.column(k), residual.column(k));
    }
    standardised.transpose_multiply(standardised.all(), residual, correlation);
    for (Index k = 0; k < width; ++k) {
      const double penalty = penalties[static_cast<std::size_t>(first + k)];
      double size = 0;
      double steepest = 0;
      for (const double v : b.column(k)) size += std::abs(v);
      for (const double c : correlation.column(k)) steepest = std::max(steepest, std::abs(c) / static_cast<double>(n));
      const double scale = steepest > penalty ? penalty / steepest : 1.0;
      double dual = 0;
      for (Index i = 0; i < n; ++i) dual -= family_->conjugate(y_[static_cast<std::size_t>(i)], scale * residual(i, k));
      const double primal = mean_loss(*family_, y_, eta.column(k)) + penalty * size;
      gaps.push_back((primal - dual / static_cast<double>(n)) / null);
    }
  }
  return gaps;
}

}  // namespace tamis::bench
