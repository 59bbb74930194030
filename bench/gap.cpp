// Duality gaps computed from the coefficients alone, by the definition, for every solver alike.
// With residual r = -d loss / d eta at the solution, scale * r is feasible for the dual as long as its correlation
// with every standardized column stays within the penalty; the dual value there is -mean conjugate.
#include <algorithm>
#include <cmath>
#include <functional>

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
void center_predictor(const Family& family, std::span<const double> y, std::span<double> eta,
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

double mean_loss(const Family& family, std::span<const double> y, std::span<const double> eta) {
  return family.total_loss(y, eta, {}) / static_cast<double>(y.size());
}

double l1_norm(std::span<const double> v) {
  double sum = 0;
  for (const double x : v) sum += std::abs(x);
  return sum;
}

double largest_size(std::span<const double> v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

// Dual value at scale * residual.
double dual_value(const Family& family, std::span<const double> y, std::span<const double> residual, double scale) {
  double sum = 0;
  for (Index i = 0; i < std::ssize(y); ++i) sum -= family.conjugate(y[i], scale * residual[i]);
  return sum / static_cast<double>(y.size());
}

}  // namespace

std::vector<double> Problem::relative_gaps(std::span<const double> penalties, ConstMatrixView coefficients) const {
  constexpr Index most = 8;  // right-hand sides per pass over X
  const Index n = X_->rows();
  const Index p = X_->cols();
  const ColumnMoments moments = column_moments(*X_, std::vector<double>(n, 1.0));
  const StandardizedDesign standardized(*X_, moments.mean, moments.deviation);
  const double null_predictor = family_->link(mean_of(y_));
  const double null_loss = mean_loss(*family_, y_, std::vector<double>(y_.size(), null_predictor));
  std::vector<double> gaps;
  for (Index first = 0; first < coefficients.cols; first += most) {
    const Index width = std::min(most, coefficients.cols - first);
    Matrix b(p, width), eta(n, width), residual(n, width), correlation(p, width);
    for (Index k = 0; k < width; ++k) {
      const double* original = coefficients.col(first + k) + 1;
      std::ranges::transform(moments.deviation, std::span(original, p), b.col(k), std::multiplies{});
      std::ranges::fill(eta.column(k), null_predictor);
    }
    standardized.multiply_add(standardized.all(), b, eta);
    for (Index k = 0; k < width; ++k) center_predictor(*family_, y_, eta.column(k), residual.column(k));
    standardized.transpose_multiply(standardized.all(), residual, correlation);
    for (Index k = 0; k < width; ++k) {
      const double penalty = penalties[first + k];
      const double steepest = largest_size(correlation.column(k)) / static_cast<double>(n);
      const double scale = steepest > penalty ? penalty / steepest : 1.0;
      const double primal = mean_loss(*family_, y_, eta.column(k)) + penalty * l1_norm(b.column(k));
      gaps.push_back((primal - dual_value(*family_, y_, residual.column(k), scale)) / null_loss);
    }
  }
  return gaps;
}

}  // namespace tamis::bench
