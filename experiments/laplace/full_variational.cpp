#include "experiments/laplace/full_variational.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <chrono>
#include <cmath>

#include "design/row_gram.hpp"
#include "linalg/symmetric.hpp"
#include "method/laplace/variances.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments::laplace {
namespace {

constexpr int most_rounds = 100;                // at one width of the spike
constexpr double convergence_tolerance = 1e-4;  // largest change of an inclusion probability
constexpr double least_noise = 1e-4;            // of the response's variance, when it is learned

class FullVariational {
 public:
  FullVariational(const Problem& problem, const FullVariationalRequest& request)
      : problem_(problem), request_(request), scaled_(problem) {
    const double unit2 = scaled_.unit() * scaled_.unit();
    const double rows = scaled_.samples(), features = static_cast<double>(scaled_.features());
    prior_inclusion_ = request.prior_inclusion.value_or(std::min(0.35, std::sqrt(rows / features)));
    // A tenth of the rows' number of features explains the response.
    slab_ = request.slab_variance ? *request.slab_variance / unit2
                                  : (scaled_.gaussian() ? 10 / (rows * scaled_.mean_curvature()) : 1.0);
    spike_ = request.spike_variance ? *request.spike_variance / unit2 : 1e-4 * slab_;
    noise_ = request.noise_variance ? *request.noise_variance / unit2 : 0.01;
    inclusion_.assign(scaled_.features(), prior_inclusion_);
    information_.resize(scaled_.rows());
    working_.resize(information_.size());
    fit_.assign(information_.size(), 0.0);
    fit_variance_.assign(information_.size(), 0.0);
  }

  Fit run(Observer* observer) {
    if (!scaled_.nothing_to_explain().empty()) return scaled_.null_fit();
    const double narrowest = spike_;
    bool converged = false, cancelled = false;
    for (spike_ = 0.1 * slab_;; spike_ = std::max(narrowest, 0.1 * spike_)) {
      spike_ = std::max(narrowest, spike_);
      converged = false;
      for (int round = 0; round < most_rounds && !converged && !cancelled; ++round) {
        update_coefficients();
        converged = update_inclusion() < convergence_tolerance;
        if (spike_ <= narrowest) em_step();
        cancelled = observer != nullptr && observer->cancelled();
      }
      if (spike_ <= narrowest || cancelled) break;
    }
    Fit fit;
    std::vector<double> deviations(variance_);
    for (double& v : deviations) v = std::sqrt(v);
    scaled_.to_original(intercept_, mean_, deviations, inclusion_, fit);
    if (scaled_.gaussian()) fit.noise_variance = noise_ * scaled_.unit() * scaled_.unit();
    fit.status = cancelled ? Status::cancelled : converged ? Status::converged : Status::iteration_limit;
    return fit;
  }

 private:
  void update_coefficients();
  double update_inclusion();
  void em_step();
  void view_rows();

  const Problem& problem_;
  const FullVariationalRequest& request_;
  ScaledProblem scaled_;
  double prior_inclusion_, slab_, spike_, noise_;
  double intercept_ = 0;
  std::vector<double> inclusion_, mean_, variance_;                 // per feature
  std::vector<double> information_, working_, fit_, fit_variance_;  // per row
};

// What the rows tell of their predictors: a precision and a center each.
void FullVariational::view_rows() {
  const std::span<const double> weights = scaled_.weights();
  if (scaled_.gaussian()) {
    for (Index i = 0; i < std::ssize(fit_); ++i) {
      information_[i] = weights[i] / noise_;
      working_[i] = scaled_.response()[i];
    }
    return;
  }
  std::vector<double> eta(fit_);
  const std::span<const double> offset = scaled_.offset();
  for (Index i = 0; i < std::ssize(eta); ++i) eta[i] += intercept_ + (offset.empty() ? 0.0 : offset[i]);
  problem_.likelihood.quadratic(scaled_.response(), eta, fit_variance_, information_, working_);
  for (Index i = 0; i < std::ssize(eta); ++i) {
    information_[i] *= weights[i];
    if (!offset.empty()) working_[i] -= offset[i];
  }
}

// In the space of rows: with V the prior variances, K = X V X' and S the roots of the information, the dual vector is
// S (I + S K S)^-1 S (working - b0), the mean V X'dual, and the fit's covariance S^-1 (I - (I + S K S)^-1) S^-1.
void FullVariational::update_coefficients() {
  view_rows();
  const Index n = scaled_.rows();
  std::vector<double> prior(inclusion_.size());
  for (Index j = 0; j < std::ssize(prior); ++j) prior[j] = 1 / (inclusion_[j] / slab_ + (1 - inclusion_[j]) / spike_);
  const Matrix K = row_gram(scaled_.X(), scaled_.kept(), prior);
  Matrix inverse(n, n);
  std::vector<double> root(n);
  for (Index i = 0; i < n; ++i) root[i] = std::sqrt(information_[i]);
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) inverse(i, j) = root[i] * K(i, j) * root[j] + (i == j ? 1 : 0);
  }
  if (!invert_positive(inverse)) throw std::runtime_error("the covariance matrix of the rows is not finite");
  std::vector<double> along(n, 0.0), ones(n, 0.0), dual(n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      along[i] += inverse(i, j) * root[j] * working_[j];
      ones[i] += inverse(i, j) * root[j];
    }
  }
  double sum = 0, total = 0;
  for (Index i = 0; i < std::ssize(root); ++i) {
    sum += root[i] * along[i];
    total += root[i] * ones[i];
  }
  intercept_ = scaled_.has_intercept() ? sum / total : 0.0;
  for (Index i = 0; i < std::ssize(root); ++i) dual[i] = root[i] * (along[i] - intercept_ * ones[i]);
  fit_.assign(n, 0.0);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) fit_[i] += K(i, j) * dual[j];
    fit_variance_[j] = information_[j] > 0 ? (1 - inverse(j, j)) / information_[j] : K(j, j);
  }
  mean_.resize(prior.size());
  scaled_.X().transpose_multiply(scaled_.kept(), std::span<const double>(dual), std::span(mean_));
  for (Index j = 0; j < std::ssize(prior); ++j) mean_[j] *= prior[j];
  variance_ = posterior_variances(scaled_, information_, prior, HessianKind::dual, {}, 0);
}

// q(z) and q(s) = Beta(2 prior + z, 2 (1 - prior) + 1 - z) in turn; returns the largest change of a probability.
double FullVariational::update_inclusion() {
  using boost::math::digamma;
  double change = 0;
  for (Index j = 0; j < std::ssize(inclusion_); ++j) {
    const double square = mean_[j] * mean_[j] + variance_[j];
    const double told = 0.5 * (std::log(spike_ / slab_) + square * (1 / spike_ - 1 / slab_));
    const double before = inclusion_[j];
    const double odds = digamma(2 * prior_inclusion_ + before) - digamma(2 * (1 - prior_inclusion_) + 1 - before);
    inclusion_[j] = logistic(told + odds);
    change = std::max(change, std::abs(inclusion_[j] - before));
  }
  return change;
}

void FullVariational::em_step() {
  if (!request_.slab_variance) {
    double squares = 0, count = 0;
    for (Index j = 0; j < std::ssize(inclusion_); ++j) {
      squares += inclusion_[j] * (mean_[j] * mean_[j] + variance_[j]);
      count += inclusion_[j];
    }
    slab_ = std::max(10 * spike_, (squares + slab_) / (count + 1));  // as if one more had been seen
  }
  if (request_.noise_variance || !scaled_.gaussian()) return;
  double square = 0;
  for (Index i = 0; i < std::ssize(fit_); ++i) {
    const double left = scaled_.response()[i] - intercept_ - fit_[i];
    square += scaled_.weights()[i] * (left * left + fit_variance_[i]);
  }
  noise_ = std::max(least_noise, square / scaled_.samples());
}

}  // namespace

Fit fit_full_variational(const Problem& problem, const FullVariationalRequest& request, const Control& control) {
  const auto start = std::chrono::steady_clock::now();
  Fit fit;
  with_threads(control.threads, [&] { fit = FullVariational(problem, request).run(control.observer); });
  fit.features = feature_names(problem);
  fit.family = problem.likelihood.name();
  fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

}  // namespace tamis::experiments::laplace
