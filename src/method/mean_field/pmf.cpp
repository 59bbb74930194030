// pmf: spike-and-slab regression by a mean field that pairs each coefficient with its indicator.
//
// Model      b_j = s_j w_j, s_j ~ Bernoulli(pi), w_j ~ N(0, slab_variance); q(s, w) = prod_j q(s_j) q(w_j | s_j):
//            coupled within the feature, independent between features
// Algorithm  variational EM on the evidence lower bound: sweeps of MeanFieldPath alternate with the conditional optima
//            of pi, slab variance and noise, to the requested tolerance on all features
//            anneal: pi along a grid from sparse to dense and back, the rest learned at every step; then EM from the
//            point of highest bound. Unlike vg's free energy the bound is comparable across priors, so no held-out
//            data are needed to choose among them.
// Papers     Titsias & Lazaro-Gredilla (2011), NIPS 24, the paired mean field; Carbonetto & Stephens (2012), Bayesian
//            Analysis 7(1), the coordinate updates; Kappen & Gomez (2014), Machine Learning 96, its annealing
// Note       the bound is not concave: the result depends on the start (see initial()).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "method/mean_field/mean_field_fit.hpp"
#include "method/mean_field/mean_field_path.hpp"
#include "problem/family_requirements.hpp"
#include "problem/null_fit.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

struct PairedRequest {
  std::optional<double> prior_inclusion, slab_variance, noise_variance;
  bool anneal = false;
  Index steps = 50;
  double tolerance = 1e-5;
};

class PairedSearch {
 public:
  PairedSearch(const Problem& problem, const PairedRequest& request, const Control& control)
      : problem_(problem),
        request_(request),
        control_(control),
        scale_(problem),
        curvature_(column_curvature(problem, scale_)),
        field_(field_problem(), {}) {}

  Fit run() {
    if (!(field_.response_square() > 0)) {
      return null_fit(problem_, scale_, "the response is constant");
    }
    field_.start(initial());
    screening_pass(screened_);
    if (request_.anneal) anneal();
    refine_solution();
    return result();
  }

 private:
  MeanFieldProblem field_problem() const {
    return {.X = scale_.X(),
            .likelihood = problem_.likelihood,
            .y = problem_.y,
            .offset = problem_.offset,
            .weights = scale_.weights(),
            .samples = scale_.total_weight(),
            .intercept = problem_.intercept,
            .curvature = curvature_};
  }

  // pi0 = min(1/4, n / (10 p)), and the slab variance with which pi0 p features explain the whole response. From
  // pi = 1/4, or a slab variance fixed at 1, EM ends in the null model when p is large.
  MeanFieldParameters initial() const {
    const double p = static_cast<double>(problem_.X.cols());
    double mean = 0;
    for (const double chi : curvature_) mean += chi / p;
    const double inclusion = request_.prior_inclusion.value_or(std::min(0.25, scale_.total_weight() / (10 * p)));
    MeanFieldParameters hyper;
    hyper.prior.slab_is_normal = true;
    hyper.prior.log_odds = logit(inclusion);
    hyper.prior.slab_variance =
        request_.slab_variance.value_or(field_.response_square() / (inclusion * p * (mean > 0 ? mean : 1)));
    hyper.learn_odds = !request_.prior_inclusion && !request_.anneal;
    hyper.learn_slab = !request_.slab_variance;
    hyper.learn_noise = !request_.noise_variance;
    if (request_.noise_variance) hyper.noise_precision = 1 / *request_.noise_variance;
    return hyper;
  }

  double bound(const MeanFieldPoint& point) const { return field_.evidence_bound(point.free_energy, point.hyper); }

  bool follow(std::span<const SpikeSlab> priors, double from, double share) {
    while (!field_.interpolates() && field_.accepted() < std::ssize(priors)) {
      field_.solve_block(priors);
      screening_pass(screened_);
      if (control_.observer == nullptr) continue;
      const double done = static_cast<double>(field_.accepted()) / static_cast<double>(priors.size());
      control_.observer->progress(from + share * done, "path");
      cancelled_ = cancelled_ || control_.observer->cancelled();
      if (cancelled_) return false;
    }
    return true;
  }

  void anneal();
  void refine_solution();
  Fit result() const;

  const Problem& problem_;
  const PairedRequest& request_;
  const Control& control_;
  Standardization scale_;
  std::vector<double> curvature_;
  MeanFieldPath field_;
  std::vector<ScreenedProblem*> screened_{&field_};
  std::vector<MeanFieldPoint> forward_, backward_;
  std::vector<SpikeSlab> grid_;
  MeanFieldPoint solution_;
  bool cancelled_ = false, converged_ = false;
};

// Annealing and reheating as in Kappen & Gomez (2014), PMF-ANNEAL: prior inclusion from sparse to dense and back on a
// grid of log odds, slab and noise learned at each point. EM continues from the point of highest bound on the way back.
void PairedSearch::anneal() {
  const double p = static_cast<double>(problem_.X.cols());
  const double least = request_.prior_inclusion ? logit(*request_.prior_inclusion) : logit(0.1 / p);
  const double most = logit(0.99);
  SpikeSlab prior = initial().prior;
  for (Index k = 0; k < request_.steps; ++k) {
    prior.log_odds = least + (most - least) * static_cast<double>(k) / static_cast<double>(request_.steps - 1);
    grid_.push_back(prior);
  }
  follow(grid_, 0, 0.45);
  forward_ = field_.release_points();
  if (forward_.empty() || cancelled_) return;
  grid_.resize(forward_.size());
  field_.restart(forward_.back());
  follow(std::vector<SpikeSlab>(grid_.rbegin(), grid_.rend()), 0.45, 0.45);
  backward_ = field_.release_points();
  std::ranges::reverse(backward_);
  if (backward_.size() < grid_.size()) return;
  const auto best = request_.prior_inclusion
                        ? backward_.begin()
                        : std::ranges::max_element(backward_, {}, [&](const MeanFieldPoint& q) { return bound(q); });
  MeanFieldPoint from = *best;
  from.hyper.learn_odds = !request_.prior_inclusion;
  field_.restart(from);
}

// EM at the requested tolerance on all features: working set and pass over X in turn, until the pass changes neither
// the remainder nor the hyperparameters. most_passes bounds a remainder that keeps moving.
void PairedSearch::refine_solution() {
  field_.start_recording(request_.tolerance);
  const SpikeSlab prior = initial().prior;
  constexpr int most_passes = 500;
  for (int pass = 0; pass < most_passes && field_.accepted() == 0 && !field_.interpolates() && !cancelled_; ++pass) {
    field_.solve_block(std::span(&prior, 1));
    screening_pass(screened_);
    if (control_.observer == nullptr) continue;
    control_.observer->progress(0.9 + 0.1 * pass / most_passes, "polish");
    cancelled_ = control_.observer->cancelled();
  }
  const bool taken = field_.accepted() > 0;
  converged_ = taken && field_.points().back().certificate <= request_.tolerance;
  solution_ = taken ? field_.points().back() : field_.present_point();
}

Fit PairedSearch::result() const {
  Fit fit;
  fill_features(fit, scale_, field_.state(), solution_.intercept);
  const MeanFieldParameters& hyper = solution_.hyper;
  fit.objective = bound(solution_);
  fit.trace = field_.trace();
  for (Index k = 0; k < std::ssize(backward_); ++k) {
    const MeanFieldPoint& point = backward_[k];
    PathPoint& on_path = fit.path.emplace_back();
    on_path.value = logistic(grid_[k].log_odds);
    on_path.objective = bound(point);
    on_path.active = point.active;
    on_path.certificate = point.certificate;
  }
  if (!forward_.empty()) {
    std::vector<double> up, down;
    for (const MeanFieldPoint& point : forward_) up.push_back(bound(point));
    for (const MeanFieldPoint& point : backward_) down.push_back(bound(point));
    fit.hyper["path_forward_objective"] = std::move(up);
    fit.hyper["path_backward_objective"] = std::move(down);
  }
  if (problem_.likelihood.has_noise()) {
    fit.noise_variance = 1 / hyper.noise_precision;
    fit.hyper["noise_precision"] = hyper.noise_precision;
  }
  fit.hyper["prior_inclusion"] = logistic(hyper.prior.log_odds);
  fit.hyper["slab_variance"] = hyper.prior.slab_variance;
  fit.hyper["expected_features"] = solution_.total;
  fit.status = cancelled_ ? Status::cancelled : converged_ ? Status::converged : Status::iteration_limit;
  fit.message = fmt::format(
      "{}{} with inclusion probability above 0.5 (sum {:.4g}); prior inclusion {:.4g}, slab variance {:.4g}, "
      "evidence lower bound {:.6g}, last change {:.1e}",
      cancelled_ ? "cancelled; " : "", plural(solution_.active, "feature"), solution_.total,
      logistic(hyper.prior.log_odds), hyper.prior.slab_variance, fit.objective, solution_.certificate);
  if (static_cast<double>(problem_.X.cols()) > scale_.total_weight()) {
    fit.message +=
        fmt::format("; with more features than rows the bound may have higher maxima: compare with anneal={}",
                    request_.anneal ? "false" : "true");
  }
  return fit;
}

class PairedMeanField final : public Method {
 public:
  std::string_view name() const override { return "pmf"; }
  std::string estimator() const override { return "PairedMeanField"; }
  std::string_view summary() const override {
    return "Paired mean field: variational Bayes for spike-and-slab regression; prior and noise learned from the data";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> PairedMeanField::fields() const {
  return {
      Field::real("prior_inclusion", "fixed prior probability that a feature is included; default: learned", {}, 1e-12,
                  1 - 1e-6),
      Field::real("slab_variance",
                  "fixed prior variance of an included coefficient, for standardized columns; default: learned", {}, 0,
                  1e300,
                  /*open_minimum=*/true),
      Field::real("noise_variance", "fixed noise variance; default: learned", {}, 0, 1e300, true),
      Field::boolean("anneal", "anneal the prior inclusion from sparse to dense and back, to escape local optima",
                     false),
      Field::integer("steps", "anneal: number of prior inclusion values", 50.0, 2, 10000),
      Field::real("tolerance",
                  "convergence tolerance: change in the last iteration of an inclusion probability, of a coefficient "
                  "(in posterior standard deviations) or of a log hyperparameter",
                  1e-5, 1e-10, 1e-1),
  };
}

Fit PairedMeanField::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const PairedRequest request{.prior_inclusion = options.maybe_real("prior_inclusion"),
                              .slab_variance = options.maybe_real("slab_variance"),
                              .noise_variance = options.maybe_real("noise_variance"),
                              .anneal = options.boolean("anneal"),
                              .steps = options.integer("steps"),
                              .tolerance = options.real("tolerance")};
  if (request.noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(no_noise_message("noise_variance", problem.likelihood));
  }
  return PairedSearch(problem, request, control).run();
}

}  // namespace

const Method& pmf() {
  static const PairedMeanField method;
  return method;
}

}  // namespace tamis
