// ard with covariance components of the prior, from Problem to Fit.
//
// Model      y = offset + b0 + X b + u + noise; b ~ N(0, sum_i gamma_i L_i L_i'), u ~ N(0, sum_k gamma_k K_k) over the
//            rows, known factors L_i and kernels K_k; a feature in no factor has a variance of its own.
//            Wipf & Nagarajan (2007), Eqs. 20 and 21.
// Search     variances minimize the cost (component_search.cpp) at a given noise, at a noise learned with them, or at
//            that of the robust rule (component_noise.cpp), which selects first and fits the selected without penalty.
// Units      components mean what they say on the original scale of X, standardized or not; inside, each is scaled to
//            unit average variance of a row, and the response to unit spread.
// Inclusion  a logistic of the gain in log evidence, as for features (ard_fit.cpp): one half at a gain that a component
//            of its rank exceeds by chance as often as a feature exceeds theirs. A feature has that of its best
//            component.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/numerical_failure.hpp"
#include "method/ard/ard_fit.hpp"
#include "method/ard/ard_search.hpp"
#include "method/ard/component_posterior.hpp"
#include "method/ard/component_search.hpp"
#include "method/ard/search_trace.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

constexpr double anneal_from = 0.1, anneal_factor = 0.6;  // as for features: share of the mean square, and per level
constexpr Index anneal_steps = 3;
constexpr double first_noise = 0.1, noise_floor = 1e-12;  // of the mean square, when the noise is learned
constexpr Index max_joint = 500;                          // features with a joint covariance in the model
constexpr Index max_row_effects = 100'000;                // rows with an effect in the model

std::vector<double> precisions_of(const Standardization& scale) {
  std::vector<double> precisions = scale.weights();
  for (double& weight : precisions) weight *= scale.total_weight();
  return precisions;
}

// data_ and evidence_ exist from run() on, unless the response is constant.
class ComponentFit {
 public:
  ComponentFit(const Problem& problem, const ArdOptions& options, const Control& control)
      : problem_(problem), options_(options), log_(control), scale_(problem), response_(problem, scale_) {}

  Fit run();

 private:
  double cost_in_original_units(double cost) const {
    return cost + 2 * data_->degrees_of_freedom() * std::log(response_.group);
  }
  double multiplicity() const;
  void fit_to(const ComponentRequest& request);
  void fit_annealed();
  void fit_by_evidence();
  void fit_robust();
  Fit result();
  void list_components(Fit& fit) const;
  void fill_features(Fit& fit) const;
  void fill_coefficients(Fit& fit) const;
  std::string target_name(Index l) const {
    return problem_.more_targets.empty() ? "target " + std::to_string(l + 1) : problem_.more_targets[l - 1];
  }

  const Problem& problem_;
  const ArdOptions& options_;
  SearchLog log_;
  Standardization scale_;
  ScaledResponse response_;
  std::optional<ComponentData> data_;
  std::optional<ComponentEvidence> evidence_;
  ComponentRequest request_;
  ComponentRun run_;
  std::string noise_description_;
  std::vector<double> noise_path_;
  double penalty_ = 0;
};

// The largest of d gains by chance is near that of theta = 2 log d.
double ComponentFit::multiplicity() const {
  Index playing = 0;
  for (Index i = 0; i < data_->size(); ++i) playing += (*data_)[i].plays ? 1 : 0;
  return std::max(0.0, 2 * std::log(static_cast<double>(std::max<Index>(1, playing))) - 1);
}

Fit ComponentFit::run() {
  if (response_.constant) {
    Fit fit = null_relevance(problem_, response_);
    fit.hyper.erase("gamma");
    fit.hyper.erase("theta");
    for (const CovarianceComponent& each : problem_.components) {
      fit.components.push_back({each.name, each.of_rows, each.values.cols, 0, 0, 0});
    }
    fit.message = "no components retained because the response is constant";
    return fit;
  }
  data_.emplace(problem_, scale_, precisions_of(scale_), response_.Y);
  evidence_.emplace(*data_);
  request_.algorithm = options_.algorithm;
  request_.paper_start = options_.paper_start;
  request_.max_iterations = options_.max_iterations;
  request_.tolerance = options_.tolerance;
  request_.proceed = [this] { return log_.proceed(); };
  penalty_ = options_.penalty.value_or(0);
  request_.penalty = penalty_;
  if (options_.noise_variance) {
    request_.noise = *options_.noise_variance / (response_.group * response_.group);
    noise_description_ = "given";
    options_.anneal ? fit_annealed() : fit_to(request_);
  } else if (options_.learn_noise) {
    fit_by_evidence();
  } else {
    fit_robust();
  }
  if (!run_.point.valid) {
    throw NumericalFailure(
        "the covariance of the response is not positive definite to working precision; use a larger noise_variance");
  }
  return result();
}

void ComponentFit::fit_to(const ComponentRequest& request) {
  log_.restart();
  const auto active = [](const ComponentPoint& point) {
    return std::ranges::count_if(point.at.x, [](double x) { return x > 0; });
  };
  run_ = minimize_components(*evidence_, request, [&](const ComponentPoint& point, double change, double certificate) {
    return log_.record(cost_in_original_units(point.cost), change, active(point), certificate);
  });
  if (log_.trace().empty()) {
    log_.record(cost_in_original_units(run_.point.cost), 0, active(run_.point), run_.certificate.active);
  }
}

// From a large noise, where minima are few, to the given one, a few iterations at each level.
void ComponentFit::fit_annealed() {
  ComponentRequest annealed = request_;
  annealed.refine = false;
  annealed.max_iterations = anneal_steps;
  std::optional<ComponentVariances> from;
  for (double noise = anneal_from * data_->mean_square(); noise > request_.noise; noise *= anneal_factor) {
    noise_path_.push_back(noise);
    annealed.noise = noise;
    annealed.from = from ? &*from : nullptr;
    run_ = minimize_components(*evidence_, annealed,
                               [this](const ComponentPoint&, double, double) { return log_.proceed(); });
    if (run_.status == Status::cancelled || !run_.point.valid) break;
    from = run_.point.at;
  }
  noise_description_ = fmt::format("given, annealed over {} levels", noise_path_.size());
  if (run_.status == Status::cancelled) {  // reported at the noise that it reached
    log_.record(cost_in_original_units(run_.point.cost), 0, 0, 0);
    return;
  }
  ComponentRequest last = request_;
  last.from = from ? &*from : nullptr;
  fit_to(last);
}

void ComponentFit::fit_by_evidence() {
  request_.noise = first_noise * data_->mean_square();
  request_.bounds.noise_moves = true;
  request_.bounds.noise_floor = noise_floor * data_->mean_square();
  fit_to(request_);
  noise_description_ = "by maximum evidence";
  if (run_.point.valid && run_.point.at.noise <= 10 * request_.bounds.noise_floor) {
    noise_description_ += ", collapsed to zero because the components explain any response; use noise=robust";
  }
}

// The penalty selects the components and thereby the noise; the final fit has no penalty, which would shrink variances.
void ComponentFit::fit_robust() {
  penalty_ = options_.penalty.value_or(multiplicity());
  request_.penalty = penalty_;
  const ComponentNoise search = robust_component_noise(*evidence_, request_, [this] { return log_.proceed(); });
  noise_path_ = search.visited;
  noise_description_ =
      fmt::format("robust rule, {} iterations{}", search.visited.size(), search.converged ? "" : ", not converged");
  run_ = search.last;
  if (search.cancelled || !run_.point.valid) {
    if (run_.point.valid) log_.record(cost_in_original_units(run_.point.cost), 0, 0, 0);
    run_.status = search.cancelled ? Status::cancelled : run_.status;
    return;
  }
  ComponentRequest last = request_;
  last.penalty = 0;
  last.noise = search.variance;
  last.bounds.allowed = search.support;
  fit_to(last);
  if (!search.converged && run_.status == Status::converged) run_.status = Status::iteration_limit;
  if (!run_.point.valid) return;
  // Excluded components are certified by the rule that excluded them: q^2 <= z with the slope of the penalty.
  const VarianceBounds all;
  request_.noise = search.variance;
  const ComponentPenalty penalty = component_penalty(*evidence_, request_);
  run_.certificate.inactive = ComponentDescent(*evidence_, all, penalty).certificate(run_.point).inactive;
}

void ComponentFit::list_components(Fit& fit) const {
  const double unit2 = response_.group * response_.group;
  const double penalty = std::max(options_.penalty.value_or(0), multiplicity());
  double total = run_.point.at.noise;
  for (const double x : run_.point.at.x) total += x;
  for (Index i = 0; i < std::ssize(problem_.components); ++i) {
    const CovarianceComponent& given = problem_.components[i];
    const double x = run_.point.at.x[i], rank = (*data_)[i].effective_rank;
    const double threshold = rank * evidence_gain(entry_theta(rank, penalty));
    fit.components.push_back({given.name, given.of_rows, given.values.cols, x * (*data_)[i].unit * unit2, x / total,
                              x > 0 ? logistic(evidence_->gain(run_.point, i) - threshold) : 0.0});
  }
}

// Inclusion of the features, and gamma and theta of those that have their own.
void ComponentFit::fill_features(Fit& fit) const {
  const Index p = problem_.X.cols(), given = std::ssize(problem_.components);
  const double threshold = std::max(options_.penalty.value_or(0), multiplicity());
  fit.inclusion.assign(p, 0.0);
  for (Index i = 0; i < given; ++i) {
    const ConstMatrixView& L = problem_.components[i].values;
    if (problem_.components[i].of_rows || fit.components[i].inclusion == 0) continue;
    for (Index a = 0; a < L.cols; ++a) {
      for (Index j = 0; j < p; ++j) {
        if (L(j, a) != 0) fit.inclusion[j] = std::max(fit.inclusion[j], fit.components[i].inclusion);
      }
    }
  }
  if (data_->size() == given) return;
  std::vector<double> gamma(p, 0.0), theta(p, 0.0);
  for (Index i = given; i < data_->size(); ++i) {
    const ComponentData::Component& own = (*data_)[i];
    const Index j = -1 - own.source;
    theta[j] = evidence_->theta(run_.point, i);
    if (!(run_.point.at.x[i] > 0)) continue;
    gamma[j] = std::pow(own.multiplier * response_.group, 2) * run_.point.at.x[i];
    fit.inclusion[j] = inclusion_of(theta[j], threshold);
  }
  fit.hyper["gamma"] = std::move(gamma);
  fit.hyper["theta"] = std::move(theta);
}

void ComponentFit::fill_coefficients(Fit& fit) const {
  const ComponentSources sources{problem_, *data_, response_.group};
  CoefficientPosterior posterior = coefficient_posterior(sources, run_.point, max_joint);
  const RowEffects effects = row_effects(sources, run_.point);
  for (Index l = 0; l < data_->targets(); ++l) {
    TargetFit one;
    one.coefficients.assign(posterior.mean.col(l), posterior.mean.col(l) + posterior.mean.rows());
    one.standard_deviations = posterior.standard_deviations;
    one.intercept = response_.centers[l] + response_.group * data_->target_means()[l];
    if (problem_.intercept) one.intercept -= effects.averages[l];
    for (Index j = 0; j < problem_.X.cols(); ++j) {
      if (one.coefficients[j] != 0) one.intercept -= one.coefficients[j] * scale_.center(j);
    }
    if (l == 0) {
      fit.intercept = one.intercept;
      fit.coefficients = std::move(one.coefficients);
      fit.standard_deviations = std::move(one.standard_deviations);
    } else {
      one.target = target_name(l);
      fit.more_targets.push_back(std::move(one));
    }
  }
  if (posterior.covariance) fit.hyper["covariance"] = std::move(*posterior.covariance);
  const double noise = run_.point.at.noise * response_.group * response_.group;
  fit.noise_variance = noise;
  if (problem_.intercept) fit.hyper["intercept_variance"] = noise / scale_.total_weight() + effects.average_variance;
  if (effects.mean.rows() == 0) return;
  fit.hyper["row_effect_variance"] = effects.prior_variance;
  if (effects.mean.rows() <= max_row_effects) {
    fit.hyper["row_effects"] = std::vector<double>(effects.mean.col(0), effects.mean.col(0) + effects.mean.rows());
  }
}

Fit ComponentFit::result() {
  Fit fit;
  evidence_->take_z(run_.point, Slopes::components);
  list_components(fit);
  fill_features(fit);
  fill_coefficients(fit);
  fit.hyper["penalty"] = penalty_;
  fit.hyper["certificate"] = run_.certificate.worst();
  fit.hyper["certificate_active"] = run_.certificate.active;
  fit.hyper["certificate_inactive"] = run_.certificate.inactive;
  if (!noise_path_.empty()) {
    for (double& noise : noise_path_) noise *= response_.group * response_.group;
    fit.hyper["noise_path"] = noise_path_;
  }
  fit.objective = cost_in_original_units(run_.point.cost);
  fit.trace = std::move(log_.trace());
  fit.status = run_.status;
  const auto retained = std::ranges::count_if(fit.components, [](const FittedComponent& c) { return c.variance > 0; });
  std::string features;
  if (const auto own = fit.hyper.find("gamma"); own != fit.hyper.end()) {
    const auto& gamma = std::get<std::vector<double>>(own->second);
    features = fmt::format(" and {} with a variance of their own",
                           plural(std::ranges::count_if(gamma, [](double g) { return g > 0; }), "feature"));
  }
  fit.message = fmt::format(
      "{}{} of {}{} retained; noise variance {:.4g} ({}), cost {:.6g}, optimality conditions violated by {:.1e} "
      "(retained) and {:.1e} (pruned)",
      fit.status == Status::cancelled ? "cancelled; " : "", retained, plural(std::ssize(fit.components), "component"),
      features, *fit.noise_variance, noise_description_, fit.objective, run_.certificate.active,
      run_.certificate.inactive);
  return fit;
}

}  // namespace

Fit fit_components(const Problem& problem, const ArdOptions& options, const Control& control) {
  return ComponentFit(problem, options, control).run();
}

}  // namespace tamis
