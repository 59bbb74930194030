// gibbs: spike-and-slab regression by Markov chains, the reference for approximations at any number of features.
//
// Model      y = offset + b0 + X b + noise,  noise ~ N(0, noise_variance),  b0 flat
//            or P(y = 1) = logistic(offset + b0 + X b);
//            b_j ~ N(0, slab_variance) with probability prior_inclusion, otherwise N(0, spike_variance), 0 for a point
//            mass. Hyperparameters that are not given are sampled too.
// Algorithm  1 run the chains (run.cpp); 2 average Rao-Blackwellized conditional moments per feature (summary.cpp);
//            3 converged if split R-hat <= 1.1 for the log likelihood, the model size and the noise, and for every
//              feature whose inclusion is not known to a standard error of 0.01 already
// Estimates  posterior means, but the median of the slab variance: with few features included its draws are
//            heavy-tailed, and their mean is dominated by single draws or does not exist
// Papers     R-hat and effective sample size: Vehtari et al. (2021), Bayesian Analysis 16, without rank normalization
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/gibbs/collect.hpp"
#include "method/gibbs/run.hpp"
#include "method/gibbs/summary.hpp"
#include "problem/run_fingerprint.hpp"
#include "problem/spike_slab_options.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

// Split R-hat above which chains are reported as not mixed.
constexpr double largest_rhat = 1.1;
// Monte Carlo standard error at which an inclusion probability counts as known whatever its R-hat: for features that
// are hardly ever included R-hat compares a handful of events and is mostly noise.
constexpr double mixed_error = 0.01;
// Default number of samples: what 1e7 operations per chain buy, within bounds. A Polya-Gamma draw counts as 50
// operations, a gaussian sweep as p min(n, p).
constexpr double cheap_run = 1e7, polya_gamma_draw = 50;
constexpr Index fewest_samples = 1000, most_samples = 10'000, least_burn_in = 500;

Index samples_by_cost(const ScaledProblem& scaled) {
  const auto n = static_cast<double>(scaled.rows()), p = static_cast<double>(scaled.features());
  const double sweep = scaled.gaussian() ? p * std::min(n, p) : n * (p + polya_gamma_draw);
  return static_cast<Index>(std::clamp<double>(cheap_run / sweep, fewest_samples, most_samples));
}

class GibbsFit {
 public:
  GibbsFit(const ScaledProblem& scaled, const HyperPrior& prior, const GibbsPlan& plan,
           std::vector<double> own_inclusion)
      : scaled_(scaled),
        prior_(prior),
        plan_(plan),
        data_(scaled, prior.start.spike_variance == 0, std::move(own_inclusion)) {}

  /// `draws`: nullptr if they are not asked for.
  Fit run(Checkpoint& checkpoint, const std::vector<std::string>& feature_names, Draws* draws) {
    GibbsRun chains(data_, prior_, plan_, checkpoint);
    chains.run();
    if (draws != nullptr) *draws = collect_draws(chains, prior_, scaled_, feature_names);
    tallies_ = chains.tallies();
    features_ = summarize_features(tallies_, scaled_.features());
    Fit fit;
    fill(fit);
    fit.model_draws = chains.models(scaled_.kept());
    assess_convergence(fit, chains.cancelled());
    return fit;
  }

 private:
  void fill(Fit& fit) const;
  void assess_convergence(Fit& fit, bool cancelled) const;
  double common_rhat() const;

  const ScaledProblem& scaled_;
  const HyperPrior& prior_;
  const GibbsPlan& plan_;
  ChainData data_;
  std::span<const Tally> tallies_;
  FeatureSummary features_;
};

void GibbsFit::fill(Fit& fit) const {
  const double unit2 = scaled_.unit() * scaled_.unit();
  const auto mean = [&](SeriesName which) { return mean_of(tallies_, which); };
  scaled_.to_original(mean(&ChainSeries::intercept), features_.mean, features_.deviation, features_.inclusion, fit);
  // Fixed hyperparameters are reported as given, not as an average with rounding errors.
  const SpikeSlabHyper& given = prior_.start;
  fit.hyper["prior_inclusion"] = prior_.sample_inclusion ? mean(&ChainSeries::prior_inclusion) : given.prior_inclusion;
  fit.hyper["slab_variance"] =
      unit2 * (prior_.sample_slab ? median_of(tallies_, &ChainSeries::slab_variance) : given.slab_variance);
  fit.hyper["spike_variance"] = unit2 * given.spike_variance;
  if (scaled_.gaussian()) {
    fit.noise_variance = unit2 * (prior_.sample_noise ? mean(&ChainSeries::noise_variance) : given.noise_variance);
  }
  fit.trace = trace_of(tallies_, plan_.burn_in, scaled_.log_density_shift());
  fit.objective = mean(&ChainSeries::log_likelihood) + scaled_.log_density_shift();
  fit.hyper["expected_features"] = mean(&ChainSeries::size);
  fit.inclusion_error = scaled_.scatter(features_.inclusion_error, 0);
  fit.hyper["rhat"] = scaled_.scatter(features_.rhat, 1);
  fit.hyper["effective_samples"] =
      scaled_.scatter(features_.effective, static_cast<double>(plan_.chains * tallies_.front().recorded()));
  fit.hyper["log_likelihood_effective_samples"] =
      effective_sample_size(chains_of(tallies_, &ChainSeries::log_likelihood));
}

// Largest split R-hat of the quantities that depend on all features.
double GibbsFit::common_rhat() const {
  double largest = split_rhat(chains_of(tallies_, &ChainSeries::log_likelihood));
  largest = std::max(largest, split_rhat(chains_of(tallies_, &ChainSeries::size)));
  if (prior_.sample_noise) largest = std::max(largest, split_rhat(chains_of(tallies_, &ChainSeries::noise_variance)));
  return largest;
}

void GibbsFit::assess_convergence(Fit& fit, bool cancelled) const {
  Index unmixed = 0;
  double worst = 1;
  for (Index j = 0; j < std::ssize(features_.rhat); ++j) {
    if (features_.inclusion_error[j] <= mixed_error) continue;
    worst = std::max(worst, features_.rhat[j]);
    unmixed += features_.rhat[j] > largest_rhat ? 1 : 0;
  }
  const double together = common_rhat();
  const double error = std::ranges::max(features_.inclusion_error);
  const bool mixed = unmixed == 0 && together <= largest_rhat;
  fit.hyper["largest_rhat"] = std::max(worst, together);
  fit.status = cancelled ? Status::cancelled : mixed ? Status::converged : Status::iteration_limit;
  fit.message = fmt::format(
      "{}{} of {} draws after {} burn-in sweeps; expected number of features {:.4g}, largest Monte Carlo "
      "standard error of an inclusion probability {:.2g}, largest R-hat {:.3f}",
      cancelled ? "cancelled; " : "", plural(plan_.chains, "chain"), tallies_.front().recorded(), plan_.burn_in,
      std::get<double>(fit.hyper.at("expected_features")), error, std::max(worst, together));
  if (mixed) return;
  const std::string which =
      unmixed > 0 ? plural(unmixed, "feature") : "the log likelihood, the number of features or the noise variance";
  fit.message += fmt::format("; R-hat above {:g} for {}; increase samples and burn_in", largest_rhat, which);
}

class Gibbs final : public Method {
 public:
  std::string_view name() const override { return "gibbs"; }
  std::string estimator() const override { return "GibbsSpikeSlab"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by Gibbs sampling: inclusion probabilities with Monte Carlo standard errors and "
           "R-hat";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.augmentation() != nullptr ? "" : "a conditionally gaussian augmentation";
  }
  InclusionKind inclusion_kind() const override { return InclusionKind::posterior; }
  bool is_sampler() const override { return true; }
  bool uses_feature_priors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> Gibbs::fields() const {
  std::vector<Field> fields = spike_slab_fields("sampled with a weakly informative prior");
  fields.push_back(Field::integer("chains", "number of independent Markov chains", 4.0, 1, 1000));
  fields.push_back(Field::integer(
      "samples", "number of recorded sweeps per chain; default: 1000, and up to 10,000 on small data", {}, 1, 1e9));
  fields.push_back(Field::integer(
      "burn_in", "number of discarded sweeps at the start of each chain; default: a tenth of samples, at least 500", {},
      0, 1e9));
  return fields;
}

Fit Gibbs::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const ScaledProblem scaled(problem);
  const SpikeSlabOptions request(options, problem, scaled);
  if (!scaled.nothing_to_explain().empty()) return scaled.null_fit();
  const Index samples = options.has("samples") ? options.integer("samples") : samples_by_cost(scaled);
  const Index burn_in = options.has("burn_in") ? options.integer("burn_in") : std::max(least_burn_in, samples / 10);
  const GibbsPlan plan{.chains = options.integer("chains"),
                       .samples = samples,
                       .burn_in = burn_in,
                       .seed = control.seed,
                       .observer = control.observer,
                       .keep_draws = control.draws != nullptr};
  if (plan.keep_draws) check_size_of_draws(plan, scaled);
  const HyperPrior prior = request.weak_prior(scaled);
  const std::uint64_t run = control.checkpoint.empty() ? 0 : run_fingerprint(*this, problem, options, control);
  Checkpoint checkpoint(control.checkpoint, run, control.checkpoint_seconds);
  std::vector<double> own_inclusion;
  for (Index k = 0; k < scaled.features() && !problem.feature_priors.empty(); ++k) {
    own_inclusion.push_back(problem.feature_priors[scaled.kept()[k]]);
  }
  return GibbsFit(scaled, prior, plan, std::move(own_inclusion)).run(checkpoint, feature_names(problem), control.draws);
}

}  // namespace

const Method& gibbs() {
  static const Gibbs method;
  return method;
}

}  // namespace tamis
