// Family bernoulli: y is 0 or 1 with log odds eta.
//
// Density    log p(y | eta) = y eta - log(1 + e^eta)
// Quadratic  the bound of Jaakkola & Jordan (2000), Statistics and Computing 10: for every xi
//              log p >= (y - 1/2) eta - w/2 (eta^2 - xi^2) - log(2 cosh(xi/2)),  w = tanh(xi/2) / (2 xi),
//            tight at eta = +-xi. Under q(eta) the best xi^2 is E eta^2 = mean^2 + variance. With the square completed
//            it is a gaussian row of response (y - 1/2) / w and precision w. The same quadratic is the expectation of
//            Polya-Gamma augmentation: w = E[omega], omega ~ PG(1, xi).
// Conjugate  u log u + (1 - u) log(1 - u), u = y - residual: the negative entropy of the fitted probability.
// Hazards    1 - p, log(1 + e^eta) and the loss at y = 1 cancel for large |eta|: each is written by e^-|eta|, so that
//            both tails keep all digits. Loops are free of calls and branches, which lets them vectorize
//            (vector_math.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "family/polya_gamma.hpp"
#include "family/response_checks.hpp"
#include "family/tilted_bernoulli.hpp"
#include "family/value_kinds.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

class Bernoulli final : public Family {
 public:
  const Traits& traits() const override {
    static constexpr Traits traits{.name = "bernoulli",
                                   .response = Response::binary,
                                   .quadratic_is_bound = true,
                                   .largest_offset = 1000,
                                   .row_information = 0.25};
    return traits;
  }
  Words words() const override {
    return {.error = "fraction of held-out rows that are misclassified",
            .error_label = "misclassification rate",
            .error_column = "error rate",
            .error_name = "misclassification"};
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
  double total_log_density(std::span<const double> y, std::span<const double> eta,
                           std::span<const double> weights) const override;

  void quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                        std::span<double> residual, std::span<double> weight) const override;
  void expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision, std::span<double> residual,
                          std::span<double> weight) const override;
  void expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                            std::span<double> out) const override;
  bool log_base(std::span<const double> x, std::span<double> out) const override;
  double cell_log_density(double x, double psi, double noise_variance) const override;
  std::unique_ptr<const LoadingPrior> loading_prior() const override;
  double start_predictor(double mean) const override;
  double typical_curvature(double sum, double count) const override;

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override;
};

// The two values of y in increasing order; one of them twice if there is no other, nothing if there is a third.
std::optional<std::pair<double, double>> two_values(std::span<const double> y) {
  double low = y[0];
  double high = y[0];
  for (const double value : y) {
    if (value == low || value == high) continue;
    if (low != high) return std::nullopt;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return std::pair(low, high);
}

std::string remedy(std::span<const double> y) {
  if (const auto two = two_values(y); two && two->first != two->second) {
    const auto [low, high] = *two;
    if (high == 1) return fmt::format("recode {} as 0", low);
    if (low == 0) return fmt::format("recode {} as 1", high);
    return fmt::format("recode {} as 0 and {} as 1", low, high);
  }
  if (std::any_of(y.begin(), y.end(), [](double value) { return value != std::floor(value); })) {
    return "use --family gaussian for measurements";
  }
  const bool counts = std::all_of(y.begin(), y.end(), [](double value) { return value >= 0; });
  return counts ? "use --family poisson for counts"
                : "use --family gaussian for scores, or keep the rows of two classes and code them as 0 and 1";
}

// log(1 + e^eta) - y eta = log(1 + e^-|eta|) + (max(eta, 0) - y eta). The bracket is computed first, per sign of eta:
// at y = 1 and large eta it is exactly 0, and the tiny first term keeps its digits.
inline double bernoulli_loss(double y, double eta) {
  const double e = vector_math::exp(-std::abs(eta));
  const double linear = eta > 0 ? (1 - y) * eta : -y * eta;
  return vector_math::log1p(e) + linear;
}

// w(xi) = tanh(xi / 2) / (2 xi), 1/4 at 0: the curvature of the Jaakkola-Jordan bound, with e = e^-xi.
inline double bound_curvature(double xi, double e) {
  // Below .05 1 - e loses digits; there the Taylor series is used, whose first omitted term is below the last bit.
  const double q = xi * xi;
  const double series = 0.25 - q * (1.0 / 48 - q * (1.0 / 480 - q * (17.0 / 80640 - q * (31.0 / 1451520))));
  const double quotient = (1 - e) / ((1 + e) * 2 * xi);
  return xi < 0.05 ? series : quotient;
}

// Rows that quadratic() takes at once: constants are stored and summed afterwards, because a running sum would keep the
// loop from vectorizing.
constexpr std::size_t piece = 256;

void quadratic_piece(std::span<const double> y, std::span<const double> mean, std::span<const double> variance,
                     std::span<double> weights, std::span<double> constants) {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) {
      const double xi = std::sqrt(mean[i] * mean[i] + variance[i]);  // the tightest bound in the mean over q
      const double e = vector_math::exp(-xi);
      const double centered = y[i] - 0.5;
      const double weight = bound_curvature(xi, e);
      // centered eta - log(2 cosh(xi/2)) - w/2 (eta^2 - xi^2), with the square in eta completed.
      const double log_two_cosh = 0.5 * xi + vector_math::log1p(e);
      constants[i] = 0.5 * (weight * xi * xi + centered * centered / weight) - log_two_cosh;
      weights[i] = weight;
    }
  });
}

struct CellLoss {
  double loss, residual, weight;
};

// The bound at psi, where it touches the loss: log(1 + e^psi) = max(psi, 0) + log1p(e^-|psi|).
// tanh(|psi| / 2) / (2 |psi|) = 1/4 - psi^2 / 48 + ...: below 1e-4 the constant is right to 1e-9, where the quotient
// has lost four digits.
inline CellLoss cell_loss(double x, double psi) {
  const double size = psi < 0 ? -psi : psi;
  const double e = vector_math::exp(-size);
  const double half_tanh = 0.5 * (1 - e) / (1 + e);  // of |psi| / 2
  const double mean = psi < 0 ? 0.5 - half_tanh : 0.5 + half_tanh;
  const double weight = size > 1e-4 ? half_tanh / size : 0.25;
  return {(psi > 0 ? psi : 0) + vector_math::log1p(e) - x * psi, x - mean, weight};
}

// The tightest bound in the mean over N(mean, variance).
inline QuadraticModel expected_bound(double x, double mean, double variance) {
  const double size = __builtin_sqrt(mean * mean + variance);
  const double e = vector_math::exp(-size);
  const double weight = size > 1e-4 ? 0.5 * (1 - e) / ((1 + e) * size) : 0.25;
  return {x - 0.5 - weight * mean, weight};
}

// Conjugate prior of a loading, p ~ e^theta / (1 + e^theta)^2: the logit of a uniform probability, as if a 0 and a 1
// had been seen. It is made of the same functions as the loops over cells, so that Polya-Gamma and the bound apply to
// it.
class LogisticLoading final : public LoadingPrior {
 public:
  LogisticLoading() : LoadingPrior(0.5, 2) {}
  double log_density(double loading) const override { return loading - 2 * log1pexp(loading); }
  double slope(double loading) const override { return 1 - 2 * logistic(loading); }
  QuadraticModel quadratic(double loading) const override {
    const CellLoss at = cell_loss(value(), loading);
    return {count() * at.residual, count() * at.weight};
  }
  QuadraticModel expected_quadratic(const NormalBelief& loading) const override {
    const QuadraticModel at = expected_bound(value(), loading.mean, loading.variance);
    return {count() * at.residual, count() * at.weight};
  }
  double expected_log_density(const NormalBelief& loading) const override {
    const double size = std::sqrt(loading.mean * loading.mean + loading.variance);
    return -2 * (0.5 * size + log1pexp(-size));
  }
};

// Polson, Scott & Windle (2013) JASA 108: given omega ~ PG(weight, eta) the row is gaussian in eta with precision omega
// and linear term weight (y - 1/2).
class PolyaGammaAugmentation final : public Augmentation {
 public:
  double shift(double y, double weight) const override { return weight * (y - 0.5); }
  double draw_precision(double, double weight, double eta, RandomStream& random) const override {
    return draw_polya_gamma(weight, eta, random);
  }
};

}  // namespace

void Bernoulli::check(std::span<const double> y, std::span<const double> weights) const {
  check_response_is_finite(y, weights);
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (y[i] != 0 && y[i] != 1) {
      throw InvalidInput(
          fmt::format("response: row {} is {}; family bernoulli expects 0 or 1; {}", i + 1, y[i], remedy(y)));
    }
  }
  if (!response_varies(y, weights)) {
    check_rows_count(y, weights);
    throw InvalidInput(
        fmt::format("response: only one class, every row is {}; family bernoulli expects both 0 and 1; choose another "
                    "target or add rows",
                    y[first_counted(y, weights)]));
  }
}

double Bernoulli::quadratic(std::span<const double> y, std::span<const double> eta_mean,
                            std::span<const double> eta_variance, std::span<double> weights,
                            std::span<double> working) const {
  std::array<double, piece> constants;
  const std::array<double, piece> zeros{};
  double total = 0;
  for (Index first = 0; first < std::ssize(y); first += piece) {
    const Index count = std::min<Index>(piece, std::ssize(y) - first);
    const auto here = [&](auto whole) { return whole.subspan(first, count); };
    quadratic_piece(here(y), here(eta_mean), eta_variance.empty() ? std::span(zeros) : here(eta_variance),
                    here(weights), constants);
    total += std::accumulate(constants.begin(), constants.begin() + count, 0.0);
    for (Index i = first; i < first + count; ++i) working[i] = (y[i] - 0.5) / weights[i];
  }
  return total;
}

double Bernoulli::log_density(double y, double eta) const { return -bernoulli_loss(y, eta); }

double Bernoulli::loss(double y, double eta) const { return bernoulli_loss(y, eta); }

void Bernoulli::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                            std::span<double> curvature) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) {
      const double e = vector_math::exp(-std::abs(eta[i]));
      const double larger = 1 / (1 + e);
      const double smaller = e * larger;  // of the two classes' probabilities
      // y - p, without the cancellation in 1 - p.
      residual[i] = eta[i] >= 0 ? (y[i] - 1) + smaller : y[i] - smaller;
      curvature[i] = smaller * larger;
    }
  });
}

double Bernoulli::conjugate(double y, double residual) const {
  const double u = y - residual;
  const double complement = (1 - y) + residual;
  if (u < 0 || complement < 0) return std::numeric_limits<double>::infinity();
  // log of the larger probability by log1p of the smaller: no digits are lost near 0 and 1.
  const double small = std::min(u, complement);
  return x_log_x(small) + (1 - small) * std::log1p(-small);
}

double Bernoulli::mean(double eta) const { return logistic(eta); }

double Bernoulli::link(double mean) const { return logit(mean); }

double Bernoulli::deviance(double y, double eta) const {
  return 2 * (bernoulli_loss(y, eta) + x_log_x(y) + x_log_x(1 - y));
}

// As the traces of samplers have always been: a chain that goes on from a checkpoint keeps its bits.
double Bernoulli::total_log_density(std::span<const double> y, std::span<const double> eta,
                                    std::span<const double> weights) const {
  double sum = 0;
  for (Index i = 0; i < std::ssize(y); ++i) {
    sum += (weights.empty() ? 1 : weights[i]) * (y[i] * eta[i] - log1pexp(eta[i]));
  }
  return sum;
}

void Bernoulli::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  simd_dispatch([=] {
    const Index n = std::ssize(y);
    for (Index i = 0; i < n; ++i) out[i] = bernoulli_loss(y[i], eta[i]);
  });
}

std::string_view Bernoulli::complaint(double value) const { return value == 0 || value == 1 ? "" : "expects 0 or 1"; }

double Bernoulli::resemblance(std::span<const double> y) const {
  ValueKinds kinds;
  for (const double value : y) kinds.add(value);
  return kinds.two_classes() ? 1 : 0;
}

Family::Interval Bernoulli::interval(double, double, double) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return {none, none};
}

double Bernoulli::draw(double eta, double, RandomStream& random) const {
  return random.uniform01() < mean(eta) ? 1 : 0;
}

const Augmentation* Bernoulli::augmentation() const {
  static const PolyaGammaAugmentation polya_gamma;
  return &polya_gamma;
}

// By quadrature: tilted_bernoulli.cpp.
const TiltedMoments* Bernoulli::tilted() const { return &tilted_bernoulli(); }

void Bernoulli::quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                                 std::span<double> residual, std::span<double> weight) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const CellLoss at = cell_loss(x[i], psi[i]);
      loss[i] = at.loss;
      residual[i] = at.residual;
      weight[i] = at.weight;
    }
  });
}

void Bernoulli::expected_quadratic(std::span<const double> x, Beliefs psi, double, std::span<double> residual,
                                   std::span<double> weight) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const QuadraticModel at = expected_bound(x[i], psi.mean[i], psi.variance[i]);
      residual[i] = at.residual;
      weight[i] = at.weight;
    }
  });
}

// The bound at its best xi: (x - 1/2) E psi - log 2 cosh(xi / 2), xi^2 = E psi^2; the quadratic part vanishes there.
void Bernoulli::expected_log_density(std::span<const double> x, Beliefs psi, double, std::span<double> out) const {
  simd_dispatch([=] {
    const Index count = std::ssize(x);
    for (Index i = 0; i < count; ++i) {
      const double mean = psi.mean[i];
      const double size = __builtin_sqrt(mean * mean + psi.variance[i]);
      // With log 2 cosh(size / 2).
      out[i] = (x[i] - 0.5) * mean - 0.5 * size - vector_math::log1p(vector_math::exp(-size));
    }
  });
}

bool Bernoulli::log_base(std::span<const double>, std::span<double>) const { return false; }

double Bernoulli::cell_log_density(double x, double psi, double) const { return log_logistic(x > 0 ? psi : -psi); }

std::unique_ptr<const LoadingPrior> Bernoulli::loading_prior() const { return std::make_unique<LogisticLoading>(); }

// logit, which is infinite for means of 0 and 1: callers add half a cell to both classes.
double Bernoulli::start_predictor(double mean) const { return std::log(mean / (1 - mean)); }

// p (1 - p) at p = .28 or .72: of probabilities that are neither even nor extreme.
double Bernoulli::typical_curvature(double, double) const { return 0.2; }

const Family& bernoulli() {
  static const Bernoulli family;
  return family;
}

}  // namespace tamis
