// Gaussian response: coefficients, intercept and noise integrated out.
//
// Model      y = b0 + X_g b + e, e ~ N(0, s2), b0 flat, s2 ~ inverse gamma(a0, b0) on y of unit mean square
//            g-prior      b ~ N(0, g s2 (X_g'X_g)^-1), p(g) = (1/2n) (1 + g/n)^(-3/2)           (hyper-g/n)
//            independent  b_j ~ N(0, v s2), sqrt(v) half-Cauchy(1/2) unless v is given
// Evidence   with t = g/(1+g) (independent: 1), A = dof/2 + a0, R = 2 b0 + y'y - t m'X_g'y:
//              log p(y | gamma, g) = -(k/2) log(1 + g) - A log R,
//              log p(y | gamma, v) = -(1/2) log(v^k |X_g'X_g + I/v|) - A log R, up to a constant
// Papers     Liang, Paulo, Molina, Clyde & Berger (2008) JASA 103, hyper-g/n; Zanella & Roberts (2019) JRSS B 81(3)
#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numbers>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/bvs/slab_evidence.hpp"
#include "method/bvs/target.hpp"

namespace tamis {
namespace {

// Inverse gamma prior of the noise: as if 2e-3 observations of variance 1 had been made.
constexpr double noise_shape = 1e-3, noise_scale = 1e-3;
// Of a sampled independent slab, in units of the noise.
constexpr double slab_spread = 0.5;
constexpr double least_s_share = 1e-6;
constexpr double share_of_slab_steps = 0.1;
constexpr Index largest_model = 200;

class GaussianTarget final : public Target {
 public:
  explicit GaussianTarget(const GaussianData& data) : data_(data) {
    const BvsPrior& prior = data.prior();
    scale_ = prior.independent ? (prior.slab_variance > 0 ? prior.slab_variance : slab_spread * slab_spread)
                               : data.scaled().samples();
  }

  NormalEquations equations() override {
    return {&data_.gram(), data_.scaled().curvature(), data_.correlation(), independent() ? 1 / scale_ : 0.0};
  }
  OddsTerms terms(const ActiveModel& model, Index counted) const override;
  MomentTerms moments(const ActiveModel& model) const override;
  bool has_other_response() const override { return !data_.own_correlation().empty(); }
  void moments_inside(const ActiveModel& model, std::vector<double>& mean,
                      std::vector<double>& variance) const override;

  double scale() const override { return independent() ? 0.0 : scale_; }
  void set_scale(double g) override { scale_ = g; }
  double log_scale_density(const ActiveModel& model) const override;
  double log_scale_prior() const override {
    return -1.5 * std::log1p(scale_ / data_.scaled().samples()) + std::log(scale_);
  }
  // 1 - (1 + g/n)^(-1/2) is uniform.
  double scale_quantile(double probability) const override {
    const double root = std::max(1 - probability, 1e-8);
    return data_.scaled().samples() * std::max(1 / (root * root) - 1, 1e-12);
  }

  double refresh_share() const override {
    return independent() && data_.prior().slab_variance == 0 ? share_of_slab_steps : 0.0;
  }
  void refresh(ActiveModel& model, RandomStream& random) override;

  double log_likelihood(const ActiveModel& model) const override;
  DrawnModel draw(const ActiveModel& model, RandomStream& random) const override;
  void exchange(Archive& archive) override { archive(scale_); }

 private:
  bool independent() const { return data_.prior().independent; }
  double shrinkage() const { return independent() ? 1.0 : scale_ / (1 + scale_); }
  // Weights that sum to less than a row leave the noise at its prior.
  double half_dof() const { return 0.5 * std::max(0.0, data_.scaled().degrees_of_freedom()) + noise_shape; }
  double residual(double explained) const {
    return 2 * noise_scale + std::max(0.0, data_.scaled().samples() - shrinkage() * explained);
  }
  /// Mean of the noise variance given R; A - 1 is no mean below 1.
  double noise_of(double residual) const { return residual / (2 * std::max(half_dof() - 1, 0.5)); }
  /// m and R of the response that coefficients are reported for.
  double coefficients_of(const ActiveModel& model, std::vector<double>& m) const;

  const GaussianData& data_;
  double scale_;  // g, or v of independent slabs
};

OddsTerms GaussianTarget::terms(const ActiveModel& model, Index counted) const {
  const SizePrior& size = data_.prior().size;
  OddsTerms terms;
  terms.when_out = model.size() >= size.most() ? never : size.step(counted);
  terms.when_in = counted > 0 ? size.step(counted - 1) : 0;
  terms.half_dof = half_dof();
  terms.ratio = shrinkage() / residual(model.explained());
  terms.independent = independent();
  if (terms.independent) {
    terms.log_slab = std::log(scale_);
  } else {
    terms.slab = -0.5 * std::log1p(scale_);
    terms.flat_limit = least_s_share;
  }
  return terms;
}

MomentTerms GaussianTarget::moments(const ActiveModel& model) const {
  const double left = residual(model.explained()), t = shrinkage();
  const double unit = noise_of(1.0);
  return {.shrinkage = t, .scale = left * unit, .fall = t * unit, .noise_variance = left * unit};
}

double GaussianTarget::coefficients_of(const ActiveModel& model, std::vector<double>& m) const {
  const Index k = model.size();
  if (!has_other_response()) {
    m.assign(model.coefficients().begin(), model.coefficients().end());
    return residual(model.explained());
  }
  m.assign(k, 0.0);
  double explained = 0;
  for (Index b = 0; b < k; ++b) {
    const double z = data_.own_correlation()[model.features()[b]];
    for (Index a = 0; a < k; ++a) m[a] += model.covariance()[b * k + a] * z;
  }
  for (Index a = 0; a < k; ++a) explained += m[a] * data_.own_correlation()[model.features()[a]];
  return residual(explained);
}

void GaussianTarget::moments_inside(const ActiveModel& model, std::vector<double>& mean,
                                    std::vector<double>& variance) const {
  const double noise = noise_of(coefficients_of(model, mean)), t = shrinkage();
  variance.resize(mean.size());
  for (Index a = 0; a < std::ssize(mean); ++a) {
    mean[a] *= t;
    variance[a] = t * model.variance(a) * noise;
  }
}

double GaussianTarget::log_scale_density(const ActiveModel& model) const {
  return -0.5 * static_cast<double>(model.size()) * std::log1p(scale_) -
         half_dof() * std::log(residual(model.explained())) + log_scale_prior();
}

void GaussianTarget::refresh(ActiveModel& model, RandomStream& random) {
  const SlabEvidence evidence(model, data_.correlation(), 1 / scale_);
  scale_ = walk_slab_variance(evidence, scale_, random, [&](double v, const SlabEvidence::Value& value) {
    return -0.5 * value.log_determinant - half_dof() * std::log(residual(value.explained)) + 0.5 * std::log(v) -
           std::log1p(v / (slab_spread * slab_spread));
  });
  static_cast<void>(model.rebuild(equations()));
}

// log p(y | gamma, slab) with its constants, the noise and the flat intercept integrated out.
double GaussianTarget::log_likelihood(const ActiveModel& model) const {
  const ScaledProblem& scaled = data_.scaled();
  double price = static_cast<double>(model.size()) * std::log1p(scale_);
  if (independent()) price = SlabEvidence(model, data_.correlation(), 1 / scale_).at(scale_).log_determinant;
  const double flat = scaled.has_intercept() ? std::log(scaled.samples()) : 0.0;
  return -0.5 * (price + flat + scaled.degrees_of_freedom() * std::log(2 * std::numbers::pi)) -
         half_dof() * std::log(0.5 * residual(model.explained())) + std::lgamma(half_dof()) - std::lgamma(noise_shape) +
         noise_shape * std::log(noise_scale);
}

// Noise, then coefficients and intercept given it.
DrawnModel GaussianTarget::draw(const ActiveModel& model, RandomStream& random) const {
  const Index k = model.size();
  DrawnModel drawn;
  const double left = coefficients_of(model, drawn.coefficients), t = shrinkage();
  drawn.noise_variance = 0.5 * left / boost::random::gamma_distribution<double>(half_dof())(random);
  Matrix L(k, k);
  std::copy(model.covariance().begin(), model.covariance().end(), L.col(0));
  const double spread = cholesky(L) ? std::sqrt(t * drawn.noise_variance) : 0.0;
  std::vector<double> z(k);
  random.normals(z);
  for (Index a = 0; a < k; ++a) {
    double noise = 0;
    for (Index b = 0; b <= a; ++b) noise += L(a, b) * z[b];
    drawn.coefficients[a] = t * drawn.coefficients[a] + spread * noise;
  }
  const double free = random.normal();
  if (data_.scaled().has_intercept()) {
    drawn.intercept = std::sqrt(drawn.noise_variance / data_.scaled().samples()) * free;
  }
  return drawn;
}

}  // namespace

void Target::moments_inside(const ActiveModel&, std::vector<double>&, std::vector<double>&) const {}

Index most_in_model(const ScaledProblem& scaled) {
  const auto rows = static_cast<Index>(std::min(scaled.samples(), 1e9)) - 2;
  return std::clamp<Index>(std::min(rows, scaled.features()), 0, largest_model);
}

// .03 of what X takes, but 32 MB at least. The arrays of four chains take another 320 bytes per feature.
Index gram_columns_within_memory(const ScaledProblem& scaled) {
  constexpr double share = 0.03, least = 32e6;
  const double bytes = scaled.X().stored_per_column() * static_cast<double>(scaled.features()) * sizeof(double);
  const double column = static_cast<double>(scaled.features()) * sizeof(double);
  return static_cast<Index>(std::min(static_cast<double>(scaled.features()), std::max(share * bytes, least) / column));
}

GaussianData::GaussianData(const ScaledProblem& scaled, const BvsPrior& prior, std::span<const double> response)
    : scaled_(scaled), prior_(prior), gram_(scaled.X(), scaled.kept(), gram_columns_within_memory(scaled)) {
  gram_.reset(scaled.weights(), /*center=*/false);
  const auto correlate = [&](std::span<const double> y, std::vector<double>& out) {
    std::vector<double> weighted(y.begin(), y.end());
    for (Index i = 0; i < std::ssize(weighted); ++i) weighted[i] *= scaled.weights()[i];
    out.resize(scaled.features());
    gram_.correlate(weighted, out);
  };
  correlate(response.empty() ? scaled.response() : response, correlation_);
  if (!response.empty()) correlate(scaled.response(), own_correlation_);
}

std::unique_ptr<Target> gaussian_target(const GaussianData& data) { return std::make_unique<GaussianTarget>(data); }

}  // namespace tamis
