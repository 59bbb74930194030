// Coordinate ascent of vg and pmf on the Gram matrix of a working set.
//
// Model      q(s, w) = prod_k Bernoulli(s_k; m_k) q(w_k | s_k); the predictor has coefficients alpha_k = m_k mean_k.
//            Row weights W sum to one, so a precision is beta n: the noise precision times the number of samples
// Algorithm  for each member k in turn, with g_k = x_k'W r and chi_k = x_k'W x_k at the residual r of the predictor
//              mean_k = shrinkage (g_k / chi_k + alpha_k)       flat slab: 1; N(0, v): t / (1 + t), t = beta n chi_k v
//              logit m_k = prior's log odds at no correlation + beta n chi_k mean_k^2 / (2 shrinkage)
//              g -= step * Gram(:, k), |r|^2 += step^2 chi_k - 2 step g_k, alpha_k += step
//            then the hyperparameters that are learned, each at its conditional optimum
// Invariant  g_ and square_ belong to alpha_ but for steps below negligible_step_, and are formed afresh from the true
//            residual at every check, so rounding does not accumulate along a path. Each update is an exact conditional
//            optimum: F never rises within a sweep.
// Papers     flat slab: Kappen & Gomez (2014), Eqs. 7 and 8, with w and m of a feature optimized jointly, which their
//            simultaneous Eq. 9 does not do; normal slab: Carbonetto & Stephens (2012), Bayesian Analysis 7(1)
#include "method/mean_field/mean_field_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/simd_dispatch.hpp"

namespace tamis {
namespace {

// Inclusion below exp(-40) = 4e-18 changes no sum in double precision: set to zero, so that sums over members skip it.
constexpr double vanishing_logit = -40;

}  // namespace

MeanFieldSweep::MeanFieldSweep(const MeanFieldProblem& problem, Index capacity)
    : problem_(problem), capacity_(capacity) {}

// Doubles, so that admitting features one by one copies each entry a constant number of times. Not zeroed: fill_gram
// writes every entry that is read, and at a capacity of 2048 the matrix has 32 MB.
void MeanFieldSweep::make_room(Index members, Index kept) {
  if (members <= room_) return;
  constexpr Index first_room = 32;
  const Index room = std::max({members, std::min(2 * room_, capacity_), first_room});
  auto larger = std::make_unique_for_overwrite<double[]>(room * room);
  for (Index k = 0; k < kept; ++k) std::copy_n(gram_.get() + k * room_, kept, larger.get() + k * room);
  gram_ = std::move(larger);
  room_ = room;
}

// Rows and columns of the members from `before` on.
void MeanFieldSweep::fill_gram(Index before) {
  const Index now = size(), count = now - before;
  const std::span<const Index> added = std::span<const Index>(features_).subspan(before);
  Matrix fresh(now, count);
  problem_.X.cross_gram(Columns(features_), Columns(added), problem_.weights, fresh);
  means_of_columns_.resize(now);
  if (problem_.intercept) {
    const std::span<double> sums(means_of_columns_.data() + before, count);
    problem_.X.transpose_multiply(Columns(added), std::span<const double>(problem_.weights), sums);
  }
  make_room(now, before);
  for (Index l = 0; l < count; ++l) {
    for (Index k = 0; k < now; ++k) {
      const double center = constant_ ? 0.0 : means_of_columns_[k] * means_of_columns_[before + l];
      const double value = fresh(k, l) - center;
      gram_[(before + l) * room_ + k] = value;
      gram_[k * room_ + before + l] = value;
    }
    chi_[before + l] = std::max(0.0, gram_[(before + l) * room_ + before + l]);
  }
}

void MeanFieldSweep::append(std::span<const Index> added, std::span<const double> correlations) {
  if (added.empty()) return;
  const Index before = size();
  features_.insert(features_.end(), added.begin(), added.end());
  for (std::vector<double>* v : {&chi_, &m_, &mean_, &variance_, &alpha_}) v->resize(features_.size(), 0.0);
  logit_.resize(features_.size(), -1e3);
  g_.insert(g_.end(), correlations.begin(), correlations.end());
  fill_gram(before);
}

void MeanFieldSweep::set_to_zero() {
  for (std::vector<double>* v : {&m_, &mean_, &variance_, &alpha_, &g_, &means_of_columns_}) {
    v->assign(features_.size(), 0.0);
  }
  logit_.assign(features_.size(), -1e3);
  chi_.resize(features_.size());
  for (Index k = 0; k < size(); ++k) chi_[k] = std::max(0.0, gram_[k * room_ + k]);
}

// g = X'Wy - Gram alpha and |r|^2 = y'Wy - alpha'(X'Wy + g). The second cancels where the fit is close; it is bounded
// below by 0, and by the least noise variance in update_noise.
void MeanFieldSweep::take_products(std::span<const double> xy, double yy) {
  std::ranges::copy(xy, g_.begin());
  for (Index k = 0; k < size(); ++k) {
    const double b = alpha_[k];
    if (b == 0) continue;
    const double* column = gram_.get() + k * room_;
    for (Index i = 0; i < size(); ++i) g_[i] -= b * column[i];
  }
  square_ = yy;
  for (Index k = 0; k < size(); ++k) square_ -= alpha_[k] * (xy[k] + g_[k]);
  square_ = std::max(0.0, square_);
}

void MeanFieldSweep::update_weights() {
  residual_mean_ = 0;
  if (size() > 0) fill_gram(0);
}

void MeanFieldSweep::keep(std::span<const Index> places) {
  for (Index l = 0; l < std::ssize(places); ++l) {
    const Index from = places[l];
    for (std::vector<double>* v : {&means_of_columns_, &chi_, &m_, &logit_, &mean_, &variance_, &alpha_, &g_}) {
      (*v)[l] = (*v)[from];
    }
    features_[l] = features_[from];
    for (Index k = 0; k < std::ssize(places); ++k) {
      gram_[l * room_ + k] = gram_[from * room_ + places[k]];
    }
  }
  for (std::vector<double>* v : {&means_of_columns_, &chi_, &m_, &logit_, &mean_, &variance_, &alpha_, &g_}) {
    v->resize(places.size());
  }
  features_.resize(places.size());
}

void MeanFieldSweep::clear() {
  for (std::vector<double>* v : {&m_, &mean_, &variance_, &alpha_}) std::ranges::fill(*v, 0.0);
  std::ranges::fill(logit_, -1e3);
}

void MeanFieldSweep::set_member(Index k, double logit, double mean, double variance) {
  logit_[k] = logit;
  m_[k] = logistic(logit);
  mean_[k] = mean;
  variance_[k] = variance;
  alpha_[k] = m_[k] * mean;
}

// set_member overwrites alpha; the old value is put back so that update_correlations makes the step itself.
void MeanFieldSweep::move_member(Index k, double logit, double mean, double variance) {
  const double before = alpha_[k];
  set_member(k, logit, mean, variance);
  const double step = std::exchange(alpha_[k], before) - before;
  update_correlations(k, step);
}

void MeanFieldSweep::restore(const State& state) {
  m_ = state.m;
  logit_ = state.logit;
  mean_ = state.mean;
  variance_ = state.variance;
  alpha_ = state.alpha;
  g_ = state.g;
  square_ = state.square;
  residual_mean_ = state.residual_mean;
}

// Joint optimum of q(s_k, w_k), all others fixed; returns the change. c = g_k + chi_k alpha_k is the correlation with
// the residual without feature k, information = beta n chi_k:
//   flat slab    mean = c / chi_k,  logit m = gamma + information mean^2 / 2                           (Eq. 8)
//   normal slab  mean = c / chi_k * t / (1 + t),  variance = t / (1 + t) / information,  t = information slab_variance,
//                logit m = log odds - log(1 + t) / 2 + mean^2 / (2 variance)          (Carbonetto & Stephens 2012)
double MeanFieldSweep::update(Index k, const MeanFieldParameters& hyper, double precision) {
  const double chi = chi_[k];
  if (!(chi > 0)) return 0;
  const double information = precision * chi;
  const SpikeSlab::Terms terms = hyper.prior.terms(information);
  const double mean = terms.shrinkage * (g_[k] / chi + alpha_[k]);
  const double logit = terms.prior_logit + 0.5 * information * mean * mean / terms.shrinkage;  // Eq. 8
  const double m = logit < vanishing_logit ? 0.0 : logistic(logit);
  const double step = m * mean - alpha_[k];
  const double change = std::max(std::abs(m - m_[k]), std::abs(step) * std::sqrt(information));
  logit_[k] = logit;
  m_[k] = m;
  mean_[k] = mean;
  variance_[k] = hyper.prior.slab_is_normal ? terms.shrinkage / information : 0.0;
  // A step costs O(size) in update_correlations; one far below the tolerance waits until it has grown.
  if (std::abs(step) * std::sqrt(information) > negligible_step_) update_correlations(k, step);
  return change;
}

// The coefficient of member k moves: so do the residual's square and its correlations.
void MeanFieldSweep::update_correlations(Index k, double step) {
  alpha_[k] += step;
  square_ += step * (step * chi_[k] - 2 * g_[k]);
  residual_mean_ -= step * means_of_columns_[k];
  const double* column = gram_.get() + k * room_;
  double* g = g_.data();
  const Index count = size();
  simd_dispatch([=] {
    for (Index i = 0; i < count; ++i) g[i] -= step * column[i];
  });
}

// E |r|^2 under q = |r|^2 at the means + sum_k chi_k Var(s_k w_k) + the variance of the remainder.
double MeanFieldSweep::expected_square(const Remainder& remainder) const {
  double sum = std::max(0.0, square_) + remainder.variance;
  for (Index k = 0; k < size(); ++k) {
    const double second = mean_[k] * mean_[k] + variance_[k];
    sum += chi_[k] * std::max(0.0, m_[k] * second - alpha_[k] * alpha_[k]);
  }
  return sum;
}

double MeanFieldSweep::total_inclusion() const {
  double sum = 0;
  for (const double m : m_) sum += m;
  return sum;
}

// Optimum of F in the noise precision: the expected square of the residual (in place of Eq. 10 of the garrote, which is
// equal at the optimum only). least_noise_ keeps it finite on noiseless data. Returns |change of the log|.
double MeanFieldSweep::update_noise(MeanFieldParameters& hyper, const Remainder& remainder) const {
  double error = expected_square(remainder);
  // The correction of the odds depends on the noise: its tangent in the precision is an upper bound.
  if (!hyper.prior.slab_is_normal && hyper.prior.slab_variance > 0) {
    for (Index k = 0; k < size(); ++k) {
      const double width = problem_.samples * chi_[k] * hyper.prior.slab_variance;
      error += m_[k] * width / (1 + width * hyper.noise_precision) / problem_.samples;
    }
  }
  const double before = std::exchange(hyper.noise_precision, 1 / std::max(error, least_noise_));
  return std::abs(std::log(hyper.noise_precision / before));
}

// M step of the prior: log odds = logit(sum m / p), slab variance = sum m E[w^2 | in] / sum m. The remainder is scaled
// by the change of the odds since the pass that found it: held fixed, it would hold the odds back pass after pass.
double MeanFieldSweep::update_prior(MeanFieldParameters& hyper, const Remainder& remainder) const {
  const double follow = std::exp(std::clamp(hyper.prior.log_odds - remainder.log_odds, -3.0, 3.0));
  double total = follow * remainder.total, second = follow * remainder.second;
  for (Index k = 0; k < size(); ++k) {
    total += m_[k];
    second += m_[k] * (mean_[k] * mean_[k] + variance_[k]);
  }
  double change = 0;
  if (hyper.learn_slab && total > 0) {
    const double before = std::exchange(hyper.prior.slab_variance, std::max(second / total, least_slab_));
    change = std::abs(std::log(hyper.prior.slab_variance / before));
  }
  if (hyper.learn_odds) {
    const double p = static_cast<double>(problem_.X.cols());
    const double before = std::exchange(hyper.prior.log_odds, logit(std::clamp(total / p, 1e-12, 1 - 1e-9)));
    change = std::max(change, std::abs(hyper.prior.log_odds - before));
  }
  // As inclusion vanishes the log odds fall for ever, at no effect on any estimate: such changes count the less, the
  // fewer features are expected.
  return change * std::min(1.0, total);
}

double MeanFieldSweep::update_hyper(MeanFieldParameters& hyper, const Remainder& remainder) const {
  double change = hyper.learn_noise ? update_noise(hyper, remainder) : 0.0;
  if (hyper.learn_slab || hyper.learn_odds) change = std::max(change, update_prior(hyper, remainder));
  return change;
}

// The optimal intercept step is the weighted mean of the residual, kept up to date in residual_mean_ during the sweep.
void MeanFieldSweep::step_intercept() {
  const double step = std::exchange(residual_mean_, 0.0);
  square_ -= step * step;
  for (Index k = 0; k < size(); ++k) g_[k] -= step * means_of_columns_[k];
}

MeanFieldSweep::Sweep MeanFieldSweep::sweep(MeanFieldParameters& hyper, const Remainder& remainder) {
  Sweep result;
  const double precision = hyper.noise_precision * problem_.samples;
  for (Index k = 0; k < size(); ++k) result.change = std::max(result.change, update(k, hyper, precision));
  if (constant_ && problem_.intercept) step_intercept();
  result.change = std::max(result.change, update_hyper(hyper, remainder));
  return result;
}

// Eq. 7 of the garrote: expected square of the residual / (2 noise) + log noise + KL(q || prior), without the prior's
// normalization p log(1 + exp(log odds)); for a bounded likelihood the bound's constant replaces the noise term.
// Entropies come from the logit: from m they would cancel near 0 and 1.
double MeanFieldSweep::free_energy(const MeanFieldParameters& hyper, const Remainder& remainder) const {
  const double precision = hyper.noise_precision * problem_.samples;
  double sum = 0.5 * precision * expected_square(remainder) + remainder.local +
               constant_.value_or(-0.5 * problem_.samples * std::log(hyper.noise_precision / (2 * M_PI)));
  for (Index k = 0; k < size(); ++k) {
    if (m_[k] == 0) continue;
    sum +=
        m_[k] * hyper.prior.inclusion_cost(precision * chi_[k], mean_[k], variance_[k]) - bernoulli_entropy(logit_[k]);
  }
  return sum;
}

}  // namespace tamis
