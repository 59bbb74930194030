// The Variational Garrote by the paper's own recipe, Algorithm 1 of Kappen & Gomez (Machine Learning 96, 2014).
//
// Notation   of the paper: p samples, n features, chi = X'X/p, b = X'y/p, noise precision beta, q(s_i = 1) = m_i.
//            Rows are scaled by the root of their weights, which sum to one, so X'X is chi already.
// Algorithm  repeat at fixed gamma, until the undamped step of m and of log beta is below the tolerance
//              1 w from m: primal, Eq. 9, one n x n system; or dual, Eqs. 22, 25, 26 and 28, one p x p system
//              2 beta from the residual and the variance of the predictor under q
//              3 m damped towards Eq. 8; the damping is halved whenever a step exceeds 0.1 (Algorithm 1, line 9)
// Invariant  square_ belongs to m_ and w_ as they stand: every change of either ends with a new residual
// Hazards    1/(1 - m) of the dual at m = 1 (bounded by min_exclusion); Eq. 10, which holds only where Eq. 9 does and
//            cancels at low noise (not used); and that F is unbounded below once about p features interpolate the
//            data, so a state that does so ends the path instead of being returned (state_interpolates).
#include "method/mean_field/fixed_point.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "method/mean_field/interpolation.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr Index largest_system = 5000;  // unknowns of a dense solve: 200 MB for the matrix
constexpr Index max_iterations = 5000;
// Lower bound of 1 - m in the dual, which divides by it: a ridge of 1e-9 chi no longer moves the solution.
constexpr double least_exclusion = 1e-9;

}  // namespace

FixedPoint::FixedPoint(MeanFieldProblem problem, bool dual) : MeanFieldPathBase(std::move(problem)), dual_(dual) {
  const Index n = problem_.X.rows(), p = problem_.X.cols();
  const Index size = dual ? n : p;
  if (size > largest_system) {
    throw InvalidOption(
        fmt::format("solver: {} solves a linear system of {} unknowns; expected at most {}; use solver=coordinate",
                    dual ? "dual" : "primal", size, largest_system));
  }
  X_.resize(n, p);
  problem_.X.gather(problem_.X.all(), MatrixView(X_.data(), n, p));
  const Eigen::Map<const Eigen::VectorXd> weights(problem_.weights.data(), n);
  y_ = Eigen::Map<const Eigen::VectorXd>(problem_.y.data(), n);
  if (!problem_.offset.empty()) y_ -= Eigen::Map<const Eigen::VectorXd>(problem_.offset.data(), n);
  if (problem_.intercept) {
    X_.rowwise() -= (weights.transpose() * X_).eval();
    y_mean_ = weights.dot(y_);
    y_.array() -= y_mean_;
  }
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  held_out_rows_ = X_;
  held_out_response_ = y_;
  X_ = roots.asDiagonal() * X_;
  y_ = roots.cwiseProduct(y_);
  response_square_ = y_.squaredNorm();
  chi_ = X_.colwise().squaredNorm().transpose();
  // Constant columns have rounding errors for squares after centering; chi = 0 excludes them everywhere below.
  for (Index j = 0; j < p; ++j) {
    if (problem_.curvature[j] == 0) chi_[j] = 0;
  }
  b_ = X_.transpose() * y_;
  if (!dual) gram_ = X_.transpose() * X_;
}

// m = 0 and the noise of the null model. strongest_ is the maximum over i of beta p b_i^2 / (2 chi_ii), by which Eq. 13
// places the first gamma (there printed with a product, b_i^2 chi_ii; the two agree at unit column variance).
void FixedPoint::start(const MeanFieldParameters& hyper) {
  hyper_ = hyper;
  if (hyper_.learn_noise) hyper_.noise_precision = 1 / response_square_;
  const double precision = hyper_.noise_precision * problem_.samples;
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) strongest_ = std::max(strongest_, 0.5 * precision * b_[j] * b_[j] / chi_[j]);
  }
  m_ = Eigen::VectorXd::Zero(chi_.size());
  logit_ = Eigen::VectorXd::Constant(chi_.size(), -1e3);
  solve_weights();
}

void FixedPoint::start_from(std::span<const double> inclusion) {
  m_ = Eigen::Map<const Eigen::VectorXd>(inclusion.data(), std::ssize(inclusion));
  for (Index j = 0; j < m_.size(); ++j) logit_[j] = logit(m_[j]);
  solve_weights();
}

void FixedPoint::solve_weights() {
  if (dual_) {
    solve_dual();
  } else {
    solve_primal();
  }
  square_ = (y_ - X_ * m_.cwiseProduct(w_)).squaredNorm();
}

// Eq. 9: (chi_ij m_j + (1 - m_j) chi_jj delta_ij) w = b, which is not symmetric. With u = sqrt(m) w, times sqrt(m_i),
//   (sqrt(m_i) chi_ij sqrt(m_j) off the diagonal, chi_ii on it) u = sqrt(m) b
// is symmetric positive definite. Where m = 0 this says nothing of w, so w follows from the residual:
//   w_i = (b - chi m w)_i / chi_ii + m_i w_i.
void FixedPoint::solve_primal() {
  const Eigen::VectorXd root = m_.cwiseSqrt();
  Eigen::MatrixXd system = root.asDiagonal() * gram_ * root.asDiagonal();
  for (Index j = 0; j < chi_.size(); ++j) system(j, j) = chi_[j] > 0 ? chi_[j] : 1.0;
  const Eigen::VectorXd u = system.llt().solve(root.cwiseProduct(b_));
  const Eigen::VectorXd coefficient = root.cwiseProduct(u);
  const Eigen::VectorXd left = b_ - gram_ * coefficient;
  w_ = Eigen::VectorXd::Zero(chi_.size());
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) w_[j] = left[j] / chi_[j] + coefficient[j];
  }
}

// A = I + sum_i m_i / (1 - m_i) x_i x_i' / chi_ii (Eq. 25), A y_hat = y (Eq. 26), and with lambda = beta y_hat (Eq. 28)
//   w_i = x_i'y_hat / ((1 - m_i) chi_ii)  (Eq. 22).
void FixedPoint::solve_dual() {
  Eigen::VectorXd odds = Eigen::VectorXd::Zero(chi_.size());
  const auto exclusion = [&](Index j) { return std::max(1 - m_[j], least_exclusion); };
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) odds[j] = m_[j] / (exclusion(j) * chi_[j]);
  }
  Eigen::MatrixXd A = X_ * odds.asDiagonal() * X_.transpose();
  A.diagonal().array() += 1;
  const Eigen::VectorXd left = X_.transpose() * A.llt().solve(y_);
  w_ = Eigen::VectorXd::Zero(chi_.size());
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) w_[j] = left[j] / (exclusion(j) * chi_[j]);
  }
}

// 1 / beta = |y - X m w|^2 / p + sum_i m_i (1 - m_i) w_i^2 chi_ii: the optimum of F at any w, not only at that of Eq. 9
// as in Eq. 10, and a sum of squares, which does not cancel. The floor keeps beta finite on noiseless data.
void FixedPoint::update_noise() {
  if (!hyper_.learn_noise) return;
  double error = square_ + (m_.array() * (1 - m_.array()) * w_.array().square() * chi_.array()).sum();
  if (hyper_.prior.slab_variance > 0) {
    // The corrected log odds depend on beta through log(1 + width beta) / 2: its tangent bounds it from above.
    for (Index j = 0; j < chi_.size(); ++j) {
      const double width = problem_.samples * chi_[j] * hyper_.prior.slab_variance;
      error += m_[j] * width / (1 + width * hyper_.noise_precision) / problem_.samples;
    }
  }
  hyper_.noise_precision = 1 / std::max(error, 1e-13 * response_square_);
}

// Eq. 8: logit m_i = gamma + beta p w_i^2 chi_ii / 2, gamma corrected for the slab if one is given.
Eigen::VectorXd FixedPoint::next_logits() const {
  const double precision = hyper_.noise_precision * problem_.samples;
  Eigen::VectorXd logits = Eigen::VectorXd::Constant(chi_.size(), -1e3);
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) {
      logits[j] = hyper_.prior.terms(precision * chi_[j]).prior_logit + 0.5 * precision * chi_[j] * w_[j] * w_[j];
    }
  }
  return logits;
}

// The guard against the unbounded part of F.
bool FixedPoint::state_interpolates() const {
  const double left = 1 / (hyper_.noise_precision * response_square_);
  return features_interpolate(m_.sum(), problem_.samples, chi_.size(), left, true);
}

// The inner loop of Algorithm 1. The undamped step decides on convergence: a damped one is small by construction and
// would look converged anywhere.
bool FixedPoint::solve(const SpikeSlab& prior) {
  hyper_.prior = prior;
  double damping = 1;
  for (Index k = 0; k < max_iterations; ++k) {
    const double noise_before = hyper_.noise_precision;
    solve_weights();
    update_noise();
    const Eigen::VectorXd logits = next_logits();
    Eigen::VectorXd wanted = logits.unaryExpr([](double l) { return logistic(l); });
    const double change =
        std::max((wanted - m_).cwiseAbs().maxCoeff(), std::abs(std::log(hyper_.noise_precision / noise_before)));
    logit_ = logits;
    const Eigen::VectorXd step = damping * (wanted - m_);
    if (step.cwiseAbs().maxCoeff() > 0.1) damping = std::max(damping / 2, 1.0 / 64);
    m_ += damping == 1 ? Eigen::VectorXd(wanted - m_) : step;
    if (recording_) record_step(present_free_energy(), change, m_.size());
    if (state_interpolates()) return false;
    residual_change_ = change;
    if (change < tolerance_) break;
  }
  solve_weights();
  return true;
}

// Eq. 7, with the expected square as residual plus variance, which does not cancel.
double FixedPoint::present_free_energy() const {
  const double precision = hyper_.noise_precision * problem_.samples;
  double sum = -0.5 * problem_.samples * std::log(hyper_.noise_precision / (2 * M_PI)) + 0.5 * precision * square_;
  for (Index j = 0; j < chi_.size(); ++j) {
    if (m_[j] == 0) continue;
    sum += 0.5 * precision * m_[j] * (1 - m_[j]) * w_[j] * w_[j] * chi_[j] -
           m_[j] * hyper_.prior.terms(precision * chi_[j]).prior_logit + x_log_x(m_[j]) + x_log_x(1 - m_[j]);
  }
  return sum;
}

MeanFieldPoint FixedPoint::present_point() const {
  MeanFieldPoint point;
  point.hyper = hyper_;
  point.precision = hyper_.noise_precision * problem_.samples;
  point.free_energy = present_free_energy();
  point.total = m_.sum();
  point.training_error = square_;
  point.intercept = y_mean_;
  point.certificate = residual_change_;
  const Eigen::VectorXd coefficient = m_.cwiseProduct(w_);
  const Eigen::VectorXd residual = held_out_response_ - held_out_rows_ * coefficient;
  for (Index i = 0; i < std::ssize(problem_.validation_weights); ++i) {
    point.held_out += problem_.validation_weights[i] * std::pow(residual[i], 2);
  }
  for (Index j = 0; j < chi_.size(); ++j) {
    point.active += m_[j] > 0.5 ? 1 : 0;
    point.features.push_back(static_cast<std::int32_t>(j));
    point.logits.push_back(logit_[j]);
    point.means.push_back(w_[j]);
    point.variances.push_back(0);
  }
  return point;
}

// A warm-start candidate is tried if it beats the solution from here; it must be solved again, to this tolerance.
bool FixedPoint::solve_point(const SpikeSlab& prior, const MeanFieldPoint* candidate) {
  const bool solved = solve(prior);
  if (candidate == nullptr || (solved && !is_better(*candidate, present_free_energy()))) return solved;
  set_state(*candidate);
  return solve(prior);
}

void FixedPoint::solve_block(std::span<const SpikeSlab> priors, std::span<const MeanFieldPoint> warm_start_candidates) {
  const Index next = accepted();
  if (solve_point(priors[next], next < std::ssize(warm_start_candidates) ? &warm_start_candidates[next] : nullptr)) {
    points_.push_back(present_point());
  } else {
    interpolates_ = true;
  }
}

std::vector<MeanFieldPoint> FixedPoint::solve_on_working_set(std::span<const SpikeSlab> priors,
                                                             std::span<const MeanFieldPoint> warm_start_candidates) {
  std::vector<MeanFieldPoint> solved;
  for (Index k = 0; k < std::ssize(priors); ++k) {
    const MeanFieldPoint before = present_point();
    if (!solve_point(priors[k], k < std::ssize(warm_start_candidates) ? &warm_start_candidates[k] : nullptr)) {
      set_state(before);
      break;
    }
    solved.push_back(present_point());
  }
  return solved;
}

void FixedPoint::restart(const MeanFieldPoint& from) {
  points_.clear();
  interpolates_ = false;
  set_state(from);
}

void FixedPoint::set_state(const MeanFieldPoint& from) {
  hyper_ = from.hyper;
  for (Index j = 0; j < chi_.size(); ++j) {
    logit_[j] = from.logits[j];
    m_[j] = logistic(logit_[j]);
    w_[j] = from.means[j];
  }
  square_ = (y_ - X_ * m_.cwiseProduct(w_)).squaredNorm();
}

FeaturePosteriors FixedPoint::state() const {
  const Index p = chi_.size();
  return {{logit_.data(), logit_.data() + p}, {w_.data(), w_.data() + p}, std::vector<double>(p, 0.0)};
}

}  // namespace tamis
