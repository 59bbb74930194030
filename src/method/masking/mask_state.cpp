// State of Bayesian masking: start, objective, and the products that the weight update needs.
//
// Model      G(mu, beta, lambda, pi) of Kondo, Maeda & Hayashi (2015), Eq. 10:
//              E log p(y | Z) + E log p(Z | pi) + H(q) - 1/2 sum_k (log(N pi_k) + (S_k / N - pi_k) / pi_k)
//              - (K + 1)/2 log N
// Noise      sum_n w_n E(y - prediction)^2 = |residual|^2 + sum_k beta_k^2 sum_n w_n x^2 mu (1 - mu): Eq. 13 without
//            the cancellation of y'y - beta'X~'y
// Products   X~'W X~ is O(n K^2), the cost of em. Columns whose masks did not change since the last time (pi = 1) keep
//            theirs.
#include "method/masking/mask_state.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "base/scratch.hpp"
#include "family/null_intercept.hpp"
#include "linalg/gram.hpp"
#include "linalg/kernels.hpp"
#include "method/masking/mask_rows.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

constexpr double weak_prior_precision = 0.04;  // standard deviation 5 per unit of a column

std::vector<double> shares(const std::vector<double>& weights, double total) {
  std::vector<double> out(weights);
  for (double& w : out) w /= total;
  return out;
}

}  // namespace

double MaskFeature::rate() const { return certain ? 1.0 : logistic(log_odds); }

MaskState::MaskState(MaskData given)
    : data(std::move(given)),
      samples(std::accumulate(data.weights.begin(), data.weights.end(), 0.0)),
      features(data.X.cols()),
      active(data.X.cols()),
      masked(data.X.rows(), data.X.cols()),
      products(data.X.cols(), data.X.cols()),
      column_sums(data.X.cols()),
      target_products(data.X.cols()),
      residual(data.y.size()),
      target(data.y),
      precisions(data.y.size(), 1.0),
      row_weights(data.weights),
      working_response_(data.likelihood, data.y, shares(data.weights, samples), samples),
      evidence_(data.y.size()) {
  if (!data.likelihood.is_quadratic()) prior_precision = weak_prior_precision;
  std::iota(active.begin(), active.end(), Index{0});
  if (data.offset.empty()) data.offset.assign(data.y.size(), 0.0);
  if (!data.likelihood.is_quadratic() && data.intercept) {
    intercept = null_intercept(data.likelihood, data.y, data.weights, data.offset);
  }
  for (Index i = 0; i < std::ssize(target); ++i) target[i] -= data.offset[i];
  constexpr Index columns = 16;
  parallel_for(data.X.cols(), columns, [this](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      std::copy_n(data.X.col(k), rows(), masked.col(k));
      double square = 0;
      for (Index i = 0; i < rows(); ++i) square += data.weights[i] * data.X(i, k) * data.X(i, k);
      feature(k).size = std::sqrt(square / samples);
      feature(k).certain = true;
    }
  });
}

void MaskState::start(std::optional<double> noise_variance) {
  learn_noise = !noise_variance && data.likelihood.has_noise();
  noise_precision = noise_variance ? 1 / *noise_variance : 1.0;
  start_weights();
  order_updates();
  for (const Index k : active) initialize_masks(*this, k);
}

// Least significant first: chance features are pruned before they take part of the effect of true ones (F1 of Fig. 5 at
// K = 10: .91, with the strongest first .86). Independent of the order in which columns are listed.
void MaskState::order_updates() {
  const std::vector<double> variances = weight_variances(*this);
  std::vector<double> significance(features.size(), 0.0);
  for (Index a = 0; a < std::ssize(active); ++a) {
    const double beta = feature(active[a]).beta;
    if (variances[a] > 0) significance[active[a]] = beta * beta / variances[a];
  }
  std::ranges::stable_sort(active, std::less{}, [&](Index k) { return significance[k]; });
}

// At masks of one the weight update is least squares; for other families a few iterations of the bound come near the
// maximum likelihood fit. Noise from the residual and its degrees of freedom: dividing by N would start it too small.
void MaskState::start_weights() {
  rebuild_residual();
  const int views = data.likelihood.is_quadratic() ? 1 : 10;
  for (int step = 0; step < views; ++step) {
    update_working_response();
    maximize_weights(*this);
  }
  if (!learn_noise) return;
  const double freedom = samples - static_cast<double>(active.size()) - (data.intercept ? 1 : 0);
  const double total = row_sums(target, data.weights).square;
  noise_precision = std::max(1.0, freedom) / std::max(expected_square(), min_noise_share * total);
}

MaskRows MaskState::rows_of(Index k) {
  return {data.X.col(k),     masked.col(k),    residual.data(), data.weights.data(),
          precisions.data(), evidence_.data(), rows(),          feature(k).certain};
}

double MaskState::expected_square() const {
  double sum = row_sums(residual, row_weights).square;
  for (const Index k : active) sum += feature(k).beta * feature(k).beta * feature(k).sums.spread;
  return sum;
}

double MaskState::objective() const {
  double g = -0.5 * noise_precision * expected_square();
  if (data.likelihood.is_quadratic()) {
    g += 0.5 * samples * std::log(noise_precision / (2 * std::numbers::pi));
  } else {
    g += constant;
  }
  // pi = 1 is the limit of the terms below: S_k = N and no entropy leave -1/2 log N.
  const double log_samples = std::log(samples);
  for (const Index k : active) {
    const MaskFeature& f = feature(k);
    g -= 0.5 * prior_precision * f.beta * f.beta;
    if (f.certain) {
      g -= 0.5 * log_samples;
      continue;
    }
    const double log_rate = log_logistic(f.log_odds), log_rest = log_logistic(-f.log_odds);
    g += f.sums.on * log_rate + f.sums.off * log_rest + f.sums.entropy;
    g -= 0.5 * (log_samples + log_rate + f.sums.on / (samples * f.rate()) - 1);
  }
  return g - 0.5 * static_cast<double>(active.size() + 1) * log_samples;
}

void MaskState::remove(Index k) {
  MaskFeature& f = feature(k);
  for_rows(rows_of(k), [beta = f.beta](const MaskRows& part) {
    for (Index i = 0; i < part.count; ++i) part.residual[i] += beta * part.masked[i];
  });
  f.beta = 0;
  std::erase(active, k);
}

void MaskState::make_certain(Index k) {
  MaskFeature& f = feature(k);
  for_rows(rows_of(k), [beta = f.beta](const MaskRows& part) {
    for (Index i = 0; i < part.count; ++i) {
      part.residual[i] += beta * (part.masked[i] - part.x[i]);
      part.masked[i] = part.x[i];
    }
  });
  f.certain = true;
  f.stale = true;
  f.sums = {.on = samples};
}

void MaskState::center_residual() {
  const double mean = row_sums(residual, row_weights).value / row_sums(row_weights).value;
  intercept += mean;
  for (double& r : residual) r -= mean;
}

std::vector<double> MaskState::predictor_variance() const {
  std::vector<double> variance(residual.size(), 0.0);
  for (const Index k : active) {
    const double square = feature(k).beta * feature(k).beta;
    for (Index i = 0; i < rows(); ++i) variance[i] += square * masked(i, k) * (data.X(i, k) - masked(i, k));
  }
  return variance;
}

void MaskState::update_working_response() {
  // The bound is tightest at the current E[eta^2]: G cannot fall. Afterwards residual, target and everything that sums
  // row weights belong to the new bound.
  if (working_response_.is_exact()) return;
  std::vector<double> eta(residual.size());
  for (Index i = 0; i < std::ssize(eta); ++i) eta[i] = data.offset[i] + target[i] - residual[i];
  working_response_.update(eta, predictor_variance());
  constant = -working_response_.constant();
  for (Index i = 0; i < std::ssize(eta); ++i) {
    row_weights[i] = working_response_.weights()[i] * working_response_.total();
    precisions[i] = row_weights[i] / data.weights[i];
    residual[i] = working_response_.response()[i] - eta[i];
    target[i] = working_response_.response()[i] - data.offset[i];
  }
  for (const Index k : active) {
    double spread = 0;
    for (Index i = 0; i < rows(); ++i) {
      spread += row_weights[i] * masked(i, k) * (data.X(i, k) - masked(i, k));
    }
    feature(k).sums.spread = spread;
    feature(k).stale = true;
  }
}

void MaskState::rebuild_residual() {
  std::vector<double> weights;
  for (const Index k : active) weights.push_back(-feature(k).beta);
  for (Index i = 0; i < std::ssize(residual); ++i) residual[i] = target[i] - intercept;
  DenseDesign(masked).multiply_add(active, std::span<const double>(weights), std::span(residual));
}

void MaskState::refresh_products() {
  std::vector<Index> changed;
  for (const Index k : active) {
    if (feature(k).stale) changed.push_back(k);
    feature(k).stale = false;
  }
  // From half on the symmetric product of all columns is cheaper than a rectangular one.
  if (2 * changed.size() > active.size()) changed = active;
  if (changed.empty()) return;
  const bool equal = std::ranges::all_of(row_weights, [](double w) { return w == 1; });
  const std::span<const double> weights = equal ? std::span<const double>() : std::span(row_weights);
  const DenseColumns all{masked, active.data(), 0, std::ssize(active)};
  const DenseColumns some{masked, changed.data(), 0, std::ssize(changed)};
  const Scratch memory(all.count * some.count);
  const MatrixView block(memory.data(), all.count, some.count);
  if (some.count == all.count) {
    dense_gram(all, weights, block);
  } else {
    // In quarters: a few columns against all would be a single tile, computed by one thread.
    const Index quarter = (all.count + 3) / 4;
    parallel_for(all.count, quarter, [&](Index begin, Index end) {
      const DenseColumns part{masked, active.data() + begin, 0, end - begin};
      dense_cross_gram(part, some, weights, MatrixView(block.data + begin, end - begin, some.count, all.count));
    });
  }
  constexpr Index columns = 32, few_columns = 2;
  if (some.count < all.count) {
    parallel_for(all.count, columns, [&](Index begin, Index end) {
      for (Index a = begin; a < end; ++a) {
        double* column = products.col(active[a]);
        for (Index b = 0; b < some.count; ++b) column[changed[b]] = block(a, b);
      }
    });
  }
  parallel_for(some.count, columns, [&](Index begin, Index end) {
    for (Index b = begin; b < end; ++b) {
      double* column = products.col(changed[b]);
      for (Index a = 0; a < all.count; ++a) column[active[a]] = block(a, b);
    }
  });
  const Scratch weighted_target(rows());
  std::ranges::transform(row_weights, target, weighted_target.data(), std::multiplies{});
  parallel_for(some.count, few_columns, [&](Index begin, Index end) {
    for (const Index k : std::span(changed).subspan(begin, end - begin)) {
      column_sums[k] = kernels().dot(masked.col(k), row_weights.data(), rows());
      target_products[k] = kernels().dot(masked.col(k), weighted_target.data(), rows());
    }
  });
}

std::vector<double> MaskState::masks(Index k) const {
  // Where x is 0 the masked column cannot tell mu; there Eq. 11 has c = 0, and mu = sigma(shift).
  std::vector<double> mu(residual.size(), feature(k).certain ? 1.0 : logistic(feature(k).shift));
  for (Index i = 0; i < rows(); ++i) {
    if (data.X(i, k) != 0) mu[i] = masked(i, k) / data.X(i, k);
  }
  return mu;
}

}  // namespace tamis
