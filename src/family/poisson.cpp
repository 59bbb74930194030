// Family poisson: y is a count with log rate eta.
//
// Density    log p(y | eta) = y eta - e^eta - log y!
// Quadratic  second-order expansion at the mean of eta, the working response of iteratively reweighted least squares.
//            It is not a bound, so that the variational methods, whose free energy needs one, do not support this
//            family.
// Conjugate  u log u - u, u = y - residual: the fitted rate.
// Overflow   Above a log rate of 300 (a rate of 1e130, far beyond data) the exponential continues as its second-order
//            Taylor polynomial: convex, twice differentiable, and finite when a solver oversteps. mean, link, loss,
//            density, deviance and conjugate all follow it consistently, so that duality gaps remain valid.
// Quantiles  Boost's for rates up to 1e6, the normal limit above.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <cmath>
#include <limits>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "family/response_checks.hpp"
#include "family/uncertain_count.hpp"
#include "linalg/gauss_hermite.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

class Poisson : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "poisson", .response = Response::count, .largest_offset = 1000};
    return traits;
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
  double predicted_mean(double eta) const override;
  double deviance(double y, double eta) const override;
  std::string_view complaint(double value) const override;
  double resemblance(std::span<const double> y) const override;
  Interval interval(double mean, double variance, double level) const override;
  double draw(double eta, double noise_variance, RandomStream& random) const override;

  std::unique_ptr<const Family> limited(std::optional<double> limit, double largest_cell) const override;
  bool log_base(std::span<const double> x, std::span<double> out) const override;
  std::unique_ptr<const LoadingPrior> loading_prior() const override;
  double typical_curvature(double sum, double count) const override;

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override;
};

constexpr double largest_log_rate = 300;
constexpr double largest_rate = 0x1.c05c0a7166b4ap+432;  // e^300
// A quadratic needs some curvature for its working response to be finite.
constexpr double least_weight = 1 / largest_rate;

// The rate function and its two derivatives: e^eta, and its Taylor polynomial beyond the largest log rate.
struct Rate {
  double integral;  // what e^eta is in the loss
  double value;     // its derivative: the mean
  double slope;     // the curvature of the loss
};

inline Rate rate(double eta) {
  const double excess = std::max(eta - largest_log_rate, 0.0);
  const double slope = vector_math::exp(std::min(eta, largest_log_rate));
  return {slope * (1 + excess * (1 + 0.5 * excess)), slope * (1 + excess), slope};
}

// The sup over eta of u eta - integral(eta), for u >= 0.
double rate_conjugate(double u) {
  if (u <= largest_rate) return x_log_x(u) - u;
  const double excess = u / largest_rate - 1;
  return u * (largest_log_rate + excess) - largest_rate * (1 + excess * (1 + 0.5 * excess));
}

// Counts of a factor model, whose rates stay at e^limit beyond it: without a limit one wild score would predict counts
// without bounds.
class LimitedPoisson final : public Poisson {
 public:
  explicit LimitedPoisson(double limit) : limit_(limit) {}
  std::optional<double> predictor_limit() const override { return limit_; }

  double log_density(double y, double eta) const override { return cell_log_density(y, eta, 1); }
  double loss(double y, double eta) const override;
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override;
  double mean(double eta) const override { return std::exp(std::min(eta, limit_)); }
  double predicted_mean(double eta) const override { return mean(eta); }

  void quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                        std::span<double> residual, std::span<double> weight) const override;
  void expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision, std::span<double> residual,
                          std::span<double> weight) const override;
  void expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                            std::span<double> out) const override;
  double cell_log_density(double x, double psi, double noise_variance) const override;
  double predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const override;
  Forecast forecast(const NormalBelief& psi, double noise_variance) const override;

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override;

 private:
  double limit_;
};

// Conjugate prior of a loading, p ~ e^(theta - e^theta): one count of 1, the log of an exponential variable. Its rates
// are limited for arithmetic alone, as those of regression are.
class LogGammaLoading final : public LoadingPrior {
 public:
  LogGammaLoading() : LoadingPrior(1, 1) {}
  double log_density(double loading) const override { return loading - std::exp(loading); }
  double slope(double loading) const override { return 1 - std::exp(loading); }
  QuadraticModel quadratic(double loading) const override {
    const double rate = std::exp(std::min(loading, largest_log_rate));
    return {1 - rate, rate};
  }
  QuadraticModel expected_quadratic(const NormalBelief& loading) const override {
    const double rate = vector_math::exp(std::min(loading.mean + 0.5 * loading.variance, largest_log_rate));
    return {1 - rate, rate};
  }
  double expected_log_density(const NormalBelief& loading) const override {
    return loading.mean - std::exp(loading.mean + 0.5 * loading.variance);
  }
};

constexpr double normal_limit_from = 1e6;

// Smallest count k with P(y <= k) >= probability, whose normal deviate is given. Beyond a million the normal limit is
// exact to far less than a count in a thousand, and Boost's root search gets slow and finally gives up.
double quantile_of(double rate, double probability, double normal_deviate) {
  if (!(rate > 0) || std::isinf(rate)) return rate;
  if (rate > normal_limit_from) return std::round(rate + normal_deviate * std::sqrt(rate));
  // Below this rate the probability of any event underflows: the quantile is 0 at every level.
  if (rate < 1e-300) return 0;
  using namespace boost::math::policies;
  using RoundUp = policy<discrete_quantile<integer_round_up>>;
  return quantile(boost::math::poisson_distribution<double, RoundUp>(rate), probability);
}

// log count!; small counts, which are most, are looked up.
double log_factorial(double count) {
  static const std::array<double, 256> small = [] {
    std::array<double, 256> values{};
    for (Index x = 2; x < std::ssize(values); ++x) values[x] = boost::math::lgamma(static_cast<double>(x) + 1);
    return values;
  }();
  const bool is_small = count >= 0 && count < static_cast<double>(small.size()) && count == std::floor(count);
  if (!is_small) return boost::math::lgamma(count + 1);
  const auto x = static_cast<Index>(count);
  return small[x];
}

}  // namespace

void Poisson::check(std::span<const double> y, std::span<const double> weights) const {
  check_response_is_finite(y, weights);
  bool any = false;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (y[i] < 0 || y[i] != std::floor(y[i])) {
      throw InvalidInput(fmt::format(
          "response: row {} is {}; family poisson expects nonnegative integers; use --family gaussian for measurements",
          i + 1, y[i]));
    }
    any = any || (y[i] > 0 && counts(weights, i));
  }
  if (!any) {
    throw InvalidInput(
        "response: every count is 0; family poisson expects at least one positive count; choose another target or add "
        "rows");
  }
}

// Working response eta + (y - mu) / mu with weight mu (McCullagh & Nelder), weights kept above 1 / largest_rate so that
// the response stays finite where the rate underflows.
double Poisson::quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double>,
                          std::span<double> weights, std::span<double> working) const {
  double constant = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    const Rate at = rate(eta_mean[i]);
    weights[i] = std::max(at.slope, least_weight);
    const double step = (y[i] - at.value) / weights[i];
    working[i] = eta_mean[i] + step;
    constant += log_density(y[i], eta_mean[i]) + 0.5 * (y[i] - at.value) * step;
  }
  return constant;
}

double Poisson::log_density(double y, double eta) const {
  return -loss(y, eta) - boost::math::lgamma(y + 1);  // std::lgamma writes a global: not for threads
}

double Poisson::loss(double y, double eta) const { return rate(eta).integral - y * eta; }

void Poisson::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                          std::span<double> curvature) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) {
      const Rate at = rate(eta[i]);
      residual[i] = y[i] - at.value;
      curvature[i] = at.slope;
    }
  });
}

double Poisson::conjugate(double y, double residual) const {
  const double u = y - residual;
  return u < 0 ? std::numeric_limits<double>::infinity() : rate_conjugate(u);
}

double Poisson::mean(double eta) const { return rate(eta).value; }

double Poisson::link(double mean) const {
  return mean <= largest_rate ? std::log(mean) : largest_log_rate + (mean / largest_rate - 1);
}

// Rates beyond the largest number are infinite.
double Poisson::predicted_mean(double eta) const { return std::exp(eta); }

double Poisson::deviance(double y, double eta) const {
  if (y == 0) return 2 * rate(eta).integral;
  if (eta > largest_log_rate) return 2 * std::max(0.0, loss(y, eta) + rate_conjugate(y));
  // y (e^d - 1 - d) with d the distance from the saturated predictor: exactly 0 there, never below.
  const double distance = eta - std::log(y);
  return 2 * y * std::max(0.0, std::expm1(distance) - distance);
}

void Poisson::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) out[i] = rate(eta[i]).integral - y[i] * eta[i];
  });
}

std::string_view Poisson::complaint(double value) const {
  return value >= 0 && value == std::floor(value) && std::isfinite(value) ? "" : "expects nonnegative integers";
}

// Counts are not guessed: a response of small whole numbers may well be a score.
double Poisson::resemblance(std::span<const double>) const { return 0; }

Family::Interval Poisson::interval(double mean, double, double level) const {
  const double upper = 0.5 * (1 + level);
  // 1 - level has lost its last digits: 0.025 for a level of 0.95, not 0.02500000000000002.
  const double lower = std::round(5e14 * (1 - level)) / 1e15;
  const double deviate = mean > normal_limit_from ? quantile(boost::math::normal_distribution(), upper) : 0.0;
  return {quantile_of(mean, lower, -deviate), quantile_of(mean, upper, deviate)};
}

double Poisson::draw(double eta, double, RandomStream& random) const {
  const double rate = mean(eta);
  // Beyond it the normal limit is exact to far less than its standard deviation.
  if (rate > normal_limit_from) return std::max(0.0, std::round(rate + std::sqrt(rate) * random.normal()));
  return rate > 0 ? static_cast<double>(boost::random::poisson_distribution<std::int64_t>(rate)(random)) : 0.0;
}

// e^limit = 2 + 2 largest count. Without a limit single draws of psi predict counts without bounds, and one held-out
// cell makes NLP 1e4 and more; the likelihood is flat beyond, so a limit close to the data would bias rates near it.
std::unique_ptr<const Family> Poisson::limited(std::optional<double> limit, double largest_cell) const {
  return std::make_unique<LimitedPoisson>(limit.value_or(std::log(2 * (1 + largest_cell))));
}

bool Poisson::log_base(std::span<const double> x, std::span<double> out) const {
  for (Index i = 0; i < std::ssize(x); ++i) out[i] = -log_factorial(x[i]);
  return true;
}

std::unique_ptr<const LoadingPrior> Poisson::loading_prior() const { return std::make_unique<LogGammaLoading>(); }

// The mean rate, with half a count in half a cell more: a column of zeros has some curvature.
double Poisson::typical_curvature(double sum, double count) const { return (sum + 0.5) / (count + 0.5); }

double LimitedPoisson::loss(double y, double eta) const {
  const double log_rate = std::min(eta, limit_);
  return std::exp(log_rate) - y * log_rate;
}

void LimitedPoisson::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                                 std::span<double> curvature) const {
  simd_dispatch([=, this] {
    const double limit = limit_;
    const Index count = std::ssize(y);
    for (Index i = 0; i < count; ++i) {
      const double at = eta[i], rate = vector_math::exp(at < limit ? at : limit);
      const double free = at < limit ? 1.0 : 0.0;  // a factor: a branch would keep it from becoming vector code
      residual[i] = free * (y[i] - rate);
      curvature[i] = free * rate;
    }
  });
}

void LimitedPoisson::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  simd_dispatch([=, this] {
    const double limit = limit_;
    const Index count = std::ssize(y);
    for (Index i = 0; i < count; ++i) {
      const double at = eta[i], log_rate = at < limit ? at : limit;
      out[i] = vector_math::exp(log_rate) - y[i] * log_rate;
    }
  });
}

void LimitedPoisson::quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                                      std::span<double> residual, std::span<double> weight) const {
  simd_dispatch([=, this] {
    const double limit = limit_;
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double y = x[i], at = psi[i], log_rate = at < limit ? at : limit;
      const double rate = vector_math::exp(log_rate);
      const double free = at < limit ? 1.0 : 0.0;
      loss[i] = rate - y * log_rate;
      residual[i] = free * (y - rate);
      weight[i] = free * rate;
    }
  });
}

// E e^psi = e^(mean + variance / 2), slope and curvature of the mean loss alike. Beyond the limit they keep their
// values there instead of vanishing as those of a point do: mean field would have no slope to come back by.
void LimitedPoisson::expected_quadratic(std::span<const double> x, Beliefs psi, double, std::span<double> residual,
                                        std::span<double> weight) const {
  simd_dispatch([=, this] {
    const double limit = limit_;
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double log_rate = psi.mean[i] + 0.5 * psi.variance[i];
      const double rate = vector_math::exp(log_rate < limit ? log_rate : limit);
      residual[i] = x[i] - rate;
      weight[i] = rate;
    }
  });
}

void LimitedPoisson::expected_log_density(std::span<const double> x, Beliefs psi, double, std::span<double> out) const {
  simd_dispatch([=, this] {
    const double limit = limit_;
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double mean = psi.mean[i], log_rate = mean + 0.5 * psi.variance[i];
      out[i] = x[i] * (mean < limit ? mean : limit) - vector_math::exp(log_rate < limit ? log_rate : limit);
    }
  });
}

double LimitedPoisson::cell_log_density(double x, double psi, double) const {
  const double log_rate = std::min(psi, limit_);
  return x * log_rate - std::exp(log_rate) - log_factorial(x);
}

double LimitedPoisson::predictive_log_density(double x, const NormalBelief& psi, double) const {
  return log_count_probability({psi.mean, psi.variance, limit_}, x);
}

// The mean rate may be infinite, so the point is the rate at the mean predictor.
Family::Forecast LimitedPoisson::forecast(const NormalBelief& psi, double) const {
  const auto moment = [&](double power) {
    return normal_mean(psi.mean, psi.variance, [&](double at) { return std::exp(power * std::min(at, limit_)); });
  };
  const LogRate log_rate{psi.mean, psi.variance, limit_};
  return {mean(psi.mean), std::sqrt(moment(1) + std::max(0.0, moment(2) - moment(1) * moment(1))),
          count_quantile(log_rate, 0.025), count_quantile(log_rate, 0.975)};
}

const Family& poisson() {
  static const Poisson family;
  return family;
}

}  // namespace tamis
