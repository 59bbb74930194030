// The accurate likelihood part: all coefficients jointly normal, one site per row on its linear predictor.
//
// Gaussian   rows are exact: precision weight / noise, no sites and nothing to move
// Otherwise  row i has a normal site of eta_i. Cavity: marginal of eta_i less the site; tilted: likelihood times
//            cavity; the wanted site turns the cavity into a normal of the tilted moments. All sites move together,
//            damped.
// Weights    a row of weight 3 is three equal factors with one site each, one of weight 1/3 a factor to that power
//            (power EP, SitePower)
// Evidence   log integral of the normal with its sites + sum of log (tilted mass / mass of site times cavity);
//            gaussian: the constants of the noise and of the integrated intercept, so that it is comparable to method
//            exact's
#include <algorithm>
#include <cmath>
#include <numbers>

#include "method/ep/joint_normal.hpp"
#include "method/ep/likelihood_part.hpp"

namespace tamis {
namespace {

class JointPart final : public LikelihoodPart {
 public:
  explicit JointPart(const ScaledProblem& problem) : data_(problem), normal_(problem) { reset(); }

  void reset() override {
    rows_.assign(data_.rows(), {});
    sites_.assign(rows_.size(), {});
    target_.assign(rows_.size(), {});
    if (data_.gaussian()) return;
    // Starts at the likelihood's quadratic expansion where the linear predictor is 0 (bernoulli: at even odds).
    const std::vector<double> zeros(rows_.size());
    std::vector<double> residual(rows_.size()), curvature(rows_.size());
    data_.family().derivatives(data_.response(), zeros, residual, curvature);
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      const double power = SitePower(data_.weights()[i]).power;
      sites_[i] = {curvature[i] * power, power * (residual[i] - curvature[i] * offset(i))};
    }
  }

  bool refresh(const SpikeSlabHyper& hyper, std::span<const NaturalParameters> features,
               FeatureMarginals& out) override {
    set_rows(hyper.noise_variance);
    if (!normal_.solve(rows_, features, marginals_)) return false;
    if (!std::ranges::all_of(marginals_.variance, [](double v) { return v > 0 && std::isfinite(v); })) return false;
    out.mean = marginals_.mean;
    out.variance = marginals_.variance;
    out.intercept = marginals_.intercept;
    out.log_mass = marginals_.log_mass;
    if (!data_.gaussian()) return tilt_rows(out.log_mass);
    finish_gaussian(hyper.noise_variance, out);
    return true;
  }

  bool moves_in_turn() const override { return true; }
  NaturalParameters cavity(Index j, const NaturalParameters& site) override { return normal_.cavity(j, site); }
  void exchange(const NaturalParameters& site, const NaturalParameters& other) override {
    normal_.exchange(site, other);
  }

  double advance(double damping) override {
    if (data_.gaussian()) return 0;
    double largest = 0;
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      if (data_.weights()[i] == 0) continue;
      NaturalParameters& site = sites_[i];
      const NaturalParameters before = site;
      site.precision = damping * site.precision + (1 - damping) * target_[i].precision;
      site.natural_mean = damping * site.natural_mean + (1 - damping) * target_[i].natural_mean;
      // How far the mean of eta moves, to first order.
      const double moved =
          site.natural_mean - before.natural_mean - (site.precision - before.precision) * marginals_.predictor[i];
      const double count = SitePower(data_.weights()[i]).count;
      largest = std::max(largest, count * std::abs(moved) * marginals_.predictor_variance[i]);
    }
    return largest / (1 - damping);
  }

 private:
  double offset(Index i) const { return data_.offset().empty() ? 0.0 : data_.offset()[i]; }

  void set_rows(double noise_variance) {
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      const double weight = data_.weights()[i];
      if (data_.gaussian()) {
        rows_[i] = {weight / noise_variance, weight / noise_variance * data_.response()[i]};
      } else if (weight > 0) {
        const double count = SitePower(weight).count;
        rows_[i] = {count * sites_[i].precision, count * sites_[i].natural_mean};
      }
    }
  }

  // The constants of the gaussian likelihood, with the flat intercept integrated out as `exact` does.
  void finish_gaussian(double noise_variance, FeatureMarginals& out) const {
    double squares = 0;
    out.residual_square = noise_variance * marginals_.explained_trace;
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      const double residual = data_.response()[i] - marginals_.predictor[i];
      out.residual_square += data_.weights()[i] * residual * residual;
      squares += data_.weights()[i] * data_.response()[i] * data_.response()[i];
    }
    out.log_mass -=
        0.5 * (data_.degrees_of_freedom() * std::log(2 * std::numbers::pi * noise_variance) + squares / noise_variance);
    if (data_.has_intercept()) out.log_mass -= 0.5 * std::log(data_.samples());
  }

  bool tilt_rows(double& log_mass) {
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      const double weight = data_.weights()[i], variance = marginals_.predictor_variance[i];
      if (weight == 0) continue;
      if (!(variance > 0)) return false;
      const NaturalParameters& site = sites_[i];
      const NaturalParameters cavity{1 / variance - site.precision,
                                     marginals_.predictor[i] / variance - site.natural_mean};
      target_[i] = site;
      if (!(cavity.precision > 0)) continue;  // improper cavity: the row waits until other sites have grown
      const SitePower copies(weight);
      const TiltedNormal tilted = tilted_row(data_.family(), data_.response()[i], copies.power, offset(i), cavity);
      log_mass += copies.count * log_scale(tilted, cavity, site);
      target_[i] = site_of(tilted, cavity);
      // The likelihood is log-concave, so a site precision below 0 is rounding; a positive one is needed as its root
      // divides in the Woodbury solve.
      target_[i].precision = std::max(target_[i].precision, 1e-10 * copies.power);
    }
    return true;
  }

  const ScaledProblem& data_;
  JointNormal normal_;
  JointMarginals marginals_;
  std::vector<NaturalParameters> rows_;            // of all copies together
  std::vector<NaturalParameters> sites_, target_;  // of one copy; gaussian: not used
};

}  // namespace

std::unique_ptr<LikelihoodPart> joint_part(const ScaledProblem& problem) {
  return std::make_unique<JointPart>(problem);
}

}  // namespace tamis
