#include "method/mean_field/garrote_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "method/mean_field/fixed_point.hpp"
#include "method/mean_field/mean_field_fit.hpp"
#include "method/mean_field/mean_field_path.hpp"
#include "method/mean_field/moment_mean_field.hpp"
#include "problem/null_fit.hpp"
#include "problem/standardization.hpp"
#include "search/cv_score.hpp"
#include "search/fold_moments.hpp"
#include "search/folds.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

const std::vector<MeanFieldPoint> no_points;

/// Both directions of one path; at each gamma the one of lower free energy counts.
struct ForwardBackward {
  std::vector<MeanFieldPoint> forward, backward;

  const MeanFieldPoint& best(Index k) const {
    if (k >= std::ssize(backward)) return forward[k];
    return backward[k].free_energy < forward[k].free_energy ? backward[k] : forward[k];
  }
  Index size() const { return std::ssize(forward); }
};

class GarroteSearch {
 public:
  GarroteSearch(const Problem& problem, const GarroteRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control), scale_(problem) {}

  Fit run() {
    prepare();
    if (!(full().response_square() > 0)) return null_fit(problem_, scale_, "the response is constant");
    make_grid();
    if (request_.gamma) {
      solve_fixed();
    } else {
      follow_forward();
      follow_backward();
      choose();
      if (paths_.front().size() > 0) refine_solution();
    }
    return paths_.front().size() > 0 ? result() : nothing_on_path();
  }

 private:
  MeanFieldPathBase& full() const { return *team_.front(); }
  bool searches() const { return !request_.gamma && (control_.validation.X != nullptr || !folds_.fold_of_row.empty()); }

  void prepare() {
    curvature_ = column_curvature(problem_, scale_);
    if (!request_.gamma && control_.validation.X == nullptr && control_.folds > 1) {
      folds_ = make_folds(problem_, control_);
    }
    if (request_.solver == GarroteSolver::coordinate && moments_suffice(problem_, scale_)) {
      tall_ = take_fold_moments(problem_, scale_, folds_, products_);
    }
    add_member(scale_.weights(), {}, scale_.total_weight(), -1);
    for (int k = 0; k < folds_.count; ++k) {
      FoldWeights split = split_weights(folds_, k, scale_.weights());
      double kept = 0;
      for (Index i = 0; i < std::ssize(scale_.weights()); ++i)
        kept += split.validation_weights[i] > 0 ? 0.0 : scale_.weights()[i];
      add_member(std::move(split.training), std::move(split.validation_weights), kept * scale_.total_weight(), k);
    }
    // A fold whose training response does not vary says nothing about any gamma.
    if (std::ranges::any_of(team_, [](const auto& f) { return !(f->response_square() > 0); })) {
      team_.resize(1);
      folds_ = {};
    }
    paths_.resize(team_.size());
    MeanFieldParameters hyper;
    hyper.prior.slab_variance = request_.slab_variance;
    hyper.learn_noise = !request_.noise_precision;
    if (request_.noise_precision) hyper.noise_precision = *request_.noise_precision;
    each([&](MeanFieldPathBase& f) { f.start(hyper); });
    check();
  }

  // fold -1: all rows.
  void add_member(std::vector<double> weights, std::vector<double> validation_weights, double samples, int fold) {
    MeanFieldProblem field{.X = scale_.X(),
                           .likelihood = problem_.likelihood,
                           .y = problem_.y,
                           .offset = problem_.offset,
                           .weights = std::move(weights),
                           .validation_weights = std::move(validation_weights),
                           .samples = samples,
                           .intercept = problem_.intercept,
                           .curvature = curvature_};
    if (tall_) {
      const CrossProducts<float>* held_out = fold < 0 ? nullptr : &products_.parts[fold];
      team_.push_back(std::make_unique<MomentMeanField>(std::move(field), products_.total, held_out));
    } else if (request_.solver == GarroteSolver::coordinate) {
      // A fold only says how well a gamma predicts: it is looked at less often, and less closely.
      const MeanFieldPathSettings of_folds{
          .check_every = 8, .least_in_fit = 1e-3, .remainder_tolerance = 0.5, .sweep_tolerance = 1e-4};
      team_.push_back(std::make_unique<MeanFieldPath>(std::move(field), fold < 0 ? MeanFieldPathSettings() : of_folds));
    } else {
      team_.push_back(std::make_unique<FixedPoint>(std::move(field), request_.solver == GarroteSolver::dual));
    }
  }

  void each(const std::function<void(MeanFieldPathBase&)>& work) {
    parallel_for(std::ssize(team_), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) work(*team_[k]);
    });
  }

  void check() {
    std::vector<ScreenedProblem*> waiting;
    for (const auto& f : team_) waiting.push_back(f.get());
    screening_pass(std::span<ScreenedProblem* const>(waiting));
  }

  // From where the strongest feature alone would have inclusion epsilon, in equal steps to near even odds.  // Eq. 13
  void make_grid() {
    least_ = logit(request_.epsilon) - full().strongest();
    const double steps = static_cast<double>(request_.steps);
    for (Index k = 0; k < request_.steps; ++k) {
      add_gamma(least_ * (1 - (steps > 1 ? 0.98 * static_cast<double>(k) / (steps - 1) : 0)));
    }
  }
  void add_gamma(double gamma) {
    // Separable classes would take a weight to infinity; five logits per sd of a feature is further than data go.
    constexpr double weight_variance = 25;
    grid_.push_back({.log_odds = gamma,
                     .slab_variance = request_.slab_variance,
                     .weight_variance = problem_.likelihood.has_noise() ? 0 : weight_variance});
  }

  bool tell(double fraction) {
    if (control_.observer == nullptr) return true;
    control_.observer->progress(std::min(1.0, fraction), "path");
    cancelled_ = cancelled_ || control_.observer->cancelled();
    return !cancelled_;
  }

  // Solves until every member has accepted all of `priors`, or has collapsed.
  void follow(std::span<const SpikeSlab> priors, double from, double share, bool warm_start_candidates = false) {
    const auto done = [&](const MeanFieldPathBase& f) {
      return f.interpolates() || f.accepted() == std::ssize(priors);
    };
    while (!std::ranges::all_of(team_, [&](const auto& f) { return done(*f); })) {
      parallel_for(std::ssize(team_), 1, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
          if (!done(*team_[k])) team_[k]->solve_block(priors, warm_start_candidates ? rivals_[k] : no_points);
        }
      });
      check();
      Index least = priors.size();
      for (const auto& f : team_) least = std::min(least, done(*f) ? least : f->accepted());
      if (!tell(from + share * static_cast<double>(least) / static_cast<double>(priors.size()))) return;
    }
  }

  void follow_forward() {
    follow(grid_, 0, 0.5);
    for (Index k = 0; k < std::ssize(team_); ++k) paths_[k].forward = team_[k]->release_points();
    shorten();
  }

  // Where one fold's path ends the others cannot be judged.
  void shorten() {
    Index length = grid_.size();
    for (const ForwardBackward& path : paths_) length = std::min(length, path.size());
    ended_early_ = length < std::ssize(grid_);
    for (ForwardBackward& path : paths_) path.forward.resize(length);
    grid_.resize(length);
  }

  void follow_backward() {
    if (grid_.empty() || cancelled_) return;
    rivals_.clear();
    for (Index k = 0; k < std::ssize(team_); ++k) {
      team_[k]->restart(paths_[k].forward.back());
      rivals_.emplace_back(paths_[k].forward.rbegin(), paths_[k].forward.rend());
    }
    const std::vector<SpikeSlab> down(grid_.rbegin(), grid_.rend());
    follow(down, 0.5, 0.5, /*rivals=*/true);
    rivals_.clear();
    for (Index k = 0; k < std::ssize(team_); ++k) {
      std::vector<MeanFieldPoint> points = team_[k]->release_points();
      if (points.size() < grid_.size()) continue;  // cancelled on the way
      std::ranges::reverse(points);
      paths_[k].backward = std::move(points);
    }
  }

  void solve_fixed();
  bool settle_at_gamma(std::vector<MeanFieldPoint>& out);
  void take_solution(const MeanFieldPoint& point);
  void choose();
  CvScore score_on_validation(const MeanFieldPoint& point) const;
  void refine_solution();
  Fit nothing_on_path() const;
  Fit result() const;
  void fill_path(Fit& fit) const;

  const Problem& problem_;
  const GarroteRequest& request_;
  const Control& control_;
  Standardization scale_;
  std::vector<double> curvature_;
  Folds folds_;
  FoldMoments products_;  // where X is tall
  bool tall_ = false;
  std::vector<std::unique_ptr<MeanFieldPathBase>> team_;
  std::vector<ForwardBackward> paths_;  // of each member
  std::vector<std::vector<MeanFieldPoint>> rivals_;
  double least_ = 0;
  std::vector<SpikeSlab> grid_;
  bool ended_early_ = false, cancelled_ = false;
  std::vector<CvScore> cv_scores_;
  Index chosen_ = 0;
  MeanFieldPoint solution_;
  bool settled_ = false;
  FeaturePosteriors state_;
  std::vector<TracePoint> trace_;
};

// At a given gamma the path is followed in the working set alone, upwards to gamma, and again from above; only gamma
// itself is checked against all of X.
void GarroteSearch::solve_fixed() {
  std::vector<SpikeSlab> below, above;
  for (const SpikeSlab& prior : grid_) (prior.log_odds < *request_.gamma ? below : above).push_back(prior);
  grid_.clear();
  add_gamma(*request_.gamma);
  full().solve_on_working_set(below);
  if (!settle_at_gamma(paths_.front().forward)) return;
  const double from_below = solution_.free_energy;
  full().stop_recording();
  std::vector<MeanFieldPoint> upwards = full().solve_on_working_set(above);
  above.resize(upwards.size());
  std::ranges::reverse(upwards);
  full().solve_on_working_set(std::vector<SpikeSlab>(above.rbegin(), above.rend()), upwards);
  full().solve_on_working_set(grid_);
  if (full().present_free_energy() < from_below - 1e-6 * std::abs(from_below)) {
    settle_at_gamma(paths_.front().backward);
  }
}

// From the present state, exactly; the solution, if it is better than what there was.
bool GarroteSearch::settle_at_gamma(std::vector<MeanFieldPoint>& out) {
  full().start_recording(request_.tolerance);
  follow(grid_, 0, 1);
  if (full().accepted() == 0) return false;
  out = full().release_points();
  if (trace_.empty() || out.front().free_energy < solution_.free_energy) take_solution(out.front());
  return true;
}

void GarroteSearch::take_solution(const MeanFieldPoint& point) {
  solution_ = point;
  settled_ = point.certificate <= request_.tolerance;
  state_ = full().state();
  trace_ = full().trace();
}

CvScore GarroteSearch::score_on_validation(const MeanFieldPoint& point) const {
  std::vector<Index> columns;
  std::vector<double> values;
  double intercept = point.intercept;
  for (Index s = 0; s < std::ssize(point.features); ++s) {
    const Index j = point.features[s];
    columns.push_back(j);
    values.push_back(scale_.to_original(j, logistic(point.logits[s]) * point.means[s]));
    intercept -= values.back() * scale_.center(j);
  }
  std::vector<double> eta(control_.validation.y.size(), intercept);
  control_.validation.X->multiply_add(Columns(columns), std::span<const double>(values), std::span<double>(eta));
  return score_rows(problem_.likelihood, control_.validation, eta);
}

void GarroteSearch::choose() {
  chosen_ = paths_.front().size() - 1;
  if (!searches()) return;
  std::vector<std::vector<double>> errors_of_folds;
  for (Index k = 0; k < paths_.front().size(); ++k) {
    if (control_.validation.X != nullptr) {
      cv_scores_.push_back(score_on_validation(paths_.front().best(k)));
    } else {
      std::vector<double>& errors = errors_of_folds.emplace_back();
      for (Index f = 1; f < std::ssize(paths_); ++f) errors.push_back(paths_[f].best(k).held_out);
      cv_scores_.push_back(score_folds(errors));
    }
  }
  if (cv_scores_.empty()) return;
  chosen_ = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
  // A feature that the folds do not miss is more often a false one than one too many.
  if (!request_.one_standard_error && !errors_of_folds.empty()) chosen_ = simplest_within_tie(errors_of_folds, chosen_);
}

// The chosen point again, to the tolerance that was asked for, with the state of every feature.
void GarroteSearch::refine_solution() {
  const MeanFieldPoint chosen = paths_.front().best(chosen_);
  full().restart(chosen);
  full().start_recording(request_.tolerance);
  std::vector<ScreenedProblem*> alone{team_.front().get()};
  while (full().accepted() == 0 && !full().interpolates()) {
    full().solve_block(std::span(&chosen.hyper.prior, 1));
    screening_pass(std::span<ScreenedProblem* const>(alone));
  }
  if (full().accepted() > 0) return take_solution(full().points().back());
  full().restart(chosen);  // it was on the brink of a collapse
  take_solution(chosen);
  settled_ = false;
}

Fit GarroteSearch::nothing_on_path() const {
  const std::string why =
      request_.gamma ? fmt::format("at gamma {:.4g} the included features interpolate the data; use a smaller gamma",
                                   *request_.gamma)
                     : "every solution on the path interpolates the data; there are too few rows to select features";
  Fit fit = null_fit(problem_, scale_, why);
  if (cancelled_) fit.status = Status::cancelled;
  return fit;
}

void GarroteSearch::fill_path(Fit& fit) const {
  const ForwardBackward& path = paths_.front();
  std::vector<double> forward, backward, training;
  for (Index k = 0; k < path.size(); ++k) {
    const MeanFieldPoint& point = path.best(k);
    PathPoint& on_path = fit.path.emplace_back();
    on_path.value = grid_[k].log_odds;
    on_path.objective = point.free_energy;
    on_path.active = point.active;
    on_path.certificate = point.certificate;
    if (k < std::ssize(cv_scores_)) {
      on_path.validation_error = cv_scores_[k].mean;
      on_path.validation_se = cv_scores_[k].standard_error;
    }
    forward.push_back(path.forward[k].free_energy);
    if (!path.backward.empty()) backward.push_back(path.backward[k].free_energy);
    training.push_back(point.training_error);
  }
  fit.hyper["path_forward_objective"] = std::move(forward);
  if (!backward.empty()) fit.hyper["path_backward_objective"] = std::move(backward);
  fit.hyper["path_training_error"] = std::move(training);
}

Fit GarroteSearch::result() const {
  Fit fit;
  FeaturePosteriors state = state_;
  state.variances = weight_variances(problem_, scale_, curvature_, state, solution_);
  fill_features(fit, scale_, state, solution_.intercept);
  fill_path(fit);
  fit.objective = solution_.free_energy;
  fit.trace = trace_;
  fit.hyper["gamma"] = solution_.hyper.prior.log_odds;
  if (problem_.likelihood.has_noise()) {
    fit.noise_variance = 1 / solution_.hyper.noise_precision;
    fit.hyper["noise_precision"] = solution_.hyper.noise_precision;
  }
  fit.hyper["expected_features"] = solution_.total;
  fit.status = cancelled_ ? Status::cancelled : settled_ ? Status::converged : Status::iteration_limit;
  std::string how = "fixed";
  if (!request_.gamma) {
    how = cv_scores_.empty() ? "last point of the path; no cross-validation"
                             : how_chosen(cv_scores_[chosen_], request_.one_standard_error, folds_.count);
  }
  fit.message = fmt::format(
      "{}{} with inclusion probability above 0.5 ({:.4g} expected) at gamma {:.4g} ({}); free energy {:.6g}, last "
      "change {:.1e}",
      cancelled_ ? "cancelled; " : "", plural(solution_.active, "feature"), solution_.total,
      solution_.hyper.prior.log_odds, how, solution_.free_energy, fit.trace.empty() ? 0.0 : fit.trace.back().change);
  return fit;
}

}  // namespace

Fit fit_garrote(const Problem& problem, const GarroteRequest& request, const Control& control) {
  if (!problem.likelihood.has_noise()) {
    if (request.noise_precision) throw InvalidOption(no_noise("noise_precision", problem.likelihood));
    if (request.solver != GarroteSolver::coordinate) {
      throw InvalidOption(
          fmt::format("solver: primal and dual require family gaussian; received {}; use solver=coordinate",
                      problem.likelihood.name()));
    }
  }
  return GarroteSearch(problem, request, control).run();
}

}  // namespace tamis
