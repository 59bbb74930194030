// Family gaussian: y ~ N(eta, 1). The noise variance belongs to the method: dividing by it rescales everything here.
//
// Loss       (y - eta)^2 / 2; its quadratic is itself, exact, with weight 1 and working response y.
// Conjugate  residual (residual / 2 - y), attained at eta = y - residual.
// Tilted     for EP: N(x; mean, 1/precision) N(y; x + offset, 1)^power is normal again; its mass, mean and variance are
//            in closed form.
// Limit      |y| <= 1e150: beyond, a square overflows, and with it every variance and loss.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>

#include "base/simd_dispatch.hpp"
#include "family/response_checks.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

class Gaussian final : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "gaussian",
                                   .quadratic_loss = true,
                                   .has_noise = true,
                                   .quadratic_is_bound = true,
                                   .row_information = 1};
    return traits;
  }
  Words words() const override {
    return {.validation_error = "mean squared error",
            .error = "root mean squared error on held-out rows",
            .error_label = "RMSE",
            .error_column = "RMSE",
            .error_name = "RMSE"};
  }
  void check(std::span<const double> y, std::span<const double> weights) const override;
  double quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double> eta_variance,
                   std::span<double> weights, std::span<double> working) const override;
  double log_density(double y, double eta) const override;
  double loss(double y, double eta) const override;
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override;
  double conjugate(double y, double residual) const override;
  double mean(double eta) const override;
  double link(double mean) const override;
  double deviance(double y, double eta) const override;
  std::string_view complaint(double value) const override;
  double resemblance(std::span<const double> y) const override;
  Interval interval(double mean, double variance, double level) const override;
  double draw(double eta, double noise_variance, RandomStream& random) const override;
  const Augmentation* augmentation() const override;
  const TiltedMoments* tilted() const override;

  void quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                        std::span<double> residual, std::span<double> weight) const override;
  void expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision, std::span<double> residual,
                          std::span<double> weight) const override;
  void expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                            std::span<double> out) const override;
  double cell_log_density(double x, double psi, double noise_variance) const override;
  double predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const override;
  std::unique_ptr<const LoadingPrior> loading_prior() const override;

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override;
};

// A gaussian likelihood is its own augmentation: a row is as precise as it counts.
class GaussianAugmentation final : public Augmentation {
 public:
  double shift(double y, double weight) const override { return weight * y; }
  double draw_precision(double, double weight, double, RandomStream&) const override { return weight; }
};

constexpr double log_normalizer = 0.91893853320467274178;  // log(2 pi) / 2
// Of a response: beyond it a sum of squares, hence every variance, is infinite.
constexpr double largest = 1e150;

// N(x; mean, 1/precision) times N(y; x + offset, 1)^power: precisions add, and the mass is the normal density of the
// residual under both variances, less the normalizer of the powered likelihood.
class TiltedGaussian final : public TiltedMoments {
 public:
  TiltedNormal tilted(double y, double power, double offset, double mean, double precision) const override {
    const double total = precision + power, residual = y - offset - mean;
    return {.log_mass = -power * log_normalizer + 0.5 * std::log(precision / total) -
                        0.5 * power * precision / total * residual * residual,
            .mean = mean + power / total * residual,
            .variance = 1 / total};
  }
};

// Conjugate prior of a loading, N(0, 1) = one cell of value 0; on standardized columns a loading of one deviation with
// scores of unit size makes up the whole variance of a column.
class NormalLoading final : public LoadingPrior {
 public:
  NormalLoading() : LoadingPrior(0, 1) {}
  double log_density(double loading) const override { return -0.5 * loading * loading; }
  double slope(double loading) const override { return -loading; }
  QuadraticModel quadratic(double loading) const override { return {-loading, 1}; }
  QuadraticModel expected_quadratic(const NormalBelief& loading) const override { return {-loading.mean, 1}; }
  double expected_log_density(const NormalBelief& loading) const override {
    return -0.5 * (loading.mean * loading.mean + loading.variance);
  }
};

}  // namespace

void Gaussian::check(std::span<const double> y, std::span<const double> weights) const {
  check_response_is_finite(y, weights);
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (counts(weights, i) && std::abs(y[i]) > largest) {
      throw InvalidInput(
          fmt::format("response: row {} is {:g}; values above {:g} overflow when squared; rescale the response", i + 1,
                      y[i], largest));
    }
  }
}

double Gaussian::quadratic(std::span<const double> y, std::span<const double>, std::span<const double>,
                           std::span<double> weights, std::span<double> working) const {
  std::fill(weights.begin(), weights.end(), 1.0);
  std::copy(y.begin(), y.end(), working.begin());
  return -log_normalizer * static_cast<double>(y.size());
}

double Gaussian::log_density(double y, double eta) const { return -log_normalizer - loss(y, eta); }

double Gaussian::loss(double y, double eta) const { return 0.5 * (y - eta) * (y - eta); }

void Gaussian::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                           std::span<double> curvature) const {
  for (Index i = 0; i < std::ssize(y); ++i) residual[i] = y[i] - eta[i];
  std::fill(curvature.begin(), curvature.end(), 1.0);
}

// Attained at eta = y - residual.
double Gaussian::conjugate(double y, double residual) const { return residual * (0.5 * residual - y); }

double Gaussian::mean(double eta) const { return eta; }

double Gaussian::link(double mean) const { return mean; }

double Gaussian::deviance(double y, double eta) const { return (y - eta) * (y - eta); }

void Gaussian::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  for (Index i = 0; i < std::ssize(y); ++i) out[i] = 0.5 * (y[i] - eta[i]) * (y[i] - eta[i]);
}

std::string_view Gaussian::complaint(double value) const {
  return std::abs(value) <= largest ? "" : "expects numbers from -1e150 to 1e150";
}

// The family of any numbers that resemble no other.
double Gaussian::resemblance(std::span<const double>) const { return 0.1; }

Family::Interval Gaussian::interval(double mean, double variance, double level) const {
  const double width =
      boost::math::quantile(boost::math::normal_distribution(), 0.5 * (1 + level)) * std::sqrt(variance);
  return {mean - width, mean + width};
}

double Gaussian::draw(double eta, double noise_variance, RandomStream& random) const {
  return eta + std::sqrt(noise_variance) * random.normal();
}

const Augmentation* Gaussian::augmentation() const {
  static const GaussianAugmentation nothing_to_draw;
  return &nothing_to_draw;
}

const TiltedMoments* Gaussian::tilted() const {
  static const TiltedGaussian closed_form;
  return &closed_form;
}

void Gaussian::quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                                std::span<double> residual, std::span<double> weight) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double distance = x[i] - psi[i];
      loss[i] = 0.5 * distance * distance;
      residual[i] = distance;
      weight[i] = 1;
    }
  });
}

void Gaussian::expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision,
                                  std::span<double> residual, std::span<double> weight) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    const double precision = noise_precision;  // not in the lambda, where the stores might be to it
    for (Index i = 0; i < count; ++i) {
      residual[i] = precision * (x[i] - psi.mean[i]);
      weight[i] = precision;
    }
  });
}

void Gaussian::expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                                    std::span<double> out) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double residual = x[i] - psi.mean[i];
      out[i] = -0.5 * noise_precision * (residual * residual + psi.variance[i]);
    }
  });
}

double Gaussian::cell_log_density(double x, double psi, double noise_variance) const {
  return -0.5 * (std::log(2 * std::numbers::pi * noise_variance) + (x - psi) * (x - psi) / noise_variance);
}

// The convolution of two normals: variances add.
double Gaussian::predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const {
  return cell_log_density(x, psi.mean, psi.variance + noise_variance);
}

std::unique_ptr<const LoadingPrior> Gaussian::loading_prior() const { return std::make_unique<NormalLoading>(); }

const Family& gaussian() {
  static const Gaussian family;
  return family;
}

}  // namespace tamis
