// EP-L, the factorized likelihood part: one normal site per observation and coefficient.
//
// Model      the posterior is a product of univariate normals; site (i, j) has precision and natural mean of its own
// Algorithm  row by row, each with the sites that earlier rows have just changed
//              1 cavity of every coefficient: totals minus the row's sites; eta ~ N(x'm, sum x^2 v) under it
//              2 tilted mass, mean and variance of eta; slope and bend: first and minus second derivative of log mass
//              3 mean_j + v_j x_j slope and v_j (1 - v_j x_j^2 bend) are the moments of coefficient j: its new site
// Cost       O(n p) a sweep and 2 n p numbers for the sites, no n x n matrix; correlations between coefficients are
//            ignored in every cavity, so deviations are too small, and many correlated features may feed each other
// Invariant  totals_ = sites of the prior + sum over rows of count times their sites, kept up while rows move
// Papers     Hernandez-Lobato, Hernandez-Lobato & Suarez, Pattern Recognition Letters 31 (2010), there for probit; here
//            also for gaussian noise and the logistic link
#include <algorithm>
#include <cmath>
#include <numbers>

#include "method/ep/likelihood_part.hpp"

namespace tamis {
namespace {

constexpr double log_2pi = 1.8378770664093454836;
// A flat intercept has no proper cavity before the first row: N(0, 1e6) instead, on the logit scale.
constexpr double intercept_precision = 1e-6;

class FactorizedPart final : public LikelihoodPart {
 public:
  explicit FactorizedPart(const ScaledProblem& problem)
      : data_(problem),
        n_(problem.rows()),
        has_intercept_(!problem.gaussian() && problem.has_intercept()),
        size_(problem.features() + (has_intercept_ ? 1 : 0)),
        X_(n_ * size_, 1.0),
        cavity_(size_),
        cavity_mean_(size_),
        cavity_variance_(size_) {
    std::vector<double> column(n_);
    for (Index j = 0; j < std::ssize(problem.kept()); ++j) {
      problem.X().gather(Columns::range(problem.kept()[j], 1), std::span(column));
      for (Index i = 0; i < n_; ++i) X_[i * size_ + j] = column[i];
    }
    reset();
  }

  void reset() override {
    sites_.assign(n_ * size_, {});
    totals_.assign(size_, {});
    row_log_scale_.assign(n_, 0.0);
  }

  bool refresh(const SpikeSlabHyper& hyper, std::span<const NaturalParameters> features,
               FeatureMarginals& out) override {
    noise_variance_ = hyper.noise_variance;
    features_.assign(features.begin(), features.end());
    if (has_intercept_) features_.push_back({intercept_precision, 0});
    sum_sites();
    std::vector<double> mean(size_), variance(size_);
    out.log_mass = 0;
    for (const double scale : row_log_scale_) out.log_mass += scale;
    for (Index j = 0; j < size_; ++j) {
      const NaturalParameters& total = totals_[j];
      if (!(total.precision > 0)) return false;
      mean[j] = total.natural_mean / total.precision;
      variance[j] = 1 / total.precision;
      out.log_mass += 0.5 * (log_2pi - std::log(total.precision) + total.natural_mean * mean[j]);
    }
    if (data_.gaussian() && data_.has_intercept()) {
      // As `exact`: one degree of freedom belongs to the intercept.
      out.log_mass += 0.5 * std::log(2 * std::numbers::pi * noise_variance_ / data_.samples());
    }
    if (data_.gaussian()) out.residual_square = residual_square(mean, variance);
    out.intercept = has_intercept_ ? mean.back() : 0.0;
    const Index p = size_ - (has_intercept_ ? 1 : 0);
    out.mean.assign(mean.begin(), mean.begin() + p);
    out.variance.assign(variance.begin(), variance.begin() + p);
    return true;
  }

  // Sequential: the cavities of a row contain the sites that earlier rows have just moved.
  double advance(double damping) override {
    double largest = 0;
    for (Index i = 0; i < n_; ++i) {
      if (data_.weights()[i] > 0) largest = std::max(largest, advance_row(i, damping));
    }
    return largest / (1 - damping);
  }

 private:
  void sum_sites() {
    totals_ = features_;
    for (Index i = 0; i < n_; ++i) {
      const NaturalParameters* sites = &sites_[i * size_];
      const double count = SitePower(data_.weights()[i]).count;
      for (Index j = 0; j < size_; ++j) {
        totals_[j].precision += count * sites[j].precision;
        totals_[j].natural_mean += count * sites[j].natural_mean;
      }
    }
  }

  double residual_square(std::span<const double> mean, std::span<const double> variance) const {
    double sum = 0;
    for (Index i = 0; i < n_; ++i) {
      const double* x = &X_[i * size_];
      double eta = 0, spread = 0;
      for (Index j = 0; j < size_; ++j) {
        eta += x[j] * mean[j];
        spread += x[j] * x[j] * variance[j];
      }
      const double residual = data_.response()[i] - eta;
      sum += data_.weights()[i] * (residual * residual + spread);
    }
    return sum;
  }

  // Log mass, mean and variance of likelihood^power times N(eta; mean, variance). Gaussian: another normal of variance
  // noise / power, times the constant by which the power differs from a density.
  TiltedNormal tilt_row(Index i, double mean, double variance) const {
    const double power = SitePower(data_.weights()[i]).power, y = data_.response()[i];
    if (!data_.gaussian()) {
      return tilted_row(data_.family(), y, power, data_.offset().empty() ? 0.0 : data_.offset()[i],
                        {1 / variance, mean / variance});
    }
    const double noise = noise_variance_ / power, total = variance + noise, distance = y - mean;
    // log of N(y; eta, noise)^power / N(y; eta, noise / power).
    const double repeated = -0.5 * ((power - 1) * (log_2pi + std::log(noise_variance_)) + std::log(power));
    return {repeated - 0.5 * (log_2pi + std::log(total) + distance * distance / total),
            mean + variance * distance / total, variance * noise / total};
  }

  double advance_row(Index i, double damping) {
    const double* x = &X_[i * size_];
    NaturalParameters* sites = &sites_[i * size_];
    double mean = 0, variance = 0;
    for (Index j = 0; j < size_; ++j) {
      cavity_[j] = {totals_[j].precision - sites[j].precision, totals_[j].natural_mean - sites[j].natural_mean};
      if (!(cavity_[j].precision > 0)) return 0;  // improper cavity: the row waits until the other sites have grown
      cavity_variance_[j] = 1 / cavity_[j].precision;
      cavity_mean_[j] = cavity_variance_[j] * cavity_[j].natural_mean;
      mean += x[j] * cavity_mean_[j];
      variance += x[j] * x[j] * cavity_variance_[j];
    }
    if (!(variance > 0)) return 0;
    const TiltedNormal tilted = tilt_row(i, mean, variance);
    const double gradient = (tilted.mean - mean) / variance;               // d log mass / d mean
    const double curvature = (1 - tilted.variance / variance) / variance;  // - d^2 log mass / d mean^2
    const double count = SitePower(data_.weights()[i]).count;
    double before = 0, after = 0;
    row_log_scale_[i] = tilted.log_mass;
    for (Index j = 0; j < size_; ++j) {
      const double v = cavity_variance_[j];
      const double new_variance = v * (1 - v * x[j] * x[j] * curvature),
                   new_mean = cavity_mean_[j] + v * x[j] * gradient;
      const NaturalParameters old = sites[j];
      NaturalParameters& site = sites[j];
      before += x[j] * totals_[j].natural_mean / totals_[j].precision;
      site.precision = damping * old.precision + (1 - damping) * (1 / new_variance - cavity_[j].precision);
      site.natural_mean =
          damping * old.natural_mean + (1 - damping) * (new_mean / new_variance - cavity_[j].natural_mean);
      const double precision = cavity_[j].precision + site.precision,
                   natural_mean = cavity_[j].natural_mean + site.natural_mean;
      row_log_scale_[i] -= 0.5 * (std::log(cavity_[j].precision / precision) + natural_mean * natural_mean / precision -
                                  cavity_[j].natural_mean * cavity_mean_[j]);
      totals_[j].precision += count * (site.precision - old.precision);
      totals_[j].natural_mean += count * (site.natural_mean - old.natural_mean);
      after += x[j] * totals_[j].natural_mean / totals_[j].precision;
    }
    row_log_scale_[i] *= count;
    return std::abs(after - before);
  }

  const ScaledProblem& data_;
  Index n_;
  bool has_intercept_;
  Index size_;
  std::vector<double> X_;                 // row by row
  std::vector<NaturalParameters> sites_;  // row by row
  std::vector<NaturalParameters> features_, totals_, cavity_;
  std::vector<double> cavity_mean_, cavity_variance_, row_log_scale_;
  double noise_variance_ = 1;
};

}  // namespace

std::unique_ptr<LikelihoodPart> factorized_part(const ScaledProblem& problem) {
  return std::make_unique<FactorizedPart>(problem);
}

}  // namespace tamis
