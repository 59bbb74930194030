// Empirical Bayes for method exact: the hyperparameters as unknowns of an EM problem with quasi-Newton acceleration.
//
// Model      prior inclusion pi, slab variance v, noise variance s2; the objective is log p(y | pi, v, s2), exactly
// Unknowns   logit pi, log(v / s2), log s2 of those that are learned: with the ratio in place of v the M steps of slab
//            and noise separate, and an EM step is a fixed-point map without constraints but for boxes
// Algorithm  E: averages over subsets (Evidence::at). M: pi = E|s| / p, v = E|b|^2 / E|s|, s2 = E|y - Xb|^2 / (n - 1)
// Gradient   Fisher's identity: that of the log evidence is the posterior mean of the complete data's. Beside the M
//            step it distinguishes stationarity from slow convergence, which EM steps alone cannot.
// Bounds     from the data: what lies beyond is decided by rounding, or cannot be learned from p features
#include "method/exact/empirical_bayes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// Noise variance as a share of the response's: below this it is decided by rounding errors of the sums of squares. One
// that is learned keeps a wider margin.
constexpr double least_given_noise = 1e-13;
constexpr double least_learned_noise = 1e-10;
// Least expected number of features in (or out). The likelihood of pi is monotone when no feature (or every one) is
// included, so its maximum would be at the boundary, which EM only approaches.
constexpr double least_expected = 0.1;
// Lower bound of the slab variance, in squared standard errors of a coefficient. A slab narrower than two standard
// errors cannot be distinguished from the spike: the evidence becomes flat in pi, as many undetectable effects explain
// noise like none.
constexpr double least_slab_errors = 4;

}  // namespace

EmpiricalBayes::EmpiricalBayes(const Evidence& evidence, const Options& options) : evidence_(evidence) {
  const double p = std::max<double>(1, static_cast<double>(evidence.features()));
  const double unit2 = evidence.unit() * evidence.unit();
  const double squared_error = 1 / (evidence.samples() * evidence.mean_curvature());  // in units of the noise
  const double share = std::min(0.25, 1 - least_expected / p);
  // At the start half of the response is signal, spread over the features expected in.
  hyper_[inclusion] = {"prior inclusion", share, least_expected / p, 1 - least_expected / p, true};
  hyper_[slab] = {"slab variance", 1 / (share * p * evidence.mean_curvature()), least_slab_errors * squared_error,
                  1e18 * squared_error, true};
  hyper_[noise] = {"noise variance", 0.5, least_learned_noise, 10, evidence.degrees_of_freedom() > 0};
  fix(inclusion, options.maybe_real("prior_inclusion"), 1);
  fix(slab, options.maybe_real("slab_variance"), unit2);
  fix(noise, options.maybe_real("noise_variance"), unit2);
  if (hyper_[noise].start < least_given_noise && !evidence.response_is_constant()) {
    throw InvalidOption(
        fmt::format("noise_variance: received {:.3g}, which is {:.1g} times the variance of the response; expected at "
                    "least {:.0e} times, below which rounding errors dominate",
                    hyper_[noise].start * unit2, hyper_[noise].start, least_given_noise));
  }
  for (const Which which : {inclusion, slab, noise}) {
    if (hyper_[which].learned) learned_.push_back(which);
  }
}

void EmpiricalBayes::fix(Which which, std::optional<double> given, double unit) {
  if (!given) return;
  hyper_[which].start = *given / unit;
  hyper_[which].learned = false;
}

double EmpiricalBayes::to_unknown(Which which, double value) {
  return which == inclusion ? logit(value) : std::log(value);
}

// The start is clamped as well: half the variance as signal may already violate the bounds of tiny problems.
std::vector<double> EmpiricalBayes::start() const {
  std::vector<double> x;
  for (const Which which : learned_) {
    const Hyper& h = hyper_[which];
    const double value = which == slab ? h.start / hyper_[noise].start : h.start;
    x.push_back(to_unknown(which, std::clamp(value, h.lower, h.upper)));
  }
  return x;
}

std::vector<double> EmpiricalBayes::lower() const {
  std::vector<double> x;
  for (const Which which : learned_) x.push_back(to_unknown(which, hyper_[which].lower));
  return x;
}

std::vector<double> EmpiricalBayes::upper() const {
  std::vector<double> x;
  for (const Which which : learned_) x.push_back(to_unknown(which, hyper_[which].upper));
  return x;
}

SpikeAndSlab EmpiricalBayes::model_at(std::span<const double> unknowns) const {
  SpikeAndSlab model{hyper_[inclusion].start, hyper_[slab].start, hyper_[noise].start};
  double slab_over_noise = 0;
  for (Index k = 0; k < std::ssize(unknowns); ++k) {
    if (learned_[k] == inclusion) model.prior_inclusion = logistic(unknowns[k]);
    if (learned_[k] == slab) slab_over_noise = std::exp(unknowns[k]);
    if (learned_[k] == noise) model.noise_variance = std::exp(unknowns[k]);
  }
  if (hyper_[slab].learned) model.slab_variance = slab_over_noise * model.noise_variance;
  return model;
}

// M step, the maximum of the expected complete-data log density: E|s| / p, E|b|^2 / E|s|, E|y - Xb|^2 / (n - 1); one
// degree of freedom belongs to the flat intercept.
std::array<double, 3> EmpiricalBayes::maximization(const SpikeAndSlab& model, const Evidence::Value& value) const {
  const auto p = static_cast<double>(evidence_.features());
  const double size = value.expected_size;
  const double freedom = evidence_.degrees_of_freedom();
  const double residual = evidence_.samples() * value.expected_residual;
  double noise_variance = hyper_[noise].learned ? residual / freedom : model.noise_variance;
  double ratio = (size > 0 ? value.expected_squares / size : model.slab_variance) / noise_variance;
  // At its bound the slab is tied to the noise, v = ratio s2: one variance remains, estimated from both sums of squares
  // and both counts. The two separate maxima would violate the bound.
  if (hyper_[slab].learned && hyper_[noise].learned && ratio < hyper_[slab].lower) {
    ratio = hyper_[slab].lower;
    noise_variance = (residual + value.expected_squares / ratio) / (freedom + size);
  }
  return {p > 0 ? size / p : model.prior_inclusion, ratio, noise_variance};
}

// Gradient by Fisher's identity, in the coordinates of the unknowns:
//   logit pi: E|s| - p pi;   log v: (E|b|^2 / v - E|s|) / 2;   log s2: (E|y - Xb|^2 / s2 - (n - 1)) / 2.
// Information is the complete data's in the same coordinates: gradient / information is the EM step to first order.
Expectation EmpiricalBayes::expectation(const SpikeAndSlab& model, const Evidence::Value& value) const {
  const auto p = static_cast<double>(evidence_.features());
  const double size = value.expected_size;
  const double freedom = evidence_.degrees_of_freedom();
  const double residual = evidence_.samples() * value.expected_residual;
  const double slab_pull = 0.5 * (value.expected_squares / model.slab_variance - size);
  const double noise_pull = 0.5 * (residual / model.noise_variance - freedom);
  // d / d log s2 at a fixed ratio v / s2 moves v too.
  const bool tied = hyper_[slab].learned;
  const std::array<double, 3> gradient = {size - p * model.prior_inclusion, slab_pull,
                                          noise_pull + (tied ? slab_pull : 0)};
  // Without features nothing is known of the first two, and any metric will do.
  constexpr double nothing = 1e-300;
  const std::array<double, 3> information = {std::max(nothing, p * model.prior_inclusion * (1 - model.prior_inclusion)),
                                             std::max(nothing, 0.5 * size), 0.5 * (freedom + (tied ? size : 0))};
  const std::array<double, 3> target = maximization(model, value);
  // Rounding error of the objective: the log evidence is a small difference of sums of squares of this size.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Expectation found{.objective = value.log_evidence,
                    .gradient = {},
                    .information = {},
                    .maximization = {},
                    .rounding = epsilon * evidence_.samples() / model.noise_variance};
  for (const Which which : learned_) {
    found.gradient.push_back(gradient[which]);
    found.information.push_back(information[which]);
    found.maximization.push_back(
        to_unknown(which, std::clamp(target[which], hyper_[which].lower, hyper_[which].upper)));
  }
  return found;
}

std::string EmpiricalBayes::description(const SpikeAndSlab& model) const {
  const double unit2 = evidence_.unit() * evidence_.unit();
  const std::array<double, 3> shown = {model.prior_inclusion, model.slab_variance * unit2,
                                       model.noise_variance * unit2};
  const std::array<double, 3> bounded = {model.prior_inclusion, model.slab_variance / model.noise_variance,
                                         model.noise_variance};
  constexpr double margin = 1e-6;
  std::string description;
  for (const Which which : {inclusion, slab, noise}) {
    const Hyper& h = hyper_[which];
    const std::string_view how = !h.learned                                 ? "given"
                                 : bounded[which] <= h.lower * (1 + margin) ? "learned, at its lower bound"
                                 : bounded[which] >= h.upper * (1 - margin) ? "learned, at its upper bound"
                                                                            : "learned";
    description += fmt::format("{}{} {:.4g} ({})", description.empty() ? "" : ", ", h.name, shown[which], how);
  }
  return description;
}

}  // namespace tamis
