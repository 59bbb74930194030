// bvs: Bayesian variable selection by weighted tempered Gibbs sampling.
//
// Model      gaussian: gaussian_target.cpp; conditionally gaussian families (bernoulli): augmented_target.cpp. Every
//            set of k features has prior probability p_k (size_prior.hpp)
// Algorithm  1 gaussian, response=auto: a short run; if its residuals have heavy tails, the response gives way to its
//              normal scores (normal_scores.hpp)
//            2 chains over models, coefficients integrated out (chain.cpp), until the largest Monte Carlo error of an
//              inclusion probability is at most `precision` (run.cpp)
//            3 weighted Rao-Blackwell estimates (summary.cpp), and a few thousand draws for predictions (collect.cpp).
//              After normal scores the coefficients are those of the drawn models on the response itself.
// Estimates  inclusion, coefficients (posterior means, zeros of models without the feature included), deviations, noise
// Papers     Zanella & Roberts (2019) JRSS B 81(3), tempered Gibbs; Liang et al. (2008) JASA 103, hyper-g/n; Polson,
//            Scott & Windle (2013) JASA 108, Polya-Gamma
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "method/bvs/collect.hpp"
#include "method/bvs/normal_scores.hpp"
#include "method/bvs/request.hpp"
#include "method/bvs/run.hpp"
#include "method/bvs/summary.hpp"
#include "problem/run_fingerprint.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// Steps and chains of the run that looks at residuals first: enough to find what is easy to find.
constexpr Index first_look_chains = 2, first_look_steps = 400;
constexpr Index most_named = 3;

std::vector<std::unique_ptr<Target>> targets_of(const GaussianData& data, Index chains) {
  std::vector<std::unique_ptr<Target>> targets;
  for (Index c = 0; c < chains; ++c) targets.push_back(gaussian_target(data));
  return targets;
}

// Excess kurtosis of the residuals about the posterior mean of a short run.
double residual_kurtosis(const ScaledProblem& scaled, const BvsPrior& prior, BvsPlan plan) {
  const GaussianData data(scaled, prior, {});
  plan.chains = first_look_chains;
  plan.most_steps = std::clamp<Index>(plan.most_steps / 8, 1, first_look_steps);
  plan.observer = nullptr;
  Checkpoint none({}, 0, 0);
  BvsRun run(targets_of(data, plan.chains), prior, scaled.features(), plan, none);
  run.run();
  const MomentSummary moments = summarize_moments(run.chains());
  std::vector<double> fitted(scaled.rows(), 0.0);
  scaled.X().multiply_add(scaled.kept(), std::span<const double>(moments.mean), std::span<double>(fitted));
  for (Index i = 0; i < std::ssize(fitted); ++i) fitted[i] = scaled.response()[i] - fitted[i];
  return excess_kurtosis(fitted, scaled.weights());
}

class BvsFit {
 public:
  BvsFit(const Problem& problem, const ScaledProblem& scaled, const BvsPrior& prior, const BvsPlan& plan)
      : problem_(problem), scaled_(scaled), prior_(prior), plan_(plan) {}

  Fit run(const std::string& response, Checkpoint& checkpoint, Draws* draws) {
    std::vector<std::unique_ptr<Target>> targets;
    std::optional<GaussianData> data;
    if (scaled_.gaussian()) {
      const std::vector<double> scores = choose_response(response);
      data.emplace(scaled_, prior_, scores);
      targets = targets_of(*data, plan_.chains);
    } else {
      for (Index c = 0; c < plan_.chains; ++c) {
        targets.push_back(augmented_target(scaled_, prior_, plan_.chains, plan_.seed, c));
      }
    }
    BvsRun run(std::move(targets), prior_, scaled_.features(), plan_, checkpoint);
    run.run();
    Fit fit;
    fill(run, fit);
    assess(run, fit);
    fit.draws = collect_posterior(run, scaled_);
    fit.model_draws = collect_models(run, scaled_);
    if (draws != nullptr) *draws = collect_draws(run, scaled_, feature_names(problem_));
    return fit;
  }

 private:
  std::vector<double> choose_response(const std::string& response);
  void fill(const BvsRun& run, Fit& fit) const;
  void assess(const BvsRun& run, Fit& fit) const;
  std::string unsettled(const InclusionSummary& inclusion) const;

  const Problem& problem_;
  const ScaledProblem& scaled_;
  const BvsPrior& prior_;
  const BvsPlan& plan_;
  bool scores_ = false;
  std::optional<double> kurtosis_;
};

// Empty: the response as it is.
std::vector<double> BvsFit::choose_response(const std::string& response) {
  scores_ = response == "normal-scores";
  if (response == "auto") {
    kurtosis_ = residual_kurtosis(scaled_, prior_, plan_);
    scores_ = has_heavy_tails(*kurtosis_, scaled_.samples());
  }
  if (!scores_) return {};
  return normal_scores(scaled_.response(), scaled_.weights());
}

void BvsFit::fill(const BvsRun& run, Fit& fit) const {
  InclusionSummary inclusion = summarize_inclusion(run.chains());
  const MomentSummary moments = summarize_moments(run.chains());
  for (Index k = 0; k < std::ssize(prior_.own.features); ++k) {  // without the rounding error of a weighted mean
    double& value = inclusion.inclusion[prior_.own.features[k]];
    if (prior_.own.log_odds[k] >= always) value = std::round(value);
  }
  const double unit2 = scaled_.unit() * scaled_.unit();
  scaled_.to_original(moments.intercept, moments.mean, moments.deviation, inclusion.inclusion, fit);
  // The mean of an inverse gamma noise needs a shape above 1; with fewer rows deviations have no finite mean square.
  constexpr double fewest_degrees = 3;
  if (scaled_.gaussian() && scaled_.degrees_of_freedom() < fewest_degrees) fit.standard_deviations.clear();
  if (scaled_.gaussian()) fit.noise_variance = unit2 * moments.noise_variance;
  fit.trace.assign(run.trace().begin(), run.trace().end());
  const double shift = scaled_.gaussian() ? scaled_.log_density_shift() : 0.0;
  for (TracePoint& point : fit.trace) point.objective += shift;
  fit.objective = moments.log_likelihood + shift;
  if (fit.trace.empty()) fit.trace.push_back({run.steps(), fit.objective, 0, 0, inclusion.largest_error()});
  fit.inclusion_error = scaled_.scatter(inclusion.error, 0);
  fit.hyper["rhat"] = scaled_.scatter(inclusion.rhat, 1);
  const SizeSummary size = summarize_size(run.chains());
  fit.hyper["expected_features"] = size.mean;
  fit.hyper["expected_features_interval"] =
      std::vector<double>{static_cast<double>(size.lower), static_cast<double>(size.upper)};
  fit.hyper["largest_error"] = inclusion.largest_error();
  fit.hyper["steps"] = static_cast<double>(run.steps());
  fit.hyper["share_of_weights"] =
      share_of_weights(run.chains(), (run.steps() - run.recorded_from()) * std::ssize(run.chains()));
  if (!prior_.independent) fit.hyper["log_g"] = moments.log_scale;
  if (scaled_.gaussian()) fit.hyper["response"] = std::string(scores_ ? "normal-scores" : "raw");
  if (kurtosis_) fit.hyper["residual_kurtosis"] = *kurtosis_;
}

// "; chains disagree about 12 features (x3, x9, x17 and 9 more)"
std::string BvsFit::unsettled(const InclusionSummary& inclusion) const {
  std::vector<Index> worst;
  for (Index k = 0; k < scaled_.features(); ++k) {
    if (inclusion.error[k] > plan_.precision) worst.push_back(k);
  }
  if (worst.empty()) return "";
  std::ranges::stable_sort(worst, [&](Index a, Index b) { return inclusion.error[a] > inclusion.error[b]; });
  const std::vector<std::string> names = feature_names(problem_);
  std::vector<std::string> shown;
  for (Index i = 0; i < std::min(most_named, std::ssize(worst)); ++i) {
    shown.push_back(names[scaled_.kept()[worst[i]]]);
  }
  const Index more = std::ssize(worst) - std::ssize(shown);
  return fmt::format("; the chains disagree about the inclusion of {} ({}{})", plural(std::ssize(worst), "feature"),
                     fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

void BvsFit::assess(const BvsRun& run, Fit& fit) const {
  const InclusionSummary inclusion = summarize_inclusion(run.chains());
  const SizeSummary size = summarize_size(run.chains());
  const bool several = std::ssize(run.chains()) > 1;
  const bool settled = several && inclusion.largest_error() <= plan_.precision;
  fit.status = run.cancelled() ? Status::cancelled : settled ? Status::converged : Status::iteration_limit;
  fit.message = fmt::format(
      "{}expected number of features {:.3g} (95% interval {} to {}); largest Monte Carlo standard error of an "
      "inclusion probability {:.2g} after {} of {} steps",
      run.cancelled() ? "cancelled; " : "", size.mean, size.lower, size.upper, inclusion.largest_error(),
      plural(std::ssize(run.chains()), "chain"), run.steps());
  if (!settled) {
    fit.message += unsettled(inclusion);
    fit.message += several ? "; increase max_steps" : "; one chain cannot see what it has missed; increase chains";
  }
  if (scores_) {
    fit.message += kurtosis_ ? fmt::format(
                                   "; inclusion is by normal scores of the response, for residuals have heavy "
                                   "tails (excess kurtosis {:.2g})",
                                   *kurtosis_)
                             : "; inclusion is by normal scores of the response";
  }
}

class Bvs final : public Method {
 public:
  std::string_view name() const override { return "bvs"; }
  std::string estimator() const override { return "BayesianVariableSelection"; }
  std::string_view summary() const override {
    return "Bayesian variable selection by weighted tempered Gibbs sampling: calibrated inclusion probabilities with "
           "their Monte Carlo errors";
  }
  std::vector<Field> fields() const override { return bvs_fields(); }
  std::string lacks(const Family& family) const override {
    return family.augmentation() != nullptr ? "" : "a conditionally gaussian augmentation";
  }
  InclusionKind inclusion_kind() const override { return InclusionKind::posterior; }
  bool is_sampler() const override { return true; }
  bool uses_feature_priors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override {
    // A g-prior does not know the scale of a column; arithmetic does.
    Problem any_scale = problem;
    any_scale.standardize = problem.standardize || has_g_prior(problem, options);
    const ScaledProblem scaled(any_scale);
    const BvsPrior prior = bvs_prior(problem, scaled, options);
    const BvsPlan plan = bvs_plan(scaled, options, control);
    if (!scaled.nothing_to_explain().empty()) return scaled.null_fit();
    const std::uint64_t run = control.checkpoint.empty() ? 0 : run_fingerprint(*this, problem, options, control);
    Checkpoint checkpoint(control.checkpoint, run, control.checkpoint_seconds);
    return BvsFit(problem, scaled, prior, plan).run(options.text("response"), checkpoint, control.draws);
  }
};

}  // namespace

const Method& bvs() {
  static const Bvs method;
  return method;
}

}  // namespace tamis
