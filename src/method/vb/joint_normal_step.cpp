// q(w, b0) of full variational Bayes: exact for gaussian rows of information B and centers m, priors w_j ~ N(0, v_j).
//
// Rows       p > n: with K = X V X', A = I + B^1/2 K B^1/2, P = B^1/2 A^-1 B^1/2, u = P1, t = 1'P1, M = P - u u' / t
//              E b0 = u'm / t,  E w = V X'M m,  var w_j = v_j - v_j^2 x_j'M x_j,  var eta_i = 1 / b_i - M_ii / b_i^2
//            in O(n^2 p); without an intercept M = P.
// Features   otherwise: precision X'BX + V^-1 of columns centered by their mean under B, in O(p^2 n + p^3). A quadratic
//            loss has B = weights / noise, so that X'WX is computed once.
// Mass       with an intercept 1/2 log 2 pi - 1/2 log(|A| t), without one -1/2 log |A|, less half the minimum of
//            sum b_i (m_i - eta_i)^2 + sum w_j^2 / v_j. Beside features |A| t = 1'B1 |X'BX + V^-1| |V|.
// Papers     Woodbury (1950); Rasmussen & Williams (2006), section 2.7, the flat intercept
#include "method/vb/joint_normal_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numerical_failure.hpp"
#include "design/row_gram.hpp"
#include "linalg/cholesky.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

const double log_two_pi = std::log(2 * M_PI);
constexpr Index block = 64;  // columns that are dense at a time

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

JointNormalStep JointNormal::step(std::span<const double> information, std::span<const double> working,
                                  std::span<const double> prior_variance, double scale) {
  const bool wide = scaled_.features() > scaled_.rows();
  JointNormalStep out =
      wide ? by_rows(information, working, prior_variance) : by_features(information, working, prior_variance, scale);
  finish(information, working, prior_variance, out);
  return out;
}

JointNormalStep JointNormal::by_rows(std::span<const double> information, std::span<const double> working,
                                     std::span<const double> prior_variance) const {
  const Index n = scaled_.rows(), p = scaled_.features();
  const Columns kept = scaled_.kept();
  Matrix A = row_gram(scaled_.X(), kept, prior_variance);
  std::vector<double> root(n);
  for (Index i = 0; i < n; ++i) root[i] = std::sqrt(information[i]);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) A(i, j) = root[i] * A(i, j) * root[j] + (i == j ? 1 : 0);
  }
  if (!shared_cholesky(A)) throw NumericalFailure("the covariance matrix of the rows is not positive definite");
  // P v for v = m and v = 1.
  Matrix solved(n, 2);
  for (Index i = 0; i < n; ++i) {
    solved(i, 0) = root[i] * working[i];
    solved(i, 1) = root[i];
  }
  solve_positive(A, solved);
  for (Index i = 0; i < n; ++i) {
    solved(i, 0) *= root[i];
    solved(i, 1) *= root[i];
  }
  JointNormalStep out;
  std::vector<double> dual(solved.column(0).begin(), solved.column(0).end());
  const std::span<const double> u = solved.column(1);
  const double t = std::accumulate(u.begin(), u.end(), 0.0);
  out.log_mass = -0.5 * log_determinant(A);
  if (scaled_.has_intercept()) {
    out.intercept = std::accumulate(dual.begin(), dual.end(), 0.0) / t;
    for (Index i = 0; i < n; ++i) dual[i] -= out.intercept * u[i];
    out.log_mass += 0.5 * (log_two_pi - std::log(t));
  }
  out.mean.resize(p);
  scaled_.X().transpose_multiply(kept, std::span<const double>(dual), std::span(out.mean));
  for (Index j = 0; j < p; ++j) out.mean[j] *= prior_variance[j];
  out.variance = variances_by_rows(A, root, u, t, prior_variance);
  if (!wants_fit_variance_) return out;
  const std::vector<double> diagonal = inverse_diagonal(A);
  out.fit_variance.assign(n, 0.0);
  for (Index i = 0; i < n; ++i) {
    const double b = information[i];
    if (b > 0) out.fit_variance[i] = (1 - diagonal[i] + (scaled_.has_intercept() ? u[i] * u[i] / (t * b) : 0.0)) / b;
  }
  return out;
}

// v_j - v_j^2 x_j'M x_j, from the columns of L^-1 B^1/2 X.
std::vector<double> JointNormal::variances_by_rows(const Matrix& factor, std::span<const double> root,
                                                   std::span<const double> u, double t,
                                                   std::span<const double> prior_variance) const {
  const Index n = scaled_.rows(), p = scaled_.features();
  const Columns kept = scaled_.kept();
  std::vector<double> along(p), out(p);
  scaled_.X().transpose_multiply(kept, u, std::span(along));
  parallel_for(p, block, [&](Index begin, Index end) {
    Matrix x(n, end - begin);
    scaled_.X().gather(kept.slice(begin, end - begin), x);
    for (Index k = 0; k < x.cols(); ++k) {
      for (Index i = 0; i < n; ++i) x(i, k) *= root[i];
    }
    solve_lower(factor, x);
    for (Index j = begin; j < end; ++j) {
      const double square =
          dot(x.column(j - begin), x.column(j - begin)) - (scaled_.has_intercept() ? along[j] * along[j] / t : 0.0);
      out[j] = prior_variance[j] * std::max(0.0, 1 - prior_variance[j] * square);
    }
  });
  return out;
}

// X'BX; for a quadratic loss the Gram matrix of the weights, scaled.
Matrix JointNormal::precision(std::span<const double> information, double scale) {
  const Index p = scaled_.features();
  Matrix Q(p, p);
  if (scale == 0) {
    scaled_.X().gram(scaled_.kept(), information, Q);
    return Q;
  }
  if (gram_.rows() == 0) {
    gram_ = Matrix(p, p);
    scaled_.X().gram(scaled_.kept(), scaled_.weights(), gram_);
  }
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) Q(i, j) = scale * gram_(i, j);
  }
  return Q;
}

JointNormalStep JointNormal::by_features(std::span<const double> information, std::span<const double> working,
                                         std::span<const double> prior_variance, double scale) {
  const Index n = scaled_.rows(), p = scaled_.features();
  const Columns kept = scaled_.kept();
  Matrix Q = precision(information, scale);
  const double total = std::accumulate(information.begin(), information.end(), 0.0);
  std::vector<double> means(p, 0.0), pull(n), g(p);
  double center = 0;
  if (scaled_.has_intercept()) {
    scaled_.X().transpose_multiply(kept, information, std::span(means));
    for (double& m : means) m /= total;
    center = dot(information, working) / total;
  }
  for (Index i = 0; i < n; ++i) pull[i] = information[i] * (working[i] - center);
  scaled_.X().transpose_multiply(kept, std::span<const double>(pull), std::span(g));
  JointNormalStep out;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < p; ++i) Q(i, j) -= total * means[i] * means[j];
    Q(j, j) += 1 / prior_variance[j];
    out.log_mass -= 0.5 * std::log(prior_variance[j]);
  }
  Matrix factor = Q;
  if (!cholesky(factor) || !invert_positive(Q)) {
    throw NumericalFailure("the precision matrix of the coefficients is not positive definite");
  }
  out.log_mass -= 0.5 * log_determinant(factor);
  if (scaled_.has_intercept()) out.log_mass += 0.5 * (log_two_pi - std::log(total));
  solve_positive(factor, MatrixView(std::span(g)));
  out.mean = std::move(g);
  out.intercept = center - dot(means, out.mean);
  for (Index j = 0; j < p; ++j) out.variance.push_back(Q(j, j));
  if (wants_fit_variance_) add_fit_variances(Q, means, total, out);
  return out;
}

// Diagonal of (X - 1 means') C (X - 1 means')' + 1 / total, by blocks of columns of C.
void JointNormal::add_fit_variances(const Matrix& covariance, std::span<const double> means, double total,
                                    JointNormalStep& out) const {
  const Index n = scaled_.rows(), p = scaled_.features();
  const Columns kept = scaled_.kept();
  out.fit_variance.assign(n, scaled_.has_intercept() ? 1 / total : 0.0);
  for (Index first = 0; first < p; first += block) {
    const Index count = std::min(block, p - first);
    Matrix x(n, count), image(n, count);
    scaled_.X().gather(kept.slice(first, count), x);
    scaled_.X().multiply_add(kept, ConstMatrixView(covariance.col(first), p, count), image);
    for (Index k = 0; k < count; ++k) {
      const double shift = dot(means, covariance.column(first + k));
      for (Index i = 0; i < n; ++i) out.fit_variance[i] += (x(i, k) - means[first + k]) * (image(i, k) - shift);
    }
  }
}

// Predictor, parameters that the rows determine (sum_j 1 - var_j / v_j, and the intercept), and the quadratic part of
// the mass, at its minimum: a sum of squares, which no cancellation touches.
void JointNormal::finish(std::span<const double> information, std::span<const double> working,
                         std::span<const double> prior_variance, JointNormalStep& out) const {
  out.fit.assign(scaled_.rows(), out.intercept);
  scaled_.X().multiply_add(scaled_.kept(), std::span<const double>(out.mean), std::span(out.fit));
  out.effective = scaled_.has_intercept() ? 1 : 0;
  double square = 0;
  for (Index j = 0; j < std::ssize(out.mean); ++j) {
    out.effective += 1 - out.variance[j] / prior_variance[j];
    square += out.mean[j] * out.mean[j] / prior_variance[j];
  }
  for (Index i = 0; i < std::ssize(out.fit); ++i) {
    const double left = working[i] - out.fit[i];
    square += information[i] * left * left;
  }
  out.log_mass -= 0.5 * square;
}

}  // namespace tamis
