// Model-averaged predictions from weighted draws of whole models.
//
// Model      p(y | x, data) = sum_d w_d p(y | eta_d, noise_d), eta_d = offset + b0_d + x'b_d
//            gaussian  mean: offset + intercept + x'coefficients, the posterior means that the fit reports, which know
//                      more than the draws (Rao-Blackwell); sd: root of sum w_d noise_d + variance of eta_d; limits:
//                      quantiles of the mixture of normals, moved to that mean
//            others    mean: sum_d w_d mean(eta_d), for classes the averaged probability
// Quantiles  Newton steps on the distribution function of the mixture, bracketed, from those of a normal distribution
// Cost       per row the features of all draws, and a distribution function of all draws for each of some steps
#include "fit/predict_by_draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tamis/base/parallel.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

constexpr Index slice = 256;
constexpr int most_steps = 60;
constexpr double tolerance = 1e-10;  // of the probability

class DrawPredictions {
 public:
  DrawPredictions(const Fit& fit, const Design& X) : draws_(fit.draws), X_(X) {
    const std::vector<Index>& features = draws_.models.features;
    used_ = features;
    std::ranges::sort(used_);
    used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
    place_.reserve(features.size());
    for (const Index j : features) place_.push_back(std::ranges::lower_bound(used_, j) - used_.begin());
    const double total = std::accumulate(draws_.models.weights.begin(), draws_.models.weights.end(), 0.0);
    for (const double weight : draws_.models.weights) weights_.push_back(weight / total);
  }

  const std::vector<double>& weights() const { return weights_; }

  /// visit(row, eta) with the predictors of all draws, without an offset; rows in parallel.
  template <class Visit>
  void visit_rows(const Visit& visit) const {
    parallel_for(X_.rows(), slice, [&](Index first, Index last) {
      std::vector<Index> rows(last - first);
      std::iota(rows.begin(), rows.end(), first);
      Matrix Z(last - first, std::ssize(used_));
      if (!used_.empty()) RowSubsetDesign(X_, std::move(rows)).gather(used_, Z);
      std::vector<double> eta(draws_.size());
      for (Index i = 0; i < Z.rows(); ++i) {
        for (Index d = 0; d < draws_.size(); ++d) {
          double sum = draws_.intercepts[d];
          for (Index e = draws_.models.starts[d]; e < draws_.models.starts[d + 1]; ++e) {
            sum += draws_.coefficients[e] * Z(i, place_[e]);
          }
          eta[d] = sum;
        }
        visit(first + i, eta);
      }
    });
  }

 private:
  const PosteriorDraws& draws_;
  const Design& X_;
  std::vector<Index> used_;   // features of any draw
  std::vector<Index> place_;  // of each entry of the draws, among used_
  std::vector<double> weights_;
};

struct Mixture {
  std::span<const double> weights, means, deviations;

  double below(double x, double& density) const {
    double sum = 0;
    density = 0;
    for (Index d = 0; d < std::ssize(weights); ++d) {
      const double z = (x - means[d]) / deviations[d];
      sum += weights[d] * 0.5 * std::erfc(-z / std::numbers::sqrt2);
      density += weights[d] * std::exp(-0.5 * z * z) / (deviations[d] * std::sqrt(2 * std::numbers::pi));
    }
    return sum;
  }

  double quantile(double probability, double guess, double spread) const {
    double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
    double x = guess;
    for (int step = 0; step < most_steps; ++step) {
      double density = 0;
      const double error = below(x, density) - probability;
      if (std::abs(error) < tolerance) break;
      (error > 0 ? high : low) = x;
      double next = x - error / density;
      const bool bracketed = std::isfinite(low) && std::isfinite(high);
      if (!(next > low && next < high) || !std::isfinite(next) || std::abs(next - x) > 4 * spread) {
        next = bracketed ? 0.5 * (low + high) : x + (error > 0 ? -spread : spread);
      }
      if (next == x) break;
      x = next;
    }
    return x;
  }
};

Prediction predict_noisy(const Fit& fit, const Family& family, const Design& X, std::span<const double> offset,
                         double level) {
  Prediction prediction;
  prediction.mean = linear_predictor(fit, X, offset);
  const std::size_t n = prediction.mean.size();
  prediction.sd.resize(n), prediction.lower.resize(n), prediction.upper.resize(n);
  const DrawPredictions draws(fit, X);
  std::vector<double> deviations;
  for (const double variance : fit.draws.noise_variances) deviations.push_back(std::sqrt(variance));
  deviations.resize(fit.draws.size(), 0.0);
  const bool noiseless = std::ranges::any_of(deviations, [](double s) { return !(s > 0); });
  draws.visit_rows([&](Index i, const std::vector<double>& eta) {
    const std::vector<double>& weights = draws.weights();
    double mean = 0, variance = 0;
    for (Index d = 0; d < std::ssize(eta); ++d) mean += weights[d] * eta[d];
    for (Index d = 0; d < std::ssize(eta); ++d) {
      variance += weights[d] * (deviations[d] * deviations[d] + (eta[d] - mean) * (eta[d] - mean));
    }
    prediction.sd[i] = std::sqrt(variance);
    const Family::Interval normal = family.interval(prediction.mean[i], variance, level);
    prediction.lower[i] = normal.lower;
    prediction.upper[i] = normal.upper;
    if (noiseless) return;
    const Mixture mixture{weights, eta, deviations};
    const double move = prediction.mean[i] - mean;
    const double sd = prediction.sd[i], tail = 0.5 * (1 - level);
    prediction.lower[i] = move + mixture.quantile(tail, normal.lower - move, sd);
    prediction.upper[i] = move + mixture.quantile(1 - tail, normal.upper - move, sd);
  });
  return prediction;
}

}  // namespace

Prediction predict_by_draws(const Fit& fit, const Family& family, const Design& X, std::span<const double> offset,
                            double level) {
  if (family.is_quadratic()) return predict_noisy(fit, family, X, offset, level);
  Prediction prediction;
  prediction.mean.assign(X.rows(), 0.0);
  const DrawPredictions draws(fit, X);
  draws.visit_rows([&](Index i, const std::vector<double>& eta) {
    const double shift = offset.empty() ? 0.0 : offset[i];
    for (Index d = 0; d < std::ssize(eta); ++d) {
      prediction.mean[i] += draws.weights()[d] * family.predicted_mean(eta[d] + shift);
    }
  });
  if (family.is_binary()) return prediction;
  for (const double mean : prediction.mean) {
    const Family::Interval inside = family.interval(mean, std::numeric_limits<double>::quiet_NaN(), level);
    prediction.lower.push_back(inside.lower);
    prediction.upper.push_back(inside.upper);
  }
  return prediction;
}

}  // namespace tamis
