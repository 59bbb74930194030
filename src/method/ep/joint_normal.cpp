// Marginals of a multivariate normal given by natural parameters of rows and features.
//
// Model      density exp(sum_i (h_i eta_i - l_i eta_i^2 / 2) + sum_j (g_j w_j - d_j w_j^2 / 2)), eta = b0 + X w
// Direct     p <= n: precision X'LX + D, one Cholesky inverse, O(p^3)
// Woodbury   p > n: with A = L^1/2 X and R = (I + A D^-1 A')^-1, O(n^2 p),
//              V = D^-1 - D^-1 A' R A D^-1,  mean = D^-1 (g + A' R (L^-1/2 h - A D^-1 g)),  A V A' = I - R
//            D^-1 is only stable for d_j large beside x_j'L x_j: others (small, zero or negative precision, and the
//            flat intercept) form a Schur block S with precision K = A_S' R A_S + D_S, whose part is subtracted from R:
//              P = R - R A_S K^-1 A_S' R
// Invariant  inverse_ is R from factor_rows to subtract_schur_block, P after; false wherever a Cholesky
//            factorization fails, that is, where the density has no integral
// Threads    sums over blocks of features are cut into a fixed number of pieces, so results do not depend on threads
#include "method/ep/joint_normal.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr double log_2pi = 1.8378770664093454836;
// Features with d_j below this share of x_j'L x_j go to the Schur block: d - d^2 a'Pa would cancel.
constexpr double least_share = 1e-4;
constexpr Index block = 128;
// Sums of blocks are taken in so many fixed pieces, whatever the number of threads.
constexpr Index pieces = 4;

double dot(std::span<const double> a, std::span<const double> b) {
  return cblas_ddot(static_cast<int>(a.size()), a.data(), 1, b.data(), 1);
}

// y = A x of a symmetric matrix with both triangles.
std::vector<double> times(const Matrix& A, std::span<const double> x) {
  const auto n = static_cast<int>(A.rows());
  std::vector<double> y(x.size());
  if (n > 0) cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, A.col(0), n, x.data(), 1, 0.0, y.data(), 1);
  return y;
}

// Inverts in place and gives log |A|; false if A is not positive definite.
bool invert(Matrix& A, double& log_determinant) {
  Matrix factor = A;
  if (!cholesky(factor)) return false;
  log_determinant = 0;
  for (Index k = 0; k < A.rows(); ++k) log_determinant += 2 * std::log(factor(k, k));
  return std::isfinite(log_determinant) && invert_positive(A);
}

}  // namespace

JointNormal::JointNormal(const ScaledProblem& problem)
    : data_(problem),
      n_(problem.rows()),
      p_(problem.features()),
      has_intercept_(!problem.gaussian() && problem.has_intercept()),
      direct_(p_ <= n_) {
  if (direct_ && problem.gaussian()) {
    gram_ = Matrix(p_, p_);
    problem.X().gram(problem.kept(), problem.weights(), gram_);
    return;
  }
  X_ = Matrix(n_, p_ + (has_intercept_ ? 1 : 0));
  problem.X().gather(problem.kept(), MatrixView(X_.col(0), n_, p_));
  if (has_intercept_) std::ranges::fill(X_.column(p_), 1.0);
}

bool JointNormal::solve(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                        JointMarginals& out) {
  return direct_ ? solve_direct(rows, features, out) : solve_woodbury(rows, features, out);
}

// Natural parameters X'LX + D and X'h + g of the features and the intercept. Gaussian rows share one precision per unit
// of weight, so their X'LX is a multiple of the Gram matrix formed once.
void JointNormal::collect(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                          Matrix& precision, std::vector<double>& natural_mean) const {
  std::vector<double> row_precisions, natural_means;
  double total = 0;
  for (const NaturalParameters& row : rows) {
    row_precisions.push_back(row.precision);
    natural_means.push_back(row.natural_mean);
    total += row.precision;
  }
  if (data_.gaussian()) {
    const double scale = total / data_.samples();  // the same for all rows, times their weights
    for (Index j = 0; j < p_; ++j) {
      for (Index k = 0; k < p_; ++k) precision(k, j) = scale * gram_(k, j);
    }
    data_.X().transpose_multiply(data_.kept(), std::span<const double>(natural_means), std::span(natural_mean));
  } else {
    const DenseDesign design(X_);
    design.gram(design.all(), row_precisions, precision);
    design.transpose_multiply(design.all(), std::span<const double>(natural_means), std::span(natural_mean));
  }
  for (Index j = 0; j < p_; ++j) {
    precision(j, j) += features[j].precision;
    natural_mean[j] += features[j].natural_mean;
  }
}

bool JointNormal::solve_direct(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                               JointMarginals& out) {
  const Index size = p_ + (has_intercept_ ? 1 : 0);
  Matrix& V = inverse_;
  V = Matrix(size, size);
  std::vector<double> natural_mean(size);
  collect(rows, features, V, natural_mean);
  double log_determinant = 0;
  if (!invert(V, log_determinant)) return false;
  const std::vector<double> mean = times(V, natural_mean);
  turn_.state = mean;
  out.mean.assign(mean.begin(), mean.begin() + p_);
  out.intercept = has_intercept_ ? mean.back() : 0.0;
  out.variance.resize(p_);
  out.explained_trace = static_cast<double>(p_);
  for (Index j = 0; j < p_; ++j) {
    out.variance[j] = V(j, j);
    out.explained_trace -= V(j, j) * features[j].precision;
  }
  out.predictor.assign(n_, out.intercept);
  data_.X().multiply_add(data_.kept(), std::span<const double>(out.mean), std::span(out.predictor));
  out.log_mass = 0.5 * (static_cast<double>(size) * log_2pi - log_determinant + dot(natural_mean, mean));
  if (data_.gaussian()) return true;
  out.predictor_variance.assign(n_, 0.0);
  Matrix XV(n_, size);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(n_), static_cast<int>(size),
              static_cast<int>(size), 1.0, X_.col(0), static_cast<int>(n_), V.col(0), static_cast<int>(size), 0.0,
              XV.col(0), static_cast<int>(n_));
  for (Index j = 0; j < size; ++j) {
    for (Index i = 0; i < n_; ++i) out.predictor_variance[i] += XV(i, j) * X_(i, j);
  }
  return true;
}

// inverse_ = (I + A D^-1 A')^-1 over the features outside the Schur block: the O(n^2 p) of a sweep, by dsyrk on blocks
// of scaled columns.
bool JointNormal::factor_rows(std::span<const NaturalParameters> features, const std::vector<bool>& in_schur,
                              double& log_determinant) {
  std::vector<Matrix> sums(pieces, Matrix(n_, n_));
  parallel_for(pieces, 1, [&](Index first, Index last) {
    for (Index piece = first; piece < last; ++piece) {
      Matrix scaled(n_, block);
      const Index begin = piece * p_ / pieces, end = (piece + 1) * p_ / pieces;
      for (Index j = begin; j < end;) {
        Index count = 0;
        for (; j < end && count < block; ++j) {
          if (in_schur[j]) continue;
          const double factor = 1 / std::sqrt(features[j].precision);
          double* column = scaled.col(count++);
          for (Index i = 0; i < n_; ++i) column[i] = factor * root_[i] * X_(i, j);
        }
        cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, static_cast<int>(n_), static_cast<int>(count), 1.0,
                    scaled.col(0), static_cast<int>(n_), 1.0, sums[piece].col(0), static_cast<int>(n_));
      }
    }
  });
  inverse_ = Matrix(n_, n_);
  for (Index j = 0; j < n_; ++j) {
    for (Index i = j; i < n_; ++i) {
      for (const Matrix& sum : sums) inverse_(i, j) += sum(i, j);
    }
    inverse_(j, j) += 1;
  }
  return invert(inverse_, log_determinant);
}

// Of the features outside the Schur block: d - d^2 a'Pa with d = 1 / precision, a the column of A.
void JointNormal::fill_variances(std::span<const NaturalParameters> features, const std::vector<bool>& in_schur,
                                 JointMarginals& out) const {
  parallel_for(p_, block, [&](Index first, Index last) {
    const Index count = last - first;
    Matrix A(n_, count), PA(n_, count);
    for (Index k = 0; k < count; ++k) {
      for (Index i = 0; i < n_; ++i) A(i, k) = root_[i] * X_(i, first + k);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(n_), static_cast<int>(count),
                static_cast<int>(n_), 1.0, inverse_.col(0), static_cast<int>(n_), A.col(0), static_cast<int>(n_), 0.0,
                PA.col(0), static_cast<int>(n_));
    for (Index k = 0; k < count; ++k) {
      if (in_schur[first + k]) continue;
      const double d = 1 / features[first + k].precision;
      out.variance[first + k] = d * (1 - d * dot(A.column(k), PA.column(k)));
    }
  });
}

// Members of the Schur block, the intercept last, and log |D| of the others. `!(own >= ...)` also takes negative and
// NaN precisions.
JointNormal::SchurBlock JointNormal::choose_schur_block(std::span<const NaturalParameters> rows,
                                                        std::span<const NaturalParameters> features) const {
  std::vector<double> precision, information(p_);
  for (const NaturalParameters& row : rows) precision.push_back(row.precision);
  data_.X().squared_norms(data_.kept(), precision, information);
  SchurBlock schur;
  schur.is_member.resize(p_);
  for (Index j = 0; j < p_; ++j) {
    const double own = features[j].precision;
    schur.is_member[j] = !(own >= least_share * information[j]);
    if (schur.is_member[j]) {
      schur.columns.push_back(j);
    } else {
      schur.log_determinant += std::log(own);
    }
  }
  if (has_intercept_) schur.columns.push_back(p_);
  return schur;
}

// Solves for the Schur block: precision K = A'R A + D, natural mean A'R response + g. Subtracts the block's fit from
// `response`.
bool JointNormal::solve_schur_block(std::span<const NaturalParameters> features, std::vector<double>& response,
                                    SchurBlock& schur) const {
  const auto n = static_cast<int>(n_), s = static_cast<int>(schur.columns.size());
  if (s == 0) return true;
  Matrix A(n_, s);
  schur.image = Matrix(n_, s);
  schur.covariance = Matrix(s, s);
  for (Index k = 0; k < s; ++k) {
    for (Index i = 0; i < n_; ++i) A(i, k) = root_[i] * X_(i, schur.columns[k]);
  }
  Matrix& F = schur.image;
  Matrix& K = schur.covariance;
  std::vector<double> right(s);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, s, n, 1.0, inverse_.col(0), n, A.col(0), n, 0.0, F.col(0),
              n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s, s, n, 1.0, A.col(0), n, F.col(0), n, 0.0, K.col(0), s);
  cblas_dgemv(CblasColMajor, CblasTrans, n, s, 1.0, F.col(0), n, response.data(), 1, 0.0, right.data(), 1);
  for (Index k = 0; k < s; ++k) {
    const Index j = schur.columns[k];
    if (j == p_) continue;  // the intercept is flat
    K(k, k) += features[j].precision;
    right[k] += features[j].natural_mean;
  }
  double log_determinant = 0;
  if (!invert(K, log_determinant)) return false;
  schur.log_determinant += log_determinant;
  schur.mean = times(K, right);
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, s, -1.0, A.col(0), n, schur.mean.data(), 1, 1.0, response.data(), 1);
  return true;
}

// inverse_ becomes P = R - F K^-1 F', F = R A_S.
void JointNormal::subtract_schur_block(const SchurBlock& schur) {
  const auto n = static_cast<int>(n_), s = static_cast<int>(schur.columns.size());
  if (s == 0) return;
  Matrix product(n_, s);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, s, s, 1.0, schur.image.col(0), n, schur.covariance.col(0),
              s, 0.0, product.col(0), n);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, s, -1.0, product.col(0), n, schur.image.col(0), n, 1.0,
              inverse_.col(0), n);
}

// mean_j = (g_j + a_j'rest) / d_j with `rest` the whitened response minus the fit; the Schur block has its own means.
void JointNormal::fill_means(std::span<const NaturalParameters> features, const SchurBlock& schur,
                             std::span<const double> rest, JointMarginals& out) const {
  out.mean.resize(p_);
  out.variance.resize(p_);
  std::vector<double> weighted(n_);
  for (Index i = 0; i < n_; ++i) weighted[i] = root_[i] * rest[i];
  const auto n = static_cast<int>(n_);
  cblas_dgemv(CblasColMajor, CblasTrans, n, static_cast<int>(p_), 1.0, X_.col(0), n, weighted.data(), 1, 0.0,
              out.mean.data(), 1);
  for (Index j = 0; j < p_; ++j) {
    if (!schur.is_member[j]) out.mean[j] = (features[j].natural_mean + out.mean[j]) / features[j].precision;
  }
  for (Index k = 0; k < std::ssize(schur.columns); ++k) {
    const Index j = schur.columns[k];
    if (j == p_) continue;
    out.mean[j] = schur.mean[k];
    out.variance[j] = schur.covariance(k, k);
  }
  out.intercept = has_intercept_ ? schur.mean.back() : 0.0;
}

// Means and variances of eta from A m = c - rest and A V A' = I - P, without a product with X.
void JointNormal::fill_rows(std::span<const NaturalParameters> rows, std::span<const double> c,
                            std::span<const double> rest, JointMarginals& out) const {
  out.predictor.assign(n_, 0.0);
  out.predictor_variance.assign(data_.gaussian() ? 0 : n_, 0.0);
  out.explained_trace = 0;
  for (Index i = 0; i < n_; ++i) {
    out.explained_trace += 1 - inverse_(i, i);
    if (!(root_[i] > 0)) continue;
    out.predictor[i] = (c[i] - rest[i]) / root_[i];
    if (!data_.gaussian()) out.predictor_variance[i] = (1 - inverse_(i, i)) / rows[i].precision;
  }
}

bool JointNormal::solve_woodbury(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                                 JointMarginals& out) {
  root_.clear();
  for (const NaturalParameters& row : rows) root_.push_back(std::sqrt(row.precision));
  SchurBlock schur = choose_schur_block(rows, features);
  double row_log_determinant = 0;
  if (!factor_rows(features, schur.is_member, row_log_determinant)) return false;

  std::vector<double> drift(p_, 0.0), c(n_), left(n_);
  for (Index j = 0; j < p_; ++j) {
    if (!schur.is_member[j]) drift[j] = features[j].natural_mean / features[j].precision;
  }
  const auto n = static_cast<int>(n_);
  cblas_dgemv(CblasColMajor, CblasNoTrans, n, static_cast<int>(p_), 1.0, X_.col(0), n, drift.data(), 1, 0.0,
              left.data(), 1);
  for (Index i = 0; i < n_; ++i) {
    c[i] = root_[i] > 0 ? rows[i].natural_mean / root_[i] : 0.0;
    left[i] = c[i] - root_[i] * left[i];
  }
  if (!solve_schur_block(features, left, schur)) return false;
  const std::vector<double> rest = times(inverse_, left);
  turn_.state = rest;
  subtract_schur_block(schur);
  fill_means(features, schur, rest, out);
  fill_variances(features, schur.is_member, out);
  fill_rows(rows, c, rest, out);
  double product = dot(c, c) - dot(c, rest);  // natural means times means, of rows and of features
  for (Index j = 0; j < p_; ++j) product += features[j].natural_mean * out.mean[j];
  const double dimensions = static_cast<double>(p_ + (has_intercept_ ? 1 : 0));
  out.log_mass = 0.5 * (dimensions * log_2pi - schur.log_determinant - row_log_determinant + product);
  return true;
}

}  // namespace tamis
