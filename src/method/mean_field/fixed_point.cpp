#include "method/mean_field/fixed_point.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr Index largest_system = 5000;
constexpr Index max_iterations = 5000;
// 1 / (1 - m) of the dual: a coin closer to certain than this is as good as certain.
constexpr double least_doubt = 1e-9;

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
  for (Index j = 0; j < p; ++j) {
    if (problem_.curvature[j] == 0) chi_[j] = 0;
  }
  b_ = X_.transpose() * y_;
  if (!dual) gram_ = X_.transpose() * X_;
}

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

// Eq. 9: (chi_ij m_j + (1 - m_j) chi_jj delta_ij) w = b.
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

// Eqs. 22, 25, 26.
void FixedPoint::solve_dual() {
  Eigen::VectorXd odds = Eigen::VectorXd::Zero(chi_.size());
  const auto doubt = [&](Index j) { return std::max(1 - m_[j], least_doubt); };
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) odds[j] = m_[j] / (doubt(j) * chi_[j]);
  }
  Eigen::MatrixXd A = X_ * odds.asDiagonal() * X_.transpose();
  A.diagonal().array() += 1;
  const Eigen::VectorXd left = X_.transpose() * A.llt().solve(y_);
  w_ = Eigen::VectorXd::Zero(chi_.size());
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) w_[j] = left[j] / (doubt(j) * chi_[j]);
  }
}

void FixedPoint::take_noise() {
  if (!hyper_.learn_noise) return;
  double error = square_ + (m_.array() * (1 - m_.array()) * w_.array().square() * chi_.array()).sum();
  if (hyper_.prior.slab_variance > 0) {
    for (Index j = 0; j < chi_.size(); ++j) {
      const double width = problem_.samples * chi_[j] * hyper_.prior.slab_variance;
      error += m_[j] * width / (1 + width * hyper_.noise_precision) / problem_.samples;
    }
  }
  hyper_.noise_precision = 1 / std::max(error, 1e-13 * response_square_);
}

// Eq. 8.
Eigen::VectorXd FixedPoint::next_logits() const {
  const double precision = hyper_.noise_precision * problem_.samples;
  Eigen::VectorXd logits = Eigen::VectorXd::Constant(chi_.size(), -1e3);
  for (Index j = 0; j < chi_.size(); ++j) {
    if (chi_[j] > 0) {
      logits[j] = hyper_.prior.lens(precision * chi_[j]).prior_logit + 0.5 * precision * chi_[j] * w_[j] * w_[j];
    }
  }
  return logits;
}

bool FixedPoint::state_interpolates() const {
  const double total = m_.sum();
  if (total > 0.9 * (problem_.samples - 1)) return true;
  return total > 0.5 * problem_.samples && 1 / hyper_.noise_precision < 1e-12 * response_square_;
}

// Algorithm 1, lines 6-12; converged when the undamped step is small.
bool FixedPoint::solve(const SpikeSlab& prior) {
  hyper_.prior = prior;
  double damping = 1;
  for (Index k = 0; k < max_iterations; ++k) {
    const double noise_before = hyper_.noise_precision;
    solve_weights();
    take_noise();
    const Eigen::VectorXd logits = next_logits();
    Eigen::VectorXd wanted = logits.unaryExpr([](double l) { return logistic(l); });
    const double change =
        std::max((wanted - m_).cwiseAbs().maxCoeff(), std::abs(std::log(hyper_.noise_precision / noise_before)));
    logit_ = logits;
    const Eigen::VectorXd step = damping * (wanted - m_);
    if (step.cwiseAbs().maxCoeff() > 0.1) damping = std::max(damping / 2, 1.0 / 64);
    m_ += damping == 1 ? Eigen::VectorXd(wanted - m_) : step;
    if (recording_) note_step(present_free_energy(), change, m_.size());
    if (state_interpolates()) return false;
    residual_change_ = change;
    if (change < tolerance_) break;
  }
  solve_weights();
  return true;
}

double FixedPoint::present_free_energy() const {
  const double precision = hyper_.noise_precision * problem_.samples;
  double sum = -0.5 * problem_.samples * std::log(hyper_.noise_precision / (2 * M_PI)) + 0.5 * precision * square_;
  for (Index j = 0; j < chi_.size(); ++j) {
    if (m_[j] == 0) continue;
    sum += 0.5 * precision * m_[j] * (1 - m_[j]) * w_[j] * w_[j] * chi_[j] -
           m_[j] * hyper_.prior.lens(precision * chi_[j]).prior_logit + x_log_x(m_[j]) + x_log_x(1 - m_[j]);
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
