// Coordinate ascent of the evidence bound of the spike-and-slab factor model under a factorized posterior.
//
// Model      Eqs. 2 to 4 of Mohamed, Heller & Ghahramani; the paper has no variational treatment, this one is ours.
// Bound      E log p(X | psi) replaced by a quadratic in psi around q (exact for gaussian, Jaakkola & Jordan's for
//            bernoulli, Newton's for counts), with r = w (t - E psi) and
//              Var psi_nd = sum_k [(E v^2 - (E v)^2) M_kd^2 + E v^2 C_kd]
// Scores     with P = tau + sum_d w_d (M_kd^2 + C_kd), m = (tau mu + sum_d M_kd r_d + phi m_old sum_d w_d M_kd^2) / P:
//              logit phi = logit pi + 1/2 log(tau / P) + 1/2 m^2 P - 1/2 tau mu^2,   s = 1 / P
//            The variance C of the loadings enters P alone: uncertain loadings shrink the scores.
// Loadings   C = 1 / (prior + sum_n w_n E v^2), M from the same sums and r; one coordinate at a time.
// Hyper      pi, mu, tau and s^2 at their modes given q, under the priors of the sampler (sampling/slab.hpp).
// Order      rows in parallel given Theta, columns in parallel given V, each with its own r: no array of N D.
// Cost       a few N K D per iteration, K^2 nowhere, and nothing is drawn.
// Known      Inclusion probabilities come out near 0 and 1, and factors that explain nothing are pruned.
#include "factor/variational/mean_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"
#include "factor/model/line.hpp"
#include "factor/model/row_kernels.hpp"
#include "factor/model/sums_over_rows.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index lines_per_task = 8;
constexpr double noise_shape = 1, noise_rate = 0.1;
// At a rate of exactly 0 no score could become active again.
constexpr double least_probability = 1e-9;

// Residuals and weights of a row or column under the present belief.
struct CellMoments {
  explicit CellMoments(Index count) : x(count), mean(count), variance(count), r(count), w(count) {}
  Scratch x, mean, variance, r, w;

  Family::Beliefs beliefs() const { return {mean.span(), variance.span()}; }

  void update(const Cells& cells, const double* values, std::span<const std::int32_t> missing,
              double noise_precision) const {
    cells.family().expected_quadratic(span_of(values, std::ssize(x.span())), beliefs(), noise_precision, r.span(),
                                      w.span());
    for (const std::int32_t i : missing) r[i] = w[i] = 0;
  }

  // Sum over the cells of E log p(x | psi), or of its bound.
  double density(const Cells& cells, const double* values, std::span<const std::int32_t> missing,
                 double noise_precision) const {
    const Index count = std::ssize(x.span());
    cells.family().expected_log_density(span_of(values, count), beliefs(), noise_precision, r.span());
    for (const std::int32_t i : missing) r[i] = 0;
    const double sum = sum_of_line(r.data(), count);
    if (!cells.family().is_quadratic()) return add_log_base(cells, values, count, missing, sum);
    const auto seen = static_cast<double>(count - std::ssize(missing));
    return sum + 0.5 * seen * std::log(noise_precision / (2 * std::numbers::pi));
  }
};

template <class LineSum>
double sum_over(Index count, const LineSum& line_sum) {
  std::vector<double> each(count);
  parallel_for(count, lines_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) each[i] = line_sum(i);
  });
  double sum = 0;
  for (const double value : each) sum += value;
  return sum;
}

}  // namespace

MeanField::MeanField(const Cells& cells, const SlabPrior& prior, FactorState start)
    : cells_(cells), prior_(prior), loading_prior_(cells.family().loading_prior()), hyper_(std::move(start)) {
  constexpr double first_variance = 0.1;
  probability_.resize(hyper_.scores.size());
  slab_variance_.assign(hyper_.scores.size(), first_variance);
  loading_variance_.assign(hyper_.loadings.size(), first_variance);
  for (Index i = 0; i < std::ssize(probability_); ++i) {
    probability_[i] = hyper_.scores[i] != 0 ? 0.9 : 0.1;
    hyper_.scores[i] *= probability_[i];
  }
  update_hyper();
}

// Second moments: E v^2 = phi (m^2 + s), so E v^2 - (E v)^2 also has the uncertainty of the indicator.
void MeanField::row_belief(Index n, double* mean, double* variance) const {
  hyper_.predictor_row(n, mean);
  const Index cols = hyper_.cols, factors = hyper_.factors;
  const double* v = hyper_.score_row(n);
  std::fill_n(variance, cols, 0.0);
  if (hyper_.intercept) std::copy_n(loading_variance_.data() + factors * cols, cols, variance);
  simd_dispatch([&] {
    for (Index k = 0; k < factors; ++k) {
      const double second = square(n, k), spread = second - v[k] * v[k];
      if (second == 0) continue;
      const double* theta = hyper_.loading_row(k);
      const double* c = loading_variance_.data() + k * cols;
      for (Index d = 0; d < cols; ++d) variance[d] += spread * theta[d] * theta[d] + second * c[d];
    }
  });
}

void MeanField::column_belief(Index d, double* mean, double* variance) const {
  hyper_.predictor_column(d, mean);
  const Index factors = hyper_.factors, cols = hyper_.cols;
  const Scratch squares(factors), c(factors);
  for (Index k = 0; k < factors; ++k) {
    const double theta = hyper_.loading_row(k)[d];
    c[k] = loading_variance_[k * cols + d];
    squares[k] = theta * theta;
  }
  const double constant = hyper_.intercept ? loading_variance_[factors * cols + d] : 0;
  for (Index n = 0; n < hyper_.rows; ++n) {
    const double* v = hyper_.score_row(n);
    double sum = constant;
    for (Index k = 0; k < factors; ++k) {
      const double second = square(n, k);
      sum += (second - v[k] * v[k]) * squares[k] + second * c[k];
    }
    variance[n] = sum;
  }
}

// One quadratic model for all K updates of the row. For bernoulli it stays a bound while they move, and is made tight
// again in the next iteration; making it tight after each factor would cost an exponential per cell and factor.
void MeanField::update_row(Index n) {
  const Index cols = hyper_.cols, factors = hyper_.factors;
  const CellMoments moments(cols);
  row_belief(n, moments.mean.data(), moments.variance.data());
  const double* x = cells_.row(n, moments.x.data());
  moments.update(cells_, x, cells_.missing_in_row(n), 1 / hyper_.noise_variance);
  double* v = hyper_.score_row(n);
  simd_dispatch([&] {
    for (Index k = 0; k < factors; ++k) {
      const Index f = k, i = (n * factors + k);
      const double* theta = hyper_.loading_row(k);
      const RowSums sums = row_sums(theta, moments.w.data(), moments.r.data(), cols);
      const double spread = dot(moments.w.data(), loading_variance_.data() + k * cols, cols);
      const double tau = hyper_.precisions[f], mu = hyper_.means[f];
      const double precision = tau + sums.curvature + spread;
      const double mean = (tau * mu + sums.linear + sums.curvature * v[k]) / precision;
      const double log_odds =
          logit(hyper_.inclusion[f]) + 0.5 * (std::log(tau / precision) + mean * mean * precision - tau * mu * mu);
      slab_variance_[i] = 1 / precision;
      probability_[i] = logistic(log_odds);
      const double change = probability_[i] * mean - v[k];
      v[k] += change;
      for (Index d = 0; d < cols; ++d) moments.r[d] -= change * (moments.w[d] * theta[d]);
    }
  });
}

// linear + curvature theta is the residual without factor k; second has E v^2 where curvature has (E v)^2.
void MeanField::update_column(Index d) {
  const Index rows = hyper_.rows, cols = hyper_.cols;
  const CellMoments moments(rows);
  column_belief(d, moments.mean.data(), moments.variance.data());
  cells_.column(d, moments.x.data());
  moments.update(cells_, moments.x.data(), cells_.missing_in_column(d), 1 / hyper_.noise_variance);
  for (Index k = 0; k < hyper_.lines(); ++k) {
    const bool is_intercept = k == hyper_.factors;
    double linear = 0, curvature = 0, second = 0;
    for (Index n = 0; n < rows; ++n) {
      const double v = is_intercept ? 1 : hyper_.score_row(n)[k];
      linear += v * moments.r[n];
      curvature += moments.w[n] * v * v;
      second += moments.w[n] * (is_intercept ? 1 : square(n, k));
    }
    double& theta = hyper_.loading_row(k)[d];
    double& variance = loading_variance_[k * cols + d];
    const QuadraticModel prior = loading_prior_->expected_quadratic({theta, variance});
    const double precision = second + prior.weight;
    const double target = (linear + curvature * theta + prior.residual + prior.weight * theta) / precision;
    // Where the model is no bound a Newton step may run away: a loading moves by at most 1, a factor e in a rate for a
    // score of 1. A bound needs no limit.
    const double limit = cells_.family().quadratic_is_bound() ? std::numeric_limits<double>::infinity() : 1.0;
    const double change = std::clamp(target - theta, -limit, limit);
    variance = 1 / precision;
    theta += change;
    for (Index n = 0; n < rows; ++n)
      moments.r[n] -= change * moments.w[n] * (is_intercept ? 1 : hyper_.score_row(n)[k]);
  }
}

void MeanField::update_scores() {
  parallel_for(hyper_.rows, lines_per_task, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) update_row(n);
  });
}

void MeanField::update_loadings() {
  parallel_for(hyper_.cols, 4, [&](Index first, Index last) {
    for (Index d = first; d < last; ++d) update_column(d);
  });
}

void MeanField::update_hyper() {
  const Index factors = hyper_.factors;
  // For each factor the sum over rows of a number, of (i, k): i is the place of the score.
  const auto factor_sums = [&](const auto& number) {
    return sums_over_rows(hyper_.rows, factors, [&](Index first, Index last, double* sums) {
      for (Index n = first; n < last; ++n) {
        for (Index k = 0; k < factors; ++k) sums[k] += number(n * factors + k, k);
      }
    });
  };
  const std::vector<double> count = factor_sums([&](std::size_t i, Index) { return probability_[i]; });
  const std::vector<double> score_sum = factor_sums([&](std::size_t i, Index) { return hyper_.scores[i]; });
  for (Index f = 0; f < std::ssize(count); ++f) {
    const double share =
        (prior_.active + count[f]) / (prior_.active + prior_.inactive + static_cast<double>(hyper_.rows));
    hyper_.inclusion[f] = std::clamp(share, least_probability, 1 - least_probability);
    hyper_.means[f] = (prior_.mean_weight * prior_.mean + score_sum[f]) / (prior_.mean_weight + count[f]);
  }
  // sum phi E (v - mu)^2 under the slab: spread of the means and their own variance.
  const std::vector<double> scatter = factor_sums([&](std::size_t i, Index k) {
    const double deviation = slab_mean(i) - hyper_.means[k];
    return probability_[i] * (deviation * deviation + slab_variance_[i]);
  });
  for (Index f = 0; f < std::ssize(count); ++f) {
    const double deviation = hyper_.means[f] - prior_.mean;
    const double rate = prior_.rate + 0.5 * (scatter[f] + prior_.mean_weight * deviation * deviation);
    hyper_.precisions[f] = (prior_.shape - 0.5 + 0.5 * count[f]) / rate;
  }
  if (!cells_.family().has_noise()) return;
  const double squares = sum_over(hyper_.rows, [&](Index n) {
    const CellMoments moments(hyper_.cols);
    row_belief(n, moments.mean.data(), moments.variance.data());
    const double* x = cells_.row(n, moments.x.data());
    double sum = 0;
    for (Index d = 0; d < hyper_.cols; ++d)
      sum += (x[d] - moments.mean[d]) * (x[d] - moments.mean[d]) + moments.variance[d];
    for (const std::int32_t d : cells_.missing_in_row(n)) {
      sum -= (x[d] - moments.mean[d]) * (x[d] - moments.mean[d]) + moments.variance[d];
    }
    return sum;
  });
  hyper_.noise_variance =
      (noise_rate + 0.5 * squares) / (noise_shape + 1 + 0.5 * static_cast<double>(cells_.observed()));
}

// E log p(x | psi) + sum_k [ -KL of Bernoulli(phi) to Bernoulli(pi) - phi KL of N(m, s) to N(mu, 1 / tau) ]. x log x is
// 0 at 0, where a score is certain.
double MeanField::row_objective(Index n) const {
  const CellMoments moments(hyper_.cols);
  row_belief(n, moments.mean.data(), moments.variance.data());
  const double* x = cells_.row(n, moments.x.data());
  double sum = moments.density(cells_, x, cells_.missing_in_row(n), 1 / hyper_.noise_variance);
  for (Index k = 0; k < hyper_.factors; ++k) {
    const Index f = k, i = (n * hyper_.factors + k);
    const double p = probability_[i], pi = hyper_.inclusion[f], tau = hyper_.precisions[f];
    const double deviation = slab_mean(i) - hyper_.means[f];
    sum -= x_log_x(p) - p * std::log(pi) + x_log_x(1 - p) - (1 - p) * std::log1p(-pi);
    sum -= 0.5 * p * (tau * (slab_variance_[i] + deviation * deviation) - 1 - std::log(tau * slab_variance_[i]));
  }
  return sum;
}

// Entropy of the loadings of a column and their expected log prior.
double MeanField::column_objective(Index d) const {
  double sum = 0;
  for (Index k = 0; k < hyper_.lines(); ++k) {
    const double theta = hyper_.loading_row(k)[d];
    const double variance = loading_variance_[k * hyper_.cols + d];
    sum += 0.5 * std::log(variance);
    sum += loading_prior_->expected_log_density({theta, variance});
  }
  return sum;
}

// Log priors of the point estimates. Beta(e + 1, f + 1) for pi: its mode is the posterior mean under Beta(e, f), and is
// inside (0, 1) for every e, f > 0.
double MeanField::objective() const {
  double sum = sum_over(hyper_.rows, [&](Index n) { return row_objective(n); }) +
               sum_over(hyper_.cols, [&](Index d) { return column_objective(d); });
  for (Index f = 0; f < std::ssize(hyper_.means); ++f) {
    const double tau = hyper_.precisions[f], deviation = hyper_.means[f] - prior_.mean;
    sum += prior_.active * std::log(hyper_.inclusion[f]) + prior_.inactive * std::log1p(-hyper_.inclusion[f]);
    sum +=
        (prior_.shape - 0.5) * std::log(tau) - tau * (prior_.rate + 0.5 * prior_.mean_weight * deviation * deviation);
  }
  if (cells_.family().has_noise()) {
    sum -= (noise_shape + 1) * std::log(hyper_.noise_variance) + noise_rate / hyper_.noise_variance;
  }
  return sum;
}

Belief MeanField::predictor(Index n, Index d) const {
  Belief belief{hyper_.predictor(n, d), 0};
  for (Index k = 0; k < hyper_.lines(); ++k) {
    const double theta = hyper_.loading_row(k)[d];
    const double variance = loading_variance_[k * hyper_.cols + d];
    const double v = k < hyper_.factors ? hyper_.score_row(n)[k] : 1, second = k < hyper_.factors ? square(n, k) : 1;
    belief.variance += (second - v * v) * theta * theta + second * variance;
  }
  return belief;
}

Index MeanField::active() const {
  return std::count_if(probability_.begin(), probability_.end(), [](double p) { return p > 0.5; });
}

}  // namespace tamis::factor
