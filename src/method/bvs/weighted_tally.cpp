// Weighted sums over the states of a chain.
//
// Weights    A chain of weighted tempered Gibbs sampling visits a state in proportion to posterior times the sum Z of
//            its rates; the weight 1/Z undoes that.
// Estimates  of inclusion and coefficients use the conditional law of every feature, in or out, not where the chain is
//            (Rao-Blackwell): q_j, q_j mu_j, q_j (mu_j^2 + variance_j)
#include "method/bvs/weighted_tally.hpp"

#include <cmath>
#include <utility>

#include "base/simd_dispatch.hpp"

namespace tamis {

void WeightedSums::exchange(Archive& archive) {
  for (double* value : {&weight, &square_weight, &moment_weight, &noise, &intercept, &log_likelihood, &log_scale}) {
    archive(*value);
  }
  for (std::vector<double>* values : {&inclusion, &mean, &square, &sizes}) archive(*values);
}

void KeptDraws::keep(Index step, double weight, const std::vector<Index>& features, const DrawnModel& drawn) {
  if (std::ssize(draws_) == most) {
    thin();
    if (!wants(step)) return;
  }
  draws_.push_back({step, weight, drawn.intercept, drawn.noise_variance, std::ssize(features_), std::ssize(features)});
  for (const Index j : features) features_.push_back(static_cast<std::int32_t>(j));
  coefficients_.insert(coefficients_.end(), drawn.coefficients.begin(), drawn.coefficients.end());
}

void KeptDraws::thin() {
  stride_ *= 2;
  const std::vector<Draw> draws = std::move(draws_);
  const std::vector<std::int32_t> features = std::move(features_);
  const std::vector<double> coefficients = std::move(coefficients_);
  draws_.clear(), features_.clear(), coefficients_.clear();
  for (Draw draw : draws) {
    if (!wants(draw.step)) continue;
    const Index from = std::exchange(draw.start, std::ssize(features_));
    features_.insert(features_.end(), features.begin() + from, features.begin() + from + draw.size);
    coefficients_.insert(coefficients_.end(), coefficients.begin() + from, coefficients.begin() + from + draw.size);
    draws_.push_back(draw);
  }
}

void KeptDraws::exchange(Archive& archive) {
  archive(stride_);
  archive(draws_);
  archive(features_);
  archive(coefficients_);
}

void WeightedTally::turn() {
  const Index features = std::ssize(current_.inclusion);
  std::swap(previous_, current_);
  current_ = WeightedSums(features);
}

void WeightedTally::exchange(Archive& archive) {
  previous_.exchange(archive);
  current_.exchange(archive);
}

void WeightedTally::record_inclusion(double weight, const FlipRates& rates, Index size) {
  WeightedSums& sums = current_;
  sums.weight += weight;
  sums.square_weight += weight * weight;
  if (std::ssize(sums.sizes) <= size) sums.sizes.resize(size + 1, 0.0);
  sums.sizes[size] += weight;
  const double* q = rates.inclusion().data();
  simd_dispatch([=, to = sums.inclusion.data(), p = std::ssize(sums.inclusion)] {
    for (Index j = 0; j < p; ++j) to[j] += weight * q[j];
  });
}

void WeightedTally::record_moments(double weight, const ActiveModel& model, const Target& target,
                                   const FlipRates& rates) {
  WeightedSums& sums = current_;
  const MomentTerms terms = target.moments(model);
  sums.moment_weight += weight;
  sums.noise += weight * terms.noise_variance;
  sums.intercept += weight * terms.intercept;
  sums.log_likelihood += weight * target.log_likelihood(model);
  if (target.scale() > 0) sums.log_scale += weight * std::log(target.scale());
  const std::vector<Index>& inside = model.features();
  if (target.has_other_response()) {
    target.moments_inside(model, mean_, variance_);
    for (Index a = 0; a < std::ssize(inside); ++a) {
      sums.mean[inside[a]] += weight * mean_[a];
      sums.square[inside[a]] += weight * (mean_[a] * mean_[a] + variance_[a]);
    }
    return;
  }
  const double *q = rates.inclusion().data(), *r = model.r().data(), *s = model.s().data();
  const double t = terms.shrinkage, scale = terms.scale, fall = terms.fall;
  // Features inside have r = 0 and s = 1 here, which gives them q t scale: taken off again.
  simd_dispatch([=, mean = sums.mean.data(), square = sums.square.data(), p = std::ssize(sums.mean)] {
    for (Index j = 0; j < p; ++j) {
      const double inverse = 1 / (s[j] > 1e-300 ? s[j] : 1.0);
      const double gain = r[j] * inverse, mu = t * gain, weighted = weight * q[j];
      mean[j] += weighted * mu;
      square[j] += weighted * (mu * mu + t * inverse * (scale - fall * r[j] * gain));
    }
  });
  for (Index a = 0; a < std::ssize(inside); ++a) {
    const Index j = inside[a];
    const double mu = t * model.coefficients()[a], weighted = weight * q[j];
    sums.mean[j] += weighted * mu;
    sums.square[j] += weighted * (mu * mu + t * scale * (model.variance(a) - 1));
  }
}

}  // namespace tamis
