// vg from a Problem to a Fit: the path of gamma, its choice, and the returned solution. Model: garrote_search.hpp.
// Algorithm  grid of gamma (Eq. 13), one solver for all rows and one per fold; forward pass until one interpolates;
//            backward pass, at each gamma from the lower F of both (hysteresis); choice of gamma; the chosen point
//            again
// Invariant  one screening pass over X checks the blocks of all solvers, so folds cost no passes of their own
#include "method/mean_field/garrote_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <tuple>

#include "method/mean_field/fixed_point.hpp"
#include "method/mean_field/forward_backward.hpp"
#include "method/mean_field/mean_field_fit.hpp"
#include "method/mean_field/mean_field_path.hpp"
#include "method/mean_field/moment_mean_field.hpp"
#include "problem/null_fit.hpp"
#include "problem/standardization.hpp"
#include "search/cv_score.hpp"
#include "search/fold_moments.hpp"
#include "search/folds.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

const std::vector<MeanFieldPoint> no_points;
// A path whose last gamma is the best is extended up to so many times its steps: beyond the same distance on the other
// side of even odds.
constexpr Index most_extension = 3;

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
      while (is_at_the_end() && extend()) {
      }
      if (paths_.front().size() > 0) refine_solution();
    }
    return paths_.front().size() > 0 ? result() : nothing_on_path();
  }

 private:
  MeanFieldPathBase& full() const { return *solvers_.front(); }
  bool searches() const { return !request_.gamma && (control_.validation.X != nullptr || !folds_.fold_of_row.empty()); }

  void prepare() {
    curvature_ = column_curvature(problem_, scale_);
    if (!request_.gamma && control_.validation.X == nullptr && control_.folds > 1) {
      folds_ = make_folds(problem_, control_);
    }
    if (request_.solver == GarroteSolver::coordinate && moments_suffice(problem_, scale_)) {
      tall_ = take_fold_moments(problem_, scale_, folds_, products_);
    }
    add_solver(scale_.weights(), {}, scale_.total_weight(), -1);
    for (int k = 0; k < folds_.count; ++k) {
      FoldWeights split = split_weights(folds_, k, scale_.weights());
      double kept = 0;
      for (Index i = 0; i < std::ssize(scale_.weights()); ++i)
        kept += split.validation_weights[i] > 0 ? 0.0 : scale_.weights()[i];
      add_solver(std::move(split.training), std::move(split.validation_weights), kept * scale_.total_weight(), k);
    }
    // A fold whose training response is constant has no path.
    if (std::ranges::any_of(solvers_, [](const auto& f) { return !(f->response_square() > 0); })) {
      solvers_.resize(1);
      folds_ = {};
    }
    paths_.resize(solvers_.size());
    MeanFieldParameters hyper;
    hyper.prior.slab_variance = request_.slab_variance;
    hyper.learn_noise = !request_.noise_precision;
    if (request_.noise_precision) hyper.noise_precision = *request_.noise_precision;
    parallel_for(std::ssize(solvers_), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) solvers_[k]->start(hyper);
    });
    check();
  }

  // fold -1: all rows. Solver: moments where they suffice, else the working set; the paper's equations if requested.
  void add_solver(std::vector<double> weights, std::vector<double> validation_weights, double samples, int fold) {
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
      solvers_.push_back(std::make_unique<MomentMeanField>(std::move(field), products_.total, held_out));
    } else if (request_.solver == GarroteSolver::coordinate) {
      // Errors of folds checked once in eight agree with those of full checks to three digits (docs/decisions/0005).
      const MeanFieldPathSettings of_folds{
          .check_every = 8, .least_in_fit = 1e-3, .remainder_tolerance = 0.5, .sweep_tolerance = 1e-4};
      const MeanFieldPathSettings settings = fold < 0 ? MeanFieldPathSettings() : of_folds;
      solvers_.push_back(std::make_unique<MeanFieldPath>(std::move(field), settings));
    } else {
      solvers_.push_back(std::make_unique<FixedPoint>(std::move(field), request_.solver == GarroteSolver::dual));
    }
  }

  void check() {
    std::vector<ScreenedProblem*> waiting;
    for (const auto& f : solvers_) waiting.push_back(f.get());
    screening_pass(std::span<ScreenedProblem* const>(waiting));
  }

  // logit(epsilon) - beta p max_i b_i^2 / (2 chi_ii), then equal steps up to 2 % of it, near even odds.  // Eq. 13
  void make_grid() {
    const double least = logit(request_.epsilon) - full().strongest();
    const double steps = static_cast<double>(request_.steps);
    for (Index k = 0; k < request_.steps; ++k) {
      add_gamma(least * (1 - (steps > 1 ? 0.98 * static_cast<double>(k) / (steps - 1) : 0)));
    }
  }
  void add_gamma(double gamma) {
    // Separable classes have no finite optimum under a flat slab; N(0, 25) is wide: five logits per sd of a feature.
    constexpr double weight_variance = 25;
    grid_.push_back({.log_odds = gamma,
                     .slab_variance = request_.slab_variance,
                     .weight_variance = problem_.likelihood.has_noise() ? 0 : weight_variance});
  }

  bool report_progress(double fraction) {
    if (control_.observer == nullptr) return true;
    control_.observer->progress(std::min(1.0, fraction), "path");
    ended_.cancelled = ended_.cancelled || control_.observer->cancelled();
    return !ended_.cancelled;
  }

  // Solves a block of priors per solver and checks them together, until all have accepted `priors` or interpolate.
  void follow(std::span<const SpikeSlab> priors, double from, double share, bool uses_candidates = false) {
    const auto done = [&](const MeanFieldPathBase& f) {
      return f.interpolates() || f.accepted() == std::ssize(priors);
    };
    while (!std::ranges::all_of(solvers_, [&](const auto& f) { return done(*f); })) {
      parallel_for(std::ssize(solvers_), 1, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
          if (!done(*solvers_[k]))
            solvers_[k]->solve_block(priors, uses_candidates ? warm_start_candidates_[k] : no_points);
        }
      });
      check();
      Index least = priors.size();
      for (const auto& f : solvers_) least = std::min(least, done(*f) ? least : f->accepted());
      if (!report_progress(from + share * static_cast<double>(least) / static_cast<double>(priors.size()))) return;
    }
  }

  void follow_forward() {
    follow(grid_, 0, 0.5);
    for (Index k = 0; k < std::ssize(solvers_); ++k) paths_[k].forward = solvers_[k]->release_points();
    stop_at_noiseless();
    truncate_grid();
  }

  // A point that leaves no noise, and not by accident, needs no cross-validation, whose folds may have too few rows to
  // find it: the path of all rows ends there.
  void stop_at_noiseless() {
    if (folds_.fold_of_row.empty() || !problem_.likelihood.has_noise() || request_.noise_precision) return;
    const Index first = noiseless_point();
    if (first < 0) return;
    paths_.front().forward.resize(first + 1);
    paths_.front().is_noiseless = true;
    paths_.resize(1);
    solvers_.resize(1);
    folds_ = {};
  }
  Index noiseless_point() const {
    return first_noiseless(paths_.front(), full().response_square(), problem_.y, scale_.weights(), scale_.X().cols());
  }

  // The error may still fall at the last gamma, if all paths got there.
  bool is_at_the_end() const {
    return searches() && !ended_.cancelled && !ended_.early && chosen_ + 1 == std::ssize(grid_) &&
           std::ssize(grid_) < most_extension * request_.steps && grid_.back().log_odds < largest_gamma;
  }

  // Half as many gammas again at the distance of the others, from the dense end, and all the way back from there.
  // Beyond even odds every feature comes in: without a clear gain, fold by fold, all is as it was, and false.
  bool extend() {
    const auto before = std::tuple(grid_, paths_, cv_scores_, chosen_);
    const double last = grid_.back().log_odds, step = (last - grid_.front().log_odds) / double(std::ssize(grid_) - 1);
    const Index solved = std::ssize(grid_), count = std::max<Index>(1, request_.steps / 2);
    for (Index k = 1; k <= count && grid_.back().log_odds < largest_gamma; ++k) {
      add_gamma(std::min(last + static_cast<double>(k) * step, largest_gamma));
    }
    for (Index k = 0; k < std::ssize(solvers_); ++k) solvers_[k]->restart(paths_[k].forward.back());
    follow(std::span(grid_).subspan(solved), 0, 0.5);
    for (Index k = 0; k < std::ssize(solvers_); ++k) {
      std::ranges::move(solvers_[k]->release_points(), std::back_inserter(paths_[k].forward));
      paths_[k].backward.clear();
    }
    truncate_grid();
    follow_backward();
    cv_scores_.clear();
    choose();
    const auto& [grid, paths, scores, chosen] = before;
    const CvScore gain = paths_.size() > 1 ? paired_gain(paths, chosen, paths_, chosen_)
                                           : CvScore{scores[chosen].mean - cv_scores_[chosen_].mean, 0};
    if (!ended_.cancelled && gain.mean > gain.standard_error) return true;
    std::tie(grid_, paths_, cv_scores_, chosen_) = before;
    return false;
  }

  // Errors need all folds: the grid ends where the first path does.
  void truncate_grid() {
    Index length = grid_.size();
    for (const ForwardBackward& path : paths_) length = std::min(length, path.size());
    ended_.early = length < std::ssize(grid_);
    for (ForwardBackward& path : paths_) path.forward.resize(length);
    grid_.resize(length);
  }

  void follow_backward() {
    if (grid_.empty() || ended_.cancelled) return;
    warm_start_candidates_.clear();
    for (Index k = 0; k < std::ssize(solvers_); ++k) {
      solvers_[k]->restart(paths_[k].forward.back());
      warm_start_candidates_.emplace_back(paths_[k].forward.rbegin(), paths_[k].forward.rend());
    }
    const std::vector<SpikeSlab> down(grid_.rbegin(), grid_.rend());
    follow(down, 0.5, 0.5, /*uses_candidates=*/true);
    warm_start_candidates_.clear();
    for (Index k = 0; k < std::ssize(solvers_); ++k) {
      std::vector<MeanFieldPoint> points = solvers_[k]->release_points();
      if (points.size() < grid_.size()) continue;  // cancelled on the way
      std::ranges::reverse(points);
      paths_[k].backward = std::move(points);
    }
  }

  void solve_fixed();
  bool solve_at_gamma(std::vector<MeanFieldPoint>& out);
  void store_solution(const MeanFieldPoint& point);
  void choose();
  void refine_solution();
  Fit nothing_on_path() const;
  Fit result() const;

  const Problem& problem_;
  const GarroteRequest& request_;
  const Control& control_;
  Standardization scale_;
  std::vector<double> curvature_;
  Folds folds_;
  FoldMoments products_;  // where X is tall
  std::vector<std::unique_ptr<MeanFieldPathBase>> solvers_;
  std::vector<ForwardBackward> paths_;  // of each solver
  std::vector<std::vector<MeanFieldPoint>> warm_start_candidates_;
  std::vector<SpikeSlab> grid_;
  bool tall_ = false;
  struct {
    bool cancelled = false, converged = false, early = false;  // early: a path interpolated before the last gamma
  } ended_;
  std::vector<CvScore> cv_scores_;
  Index chosen_ = 0;
  MeanFieldPoint solution_;
  FeaturePosteriors state_;
  std::vector<TracePoint> trace_;
};

// A fixed gamma needs the path as a continuation through local optima, from the sparse end and back from the dense one,
// on the working set alone. Only gamma itself is checked against all of X.
void GarroteSearch::solve_fixed() {
  std::vector<SpikeSlab> below, above;
  for (const SpikeSlab& prior : grid_) (prior.log_odds < *request_.gamma ? below : above).push_back(prior);
  grid_.clear();
  add_gamma(*request_.gamma);
  full().solve_on_working_set(below);
  if (!solve_at_gamma(paths_.front().forward)) return;
  const double from_below = solution_.free_energy;
  full().stop_recording();
  std::vector<MeanFieldPoint> upwards = full().solve_on_working_set(above);
  above.resize(upwards.size());
  std::ranges::reverse(upwards);
  full().solve_on_working_set(std::vector<SpikeSlab>(above.rbegin(), above.rend()), upwards);
  full().solve_on_working_set(grid_);
  if (full().present_free_energy() < from_below - 1e-6 * std::abs(from_below)) {
    solve_at_gamma(paths_.front().backward);
  }
}

// From the present state, exactly; the solution, if it is better than what there was.
bool GarroteSearch::solve_at_gamma(std::vector<MeanFieldPoint>& out) {
  full().start_recording(request_.tolerance);
  follow(grid_, 0, 1);
  if (full().accepted() == 0) return false;
  out = full().release_points();
  if (trace_.empty() || out.front().free_energy < solution_.free_energy) store_solution(out.front());
  return true;
}

void GarroteSearch::store_solution(const MeanFieldPoint& point) {
  solution_ = point;
  ended_.converged = point.certificate <= request_.tolerance;
  state_ = full().state();
  trace_ = full().trace();
}

void GarroteSearch::choose() {
  const Index first = paths_.front().is_noiseless ? noiseless_point() : -1;
  chosen_ = first >= 0 ? first : paths_.front().size() - 1;
  if (!searches()) return;
  std::vector<std::vector<double>> errors_of_folds;
  for (Index k = 0; k < paths_.front().size(); ++k) {
    if (control_.validation.X != nullptr) {
      cv_scores_.push_back(score_on(problem_, scale_, control_.validation, paths_.front().best(k)));
    } else {
      std::vector<double>& errors = errors_of_folds.emplace_back();
      for (Index f = 1; f < std::ssize(paths_); ++f) errors.push_back(paths_[f].best(k).held_out);
      cv_scores_.push_back(score_folds(errors));
    }
  }
  if (cv_scores_.empty()) return;
  chosen_ = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
  // Compared fold by fold, as errors are correlated; a feature that can be left out at no cost is more often false.
  if (!request_.one_standard_error && !errors_of_folds.empty()) chosen_ = simplest_within_tie(errors_of_folds, chosen_);
}

// The chosen point again, to the tolerance that was asked for, with the state of every feature.
void GarroteSearch::refine_solution() {
  const MeanFieldPoint chosen = paths_.front().best(chosen_);
  full().restart(chosen);
  full().start_recording(request_.tolerance);
  std::vector<ScreenedProblem*> alone{solvers_.front().get()};
  while (full().accepted() == 0 && !full().interpolates()) {
    full().solve_block(std::span(&chosen.hyper.prior, 1));
    screening_pass(std::span<ScreenedProblem* const>(alone));
  }
  if (full().accepted() > 0) return store_solution(full().points().back());
  full().restart(chosen);  // at this tolerance it interpolates: the path's solution is returned as not converged
  store_solution(chosen);
  ended_.converged = false;
}

Fit GarroteSearch::nothing_on_path() const {
  const std::string why =
      request_.gamma ? fmt::format("at gamma {:.4g} the included features interpolate the data; use a smaller gamma",
                                   *request_.gamma)
                     : "every solution on the path interpolates the data; there are too few rows to select features";
  Fit fit = null_fit(problem_, scale_, why);
  if (ended_.cancelled) fit.status = Status::cancelled;
  return fit;
}

Fit GarroteSearch::result() const {
  Fit fit;
  FeaturePosteriors state = state_;
  state.variances = weight_variances(problem_, scale_, curvature_, state, solution_);
  fill_features(fit, scale_, state, solution_.intercept);
  describe_path(fit, paths_.front(), grid_, cv_scores_);
  fit.objective = solution_.free_energy;
  fit.trace = trace_;
  fit.hyper["gamma"] = solution_.hyper.prior.log_odds;
  if (problem_.likelihood.has_noise()) {
    fit.noise_variance = 1 / solution_.hyper.noise_precision;
    fit.hyper["noise_precision"] = solution_.hyper.noise_precision;
  }
  fit.hyper["expected_features"] = solution_.total;
  fit.status = ended_.cancelled ? Status::cancelled : ended_.converged ? Status::converged : Status::iteration_limit;
  const std::string how = request_.gamma                ? "fixed"
                          : paths_.front().is_noiseless ? "the smallest that leaves no noise"
                          : cv_scores_.empty()
                              ? "last point of the path; no cross-validation"
                              : how_chosen(cv_scores_[chosen_], request_.one_standard_error, folds_.count);
  fit.message = fmt::format(
      "{}{} with inclusion probability above 0.5 (sum {:.4g}) at gamma {:.4g} ({}); free energy {:.6g}, last "
      "change {:.1e}",
      ended_.cancelled ? "cancelled; " : "", plural(solution_.active, "feature"), solution_.total,
      solution_.hyper.prior.log_odds, how, solution_.free_energy, fit.trace.empty() ? 0.0 : fit.trace.back().change);
  return fit;
}

}  // namespace

Fit fit_garrote(const Problem& problem, const GarroteRequest& request, const Control& control) {
  return GarroteSearch(problem, request, control).run();
}

}  // namespace tamis
