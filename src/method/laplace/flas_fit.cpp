// One fit of flas: prior variances, support, mode, posterior variances, inclusion probabilities.
//
// Model      w_j ~ s_j N(0, r1) + (1 - s_j) N(0, r0), s_j ~ Beta(a0, b0)                     Naqvi et al., Eqs. 1 and 2
// Algorithm  1 r0, r1, prior inclusion and noise of largest evidence of the best support              (SlabSearch)
//            2 mode of w from that support: marginal (z, s integrated out) or joint with z, or with s if its prior
//              is given                                                                               (mode.hpp)
//            3 diagonal of the inverse Hessian at the mode, with D = E[1 / r_z | w] for the prior     (variances.hpp)
//            4 E[z_j] under N(mode, variance), Section 3.3, Eqs. 10 and 11; or conditional on the other indicators
// Departure  the paper's prior curvature v_j = -d^2 log p / dw^2 is negative for |w| between about .8 and 2 thresholds,
//            where the Hessian may be indefinite; D is the curvature of the majorizer, positive everywhere.
// Caution    with p >> n the posterior has many modes: the message says so. Under Beta(1, 1) per feature (prior odds 1)
//            it is dense there, hence sparse prior odds by default.
// Accuracy   RMSE of E[z] against Gibbs at p = 100, n = 60 to 120: .116 to .065, collapsed .053 to .012; method ep .010
//            to .001.
#include "method/laplace/flas_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/laplace/mode.hpp"
#include "method/laplace/slab_search.hpp"
#include "solver/smooth/golden_section.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// Grid of slab variances (prior variance of the linear predictor per feature, in units of the response's variance; 1
// for a logistic predictor), and of spike variances as shares of the slab's.
constexpr double gaussian_slabs[] = {0.003, 0.01, 0.03, 0.1, 0.3, 1};
constexpr double logistic_slabs[] = {0.1, 0.3, 1, 3, 10};
constexpr double spikes_of_slab[] = {1e-3, 1e-4, 1e-5, 1e-6};

// The stages of one fit in the order of run(). Everything inside is in units of the scaled response; unit2_ converts
// variances. slab_ is the best support so far if chosen_, mode_ the mode found from it.
class FlasFit {
 public:
  FlasFit(const Problem& problem, const FlasRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control), scaled_(problem) {}

  Fit run() {
    if (!scaled_.nothing_to_explain().empty()) return nothing();
    model_ = make_dual_model(scaled_);
    unit2_ = scaled_.unit() * scaled_.unit();
    const bool noise_is_given = request_.noise_variance.has_value() || !scaled_.gaussian();
    if (request_.noise_variance) model_->set_noise_variance(*request_.noise_variance / unit2_);
    if (!request_.start_at_ridge) search_ = std::make_unique<SlabSearch>(*model_, noise_is_given);
    choose_prior();
    find_mode();
    find_posterior();
    return result();
  }

 private:
  double prior_inclusion() const;
  TwoNormal prior(double spike, double slab) const { return {prior_inclusion(), spike, slab}; }
  Fit nothing() const;
  void choose_prior();
  void choose_by_evidence();
  void try_prior(double spike, double slab);
  void learn_inclusion();
  void choose_noise_of_ridge();
  void find_mode();
  void find_posterior();
  SelectionPrior selection_prior() const;
  std::vector<double> inclusion_given_others(const std::vector<double>& information) const;
  Fit result() const;

  const Problem& problem_;
  const FlasRequest& request_;
  const Control& control_;
  ScaledProblem scaled_;
  std::unique_ptr<DualModel> model_;
  std::unique_ptr<SlabSearch> search_;
  double unit2_ = 1;
  TwoNormal prior_;
  SlabState slab_;
  bool chosen_ = false;
  SpikeSlabMode mode_;
  std::vector<double> variances_, inclusion_;
};

double FlasFit::prior_inclusion() const {
  if (request_.prior_inclusion) return *request_.prior_inclusion;
  return default_inclusion(scaled_.samples(), static_cast<double>(scaled_.features()));
}

Fit FlasFit::nothing() const {
  Fit fit = scaled_.null_fit();
  fit.hyper["selection_mean"] = fit.hyper["selection_variance"] = std::vector<double>(fit.coefficients.size(), 0.0);
  fit.hyper["spike_variance"] = request_.spike_variance.value_or(0.0);
  fit.hyper["slab_variance"] = request_.slab_variance.value_or(0.0);
  fit.hyper["noise_precision"] = 0.0;
  return fit;
}

void FlasFit::try_prior(double spike, double slab) {
  // A spike as wide as the slab makes the components indistinguishable.
  if (!(spike < slab)) return;
  const TwoNormal prior = this->prior(spike, slab);
  SlabState state = search_->best(prior, chosen_ ? &slab_ : nullptr);
  if (chosen_ && !(state.log_posterior > slab_.log_posterior)) return;
  chosen_ = true;
  prior_ = prior;
  slab_ = std::move(state);
}

// Two one-dimensional searches instead of a grid: the slab variance at spike = 1e-4 slab, then the spike at that slab.
void FlasFit::choose_by_evidence() {
  const std::span<const double> slabs =
      scaled_.gaussian() ? std::span<const double>(gaussian_slabs) : std::span<const double>(logistic_slabs);
  constexpr double middle = 1e-4;
  if (request_.slab_variance) {
    const double slab = *request_.slab_variance / unit2_;
    for (const double share : spikes_of_slab) try_prior(share * slab, slab);
    return;
  }
  for (const double size : slabs) {
    const double slab = size / scaled_.mean_curvature();
    try_prior(request_.spike_variance ? *request_.spike_variance / unit2_ : middle * slab, slab);
  }
  if (request_.spike_variance) {
    if (chosen_) return;
    throw InvalidOption(
        fmt::format("spike_variance: received {:.3g}, which is larger than every slab variance in the search for this "
                    "response; set slab_variance too",
                    *request_.spike_variance));
  }
  const double slab = prior_.slab_variance();
  for (const double share : spikes_of_slab) {
    if (share != middle) try_prior(share * slab, slab);
  }
}

void FlasFit::choose_prior() {
  // Without the evidence search (start = ridge) nothing chooses variances: a tenth of the response's variance per
  // feature for the slab, a ten thousandth of that for the spike.
  const bool given = request_.spike_variance && request_.slab_variance;
  if (request_.start_at_ridge) {
    const double slab = request_.slab_variance ? *request_.slab_variance / unit2_ : 0.1 / scaled_.mean_curvature();
    prior_ = prior(request_.spike_variance ? *request_.spike_variance / unit2_ : 1e-4 * slab, slab);
    choose_noise_of_ridge();
  } else if (given) {
    try_prior(*request_.spike_variance / unit2_, *request_.slab_variance / unit2_);
  } else {
    choose_by_evidence();
  }
  if (chosen_ && (!request_.prior_inclusion || request_.inclusion_is_tuned)) learn_inclusion();
  if (!request_.start_at_ridge && scaled_.gaussian()) model_->set_noise_variance(slab_.noise_variance);
}

// Empirical Bayes for the prior inclusion (gaussian): the share of features in the slab becomes the prior, and the
// support is searched again, which removes accidental ones when p is large. Not for two classes, which hold too little
// information per coefficient. If no support beats the null model, the empty one is returned.
void FlasFit::learn_inclusion() {
  if (!search_->found_anything()) {
    slab_ = search_->none(prior_);
    return;
  }
  for (int round = 0; round < 3 && scaled_.gaussian(); ++round) {
    const double kept = std::max(1.0, static_cast<double>(slab_.slab.size()));
    const double share = std::min(prior_inclusion(), kept / static_cast<double>(scaled_.features()));
    if (std::abs(share / prior_.prior_inclusion() - 1) < 0.05) return;
    prior_ = TwoNormal(share, prior_.spike_variance(), prior_.slab_variance());
    slab_ = search_->best(prior_, &slab_);
  }
}

// The paper's start: noise and one common prior variance of a ridge regression, both by evidence.
void FlasFit::choose_noise_of_ridge() {
  double best_noise = model_->noise_variance();
  const auto cost = [&](double log_variance) {
    const PriorVariances variances{std::exp(log_variance) / static_cast<double>(scaled_.features()), {}, {}};
    if (!request_.noise_variance) model_->set_noise_variance(model_->best_noise_variance(variances, -HUGE_VAL).value());
    best_noise = model_->noise_variance();
    return -model_->ridge(variances, {}, nullptr).log_evidence;
  };
  const double best = golden_section(std::log(1e-3), std::log(1e3), 1e-2, cost);
  cost(best);
  const PriorVariances variances{std::exp(best) / static_cast<double>(scaled_.features()), {}, {}};
  slab_.noise_variance = best_noise;
  mode_.w = ridge_coefficients(*model_, variances, model_->ridge(variances, {}, nullptr));
}

void FlasFit::find_mode() {
  const ModeSettings settings{.tolerance = request_.tolerance, .observer = control_.observer};
  if (request_.start_at_ridge) {
    for (Index j = 0; j < std::ssize(mode_.w); ++j) {
      if (std::abs(mode_.w[j]) >= prior_.threshold()) slab_.slab.push_back(j);
    }
  }
  RidgeMode near;
  if (!request_.start_at_ridge) {
    const PriorVariances variances = variances_of(slab_.slab, prior_);
    near = model_->ridge(variances, {}, slab_.mode.dual.empty() ? nullptr : &slab_.mode);
    mode_.w = ridge_coefficients(*model_, variances, near);
  }
  if (request_.joint && request_.selection) {
    const BestSelection best(prior_, *request_.selection);
    mode_ = joint_selection_mode(*model_, best, std::move(mode_.w), std::move(near), settings);
  } else {
    mode_ = request_.joint ? joint_mode(*model_, prior_, slab_.slab, std::move(near), settings)
                           : marginal_mode(*model_, prior_, std::move(mode_.w), std::move(near), settings);
  }
}

void FlasFit::find_posterior() {
  // Laplace: Hessian X'BX + D at the mode, B = tau I or sigma (1 - sigma).
  const std::vector<double> information = model_->curvature(model_->predictor(mode_.w), mode_.intercept);
  std::vector<double> prior(mode_.precision);
  for (double& v : prior) v = 1 / v;
  std::vector<Index> landmarks;
  for (Index j = 0; j < std::ssize(mode_.w); ++j) {
    if (std::abs(mode_.w[j]) >= prior_.threshold()) landmarks.push_back(j);
  }
  const HessianKind kind = request_.hessian.value_or(affordable_hessian(scaled_));
  variances_ = posterior_variances(scaled_, information, prior, kind, landmarks, control_.seed, model_->passes(),
                                   request_.nystrom);
  if (request_.collapsed) {
    inclusion_ = inclusion_given_others(information);
    return;
  }
  inclusion_.resize(mode_.w.size());
  parallel_for(scaled_.features(), 4096, [&](Index begin, Index end) {
    const Index first = begin, count = (end - begin);
    // Quadrature split at +-a: Gauss-Hermite is off by up to .31 where the posterior is wide against the spike.
    prior_.mean_slab_probabilities(std::span(mode_.w).subspan(first, count),
                                   std::span(variances_).subspan(first, count),
                                   std::span(inclusion_).subspan(first, count));
  });
}

// P(z_j = 1 | z_-j, y), coefficients integrated out. Given the components of the others the likelihood of w_j is normal
// with information s and score q; with variance R of feature j itself included they are S = s / (1 + R s), Q = q / (1 +
// R s). The posterior share 1 - R S is bounded below against cancellation.
std::vector<double> FlasFit::inclusion_given_others(const std::vector<double>& information) const {
  std::vector<Index> slab;
  for (Index j = 0; j < std::ssize(mode_.w); ++j) {
    if (std::abs(mode_.w[j]) >= prior_.threshold()) slab.push_back(j);
  }
  const PriorVariances variances = variances_of(slab, prior_);
  const std::vector<double> all = variances.all(scaled_.features());
  const RidgeMode ridge = model_->ridge(variances, {}, nullptr);
  std::vector<double> score(mode_.w.size());
  model_->correlations(std::span<const double>(ridge.dual), std::span(score));
  const HessianKind kind = request_.hessian.value_or(affordable_hessian(scaled_));
  const std::vector<double> posterior =
      posterior_variances(scaled_, information, all, kind, slab, control_.seed, model_->passes(), request_.nystrom);
  const double spike = prior_.spike_variance(), wide = prior_.slab_variance();
  std::vector<double> inclusion(mode_.w.size());
  for (Index j = 0; j < std::ssize(inclusion); ++j) {
    const double left = std::max(1e-12, posterior[j] / all[j]);  // 1 - R S
    const double s = (1 - left) / (all[j] * left), q = score[j] / left;
    const double gain = q * q * (wide / (1 + wide * s) - spike / (1 + spike * s));
    const double cost = std::log1p(wide * s) - std::log1p(spike * s);
    inclusion[j] = logistic(prior_.prior_log_odds() + 0.5 * (gain - cost));
  }
  return inclusion;
}

// Unless given, of total weight 2 around the prior inclusion: uniform for even odds, as in the paper.
SelectionPrior FlasFit::selection_prior() const {
  const double in = 2 * prior_.prior_inclusion();
  return request_.selection.value_or(SelectionPrior{in, 2 - in});
}

Fit FlasFit::result() const {
  Fit fit;
  std::vector<double> deviations(variances_), selection(inclusion_), spread(inclusion_);
  for (double& v : deviations) v = std::sqrt(v);
  const SelectionPrior selection_prior = this->selection_prior();
  for (Index j = 0; j < std::ssize(inclusion_); ++j) {
    const SelectionPrior::Moments moments = selection_prior.posterior(inclusion_[j]);
    selection[j] = moments.mean;
    spread[j] = moments.variance;
  }
  scaled_.to_original(mode_.intercept, mode_.w, deviations, inclusion_, fit);
  fit.hyper["selection_mean"] = scaled_.scatter(selection, 0);
  fit.hyper["selection_variance"] = scaled_.scatter(spread, 0);
  fit.hyper["spike_variance"] = unit2_ * prior_.spike_variance();
  fit.hyper["slab_variance"] = unit2_ * prior_.slab_variance();
  fit.hyper["prior_inclusion"] = prior_.prior_inclusion();
  fit.hyper["noise_precision"] = 1.0;
  double shift = 0;  // the objective of a response in its own units
  if (scaled_.gaussian()) {
    fit.noise_variance = unit2_ * model_->noise_variance();
    fit.hyper["noise_precision"] = 1 / *fit.noise_variance;
    shift = (scaled_.degrees_of_freedom() + static_cast<double>(scaled_.features())) * std::log(scaled_.unit());
  }
  if (chosen_) {
    const double unit = scaled_.gaussian() ? std::log(scaled_.unit()) : 0.0;
    // Density of y in its own units: scaling by u divides it by u per degree of freedom.
    fit.hyper["log_evidence"] = slab_.log_posterior - scaled_.degrees_of_freedom() * unit;
  }
  fit.trace = mode_.trace;
  for (TracePoint& point : fit.trace) point.objective += shift;
  fit.objective = mode_.objective + shift;
  fit.status = mode_.cancelled ? Status::cancelled : mode_.converged ? Status::converged : Status::iteration_limit;
  const auto kept = std::ranges::count_if(inclusion_, [](double m) { return m > 0.5; });
  fit.message =
      fmt::format("{}{} with inclusion probability above 0.5; {} at spike variance {:.3g} and slab variance {:.3g}",
                  mode_.cancelled ? "cancelled; " : "", plural(kept, "feature"),
                  request_.joint ? "joint posterior mode" : "posterior mode", unit2_ * prior_.spike_variance(),
                  unit2_ * prior_.slab_variance());
  if (chosen_ && !(request_.spike_variance && request_.slab_variance)) fit.message += " (chosen by evidence)";
  if (scaled_.features() > scaled_.rows())
    fit.message += "; with more features than rows the posterior may have other modes";
  return fit;
}

}  // namespace

double default_inclusion(double rows, double features) { return std::min(0.35, std::sqrt(rows / features)); }

Fit fit_flas_once(const Problem& problem, const FlasRequest& request, const Control& control) {
  return FlasFit(problem, request, control).run();
}

}  // namespace tamis
