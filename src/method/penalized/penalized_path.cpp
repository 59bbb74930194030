// Lasso and elastic net: path, cross-validation, and the final solution with its certificate.
//
// Model      min  sum_i w_i loss_i + penalty sum_j f_j (l1_ratio |b_j| + (1 - l1_ratio) / 2 b_j^2), w summing to 1
// Algorithm  1 geometric penalties from the largest that selects anything
//            2 full data and all folds advance in blocks of penalties; one pass X'R checks them all    (screening_pass)
//            3 held-out deviance per point; stop past its minimum, or when the deviance is saturated
//            4 choose by rule, solve the chosen point again to the requested tolerance, clean its support
// Folds      are weights on the full X, not copies: held-out rows have weight 0. So all problems share passes over X,
//            and standardization, hence the penalty scale, is that of the full data.
// Tall data  (n >> p, gaussian) needs X'X and X'y of the folds only: no pass over X after the first  (MomentPath)
// Returned   with KKT violation on all p features and relative duality gap as certificates.
// Paper      Friedman, Hastie & Tibshirani (2010) JSS 33(1).
#include "method/penalized/penalized_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "method/penalized/path_parts.hpp"
#include "problem/standardization.hpp"
#include "search/cv_score.hpp"
#include "search/fold_moments.hpp"
#include "search/folds.hpp"
#include "search/path_result.hpp"
#include "solver/path/lasso_path.hpp"
#include "solver/path/moment_path.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// Tolerances on the path, where points are only compared (dense: once the support is large); the returned point gets
// its own.
constexpr double path_tolerance = 1e-5;
constexpr double path_dense_tolerance = 5e-3;
// For tall data, relative to the penalty, which there ends far below the noise; the resulting duality gaps are a
// ninetieth of glmnet's (problem C of the benchmarks, largest of the path).
constexpr double tall_dense_tolerance = 2e-2;

// |b| scales with y and b^2 with its square, so the mix of the two penalties depends on the unit of y. On a path
// l1_ratio is meant for a response of unit variance, as in glmnet; a fixed penalty and ratio are taken literally.
PathRequest in_units_of_response(const Problem& problem, PathRequest request) {
  if (request.l1_ratio == 1 || request.penalty || !problem.likelihood.is_quadratic()) return request;
  // With l1_ratio a and spread s of y, a |b/s| + (1 - a) / 2 (b/s)^2 is proportional to the elastic net of ratio
  // a s / (a s + 1 - a) in b.
  double total = 0, mean = 0, squares = 0;
  const auto weight = [&](std::size_t i) { return problem.weights.empty() ? 1.0 : problem.weights[i]; };
  const auto response = [&](std::size_t i) {
    return problem.y[i] - (problem.offset.empty() ? 0.0 : problem.offset[i]);
  };
  for (Index i = 0; i < std::ssize(problem.y); ++i) {
    total += weight(i);
    if (problem.intercept) mean += weight(i) * response(i);
  }
  mean /= total;
  for (Index i = 0; i < std::ssize(problem.y); ++i) squares += weight(i) / total * std::pow(response(i) - mean, 2);
  const double spread = std::sqrt(squares);
  if (spread > 0) request.l1_ratio = request.l1_ratio * spread / (request.l1_ratio * spread + 1 - request.l1_ratio);
  return request;
}

// Problem 0 is the full data, problem k + 1 leaves fold k out (paths_ and problems_). Points below slowest() are solved
// in all problems; cv_scores_ and losses_ cover a prefix of them. path_ and chosen_ are set by choose().
class PathSearch {
 public:
  PathSearch(const Problem& problem, const PathRequest& request, const Control& control)
      : problem_(problem), request_(in_units_of_response(problem, request)), control_(control), scale_(problem) {}

  Fit run() {
    prepare();
    make_grid();
    run_path();
    choose();
    polish();
    paths_.clear();  // their memory is not needed beside the fit's
    return result();
  }

  // Given penalties on the full data; nothing is chosen or solved again.
  std::vector<PenalizedSolution> run_on(std::vector<double> penalties) {
    prepare();
    grid_ = std::move(penalties);
    run_path();
    return full().release_solutions();
  }

 private:
  bool searches() const {
    return !request_.penalty && (control_.validation.X != nullptr || !folds_.fold_of_row.empty());
  }

  PenalizedLoss loss_with(std::vector<double> weights) const {
    PenalizedLoss loss = penalized_loss(problem_, scale_, std::move(weights), request_.nonnegative);
    loss.l1_ratio = request_.l1_ratio;
    return loss;
  }

  PenalizedLoss fold_loss(int fold) const {
    PenalizedLoss loss = penalized_loss_of_fold(problem_, scale_, folds_, fold, request_.nonnegative);
    loss.l1_ratio = request_.l1_ratio;
    return loss;
  }

  void prepare() {
    saturated_ = saturated_loss(problem_.likelihood, problem_.y, scale_.weights());
    if (!request_.penalty && control_.validation.X == nullptr && control_.folds > 1) {
      folds_ = make_folds(problem_, control_);
    }
    if (!make_moment_paths()) make_lasso_paths();
    for (const auto& f : paths_) problems_.push_back(f.get());
    each([](PenaltyPath& f) { f.start(); });
    screening_pass(problems_);
  }

  // Ten folds at 5 to 8 % of the memory of X together: Gram entries are kept per problem, since weights differ.
  void make_lasso_paths() {
    paths_.push_back(std::make_unique<LassoPath>(loss_with(scale_.weights()), settings_));
    PathSettings together = settings_;
    together.longest_block = 4;  // with ten folds the panel X'R is wide enough
    together.check_every = 2;
    // Dense columns: a Gram entry saves a long dot product every time it is used, and is worth more memory.
    const bool dense = 4 * scale_.X().stored_per_column() > static_cast<double>(problem_.X.rows());
    together.gram_share = (dense ? 0.08 : 0.05) / (folds_.count + 1);
    together.keep_coefficients = false;
    for (int k = 0; k < folds_.count; ++k) {
      paths_.push_back(std::make_unique<LassoPath>(fold_loss(k), together));
    }
  }

  bool make_moment_paths() {
    // Fold by fold the moments add up: training moments are the total less the part of the fold.
    if (!moments_suffice(problem_, scale_) || !take_fold_moments(problem_, scale_, folds_, products_)) return false;
    PathSettings settings = settings_;
    settings.dense_tolerance = tall_dense_tolerance;
    paths_.push_back(std::make_unique<MomentPath>(loss_with({}), settings, products_.total, nullptr));
    settings.keep_coefficients = false;
    for (const CrossProducts<float>& part : products_.parts) {
      paths_.push_back(std::make_unique<MomentPath>(loss_with({}), settings, products_.total, &part));
    }
    return true;
  }

  void each(const std::function<void(PenaltyPath&)>& work) {
    parallel_for(std::ssize(problems_), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) work(*problems_[k]);
    });
  }

  // Geometric, as in glmnet: coefficients change about evenly per step of the log penalty. The ratio is .0001 where the
  // unpenalized fit exists (n >= p), .01 where the path ends in interpolation.
  void make_grid() {
    const GridRequest grid{request_.penalty, request_.path_length, request_.path_ratio};
    grid_ = path_grid(problem_, grid, full().largest_penalty());
  }

  void run_path() {
    while (!finished()) {
      // Without folds one problem is left, whose next block is solved while the pass for the last one runs.
      if (problems_.size() == 1) {
        full().solve_block(grid_);
        full().plan_lookahead(grid_);
        screening_pass(problems_, [&] { full().solve_lookahead(); });
      } else {
        each([&](PenaltyPath& f) { f.solve_block(std::span(grid_).first(horizon())); });
        screening_pass(problems_);
      }
      if (control_.observer != nullptr) {
        control_.observer->progress(static_cast<double>(slowest()) / static_cast<double>(grid_.size()), "path");
        if (control_.observer->cancelled()) {
          cancelled_ = true;
          return;
        }
      }
      score();
    }
  }

  PenaltyPath& full() const { return *paths_.front(); }
  Index slowest() const {
    Index least = grid_.size();
    for (const auto& f : paths_) least = std::min(least, f->accepted());
    return least;
  }
  // Bounds how far one path runs ahead of the slowest: the search may end before the path does.
  Index horizon() const { return std::min(std::ssize(grid_), slowest() + settings_.longest_block); }

  bool finished() const {
    if (ended_ || slowest() == std::ssize(grid_)) return true;
    return std::ranges::any_of(paths_, [](const auto& f) { return f->failed(); });
  }

  void score();
  void score_by_folds(Index k);
  void choose();
  void polish();
  Fit result() const;
  void describe(Fit& fit, const PenalizedSolution& solution) const;

  const Problem& problem_;
  const PathRequest request_;
  const Control& control_;
  Standardization scale_;
  Folds folds_;
  PathSettings settings_{.tolerance = path_tolerance, .dense_tolerance = path_dense_tolerance};
  FoldMoments products_;  // where X is tall
  std::vector<std::unique_ptr<PenaltyPath>> paths_;
  std::vector<PenaltyPath*> problems_;
  std::vector<double> grid_;
  double saturated_ = 0;
  std::vector<double> losses_;  // of every scored point, above saturation
  std::vector<CvScore> cv_scores_;
  std::vector<std::vector<double>> fold_errors_;  // of every scored point
  bool cancelled_ = false;
  bool ended_ = false;
  Index chosen_ = 0;
  std::vector<PenalizedSolution> path_;
};

// Held-out errors of the points that every problem has solved, in order: a decision to stop never looks at points
// beyond.
void PathSearch::score() {
  while (std::ssize(cv_scores_) < slowest() && !ended_) {
    const Index k = cv_scores_.size();
    const PenalizedSolution& solution = full().solutions()[k];
    losses_.push_back(solution.loss - saturated_);
    cv_scores_.emplace_back();
    if (control_.validation.X != nullptr) {
      cv_scores_.back() = score_solution(problem_, scale_, control_.validation, solution);
    }
    if (folds_.count > 0) score_by_folds(k);
    // A search ends early past the minimum of the error or where the deviance is explained; a fixed penalty never does.
    ended_ = !request_.penalty &&
             (past_minimum(fold_errors_) || deviance_saturated(losses_, full().null_loss(), problem_.likelihood));
  }
}

void PathSearch::score_by_folds(Index k) {
  std::vector<double>& errors = fold_errors_.emplace_back();
  for (Index f = 1; f < std::ssize(paths_); ++f) {
    errors.push_back(paths_[f]->solutions()[k].held_out);
  }
  cv_scores_.back() = score_folds(errors);
}

// The largest penalty whose error is within one standard error (one-se) or none (min) of the least.
void PathSearch::choose() {
  path_ = full().release_solutions();
  if (path_.empty()) return;
  chosen_ = std::ssize(path_) - 1;
  if (!searches() || cv_scores_.empty()) return;
  path_.resize(cv_scores_.size());  // points solved beyond the end of the search were never scored
  chosen_ = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
}

void PathSearch::polish() {
  if (!path_.empty()) refine_solution(full(), path_[chosen_], request_.tolerance);
}

Fit PathSearch::result() const {
  if (path_.empty()) return fit_without_solution(problem_, cancelled_);
  const auto scores = searches() ? std::span(cv_scores_) : std::span<const CvScore>();
  Fit fit = fit_of_path(problem_, scale_, path_, chosen_, scores);
  describe(fit, path_[chosen_]);
  return fit;
}

// Status by the certificate, not by how the solver ended: converged means KKT violation and duality gap over all
// features within the tolerance (is_certified), at the penalty that was asked for.
void PathSearch::describe(Fit& fit, const PenalizedSolution& solution) const {
  fit.hyper["penalty"] = solution.penalty;
  if (request_.l1_ratio < 1) fit.hyper["l1_ratio"] = request_.l1_ratio;
  fit.hyper["duality_gap"] = solution.gap;
  fit.hyper["kkt_violation"] = solution.violation;
  fit.status = cancelled_ ? Status::cancelled : Status::converged;
  const bool chose = searches() && chosen_ < std::ssize(cv_scores_);
  // Where nothing is chosen the end of the grid is asked for; a path that broke off lies before it.
  const bool stopped_early = !cancelled_ && !chose && !ended_ && solution.penalty != grid_.back();
  if (!cancelled_ && (stopped_early || !is_certified(solution, request_.tolerance))) {
    fit.status = Status::stalled;
  }
  std::string how = request_.penalty ? "fixed" : "last point of the path; no cross-validation";
  if (stopped_early) how = fmt::format("last solution before the requested penalty {:.6g}", grid_.back());
  if (chose) {
    how = how_chosen(cv_scores_[chosen_], request_.one_standard_error, folds_.count);
  }
  fit.message =
      fmt::format("{}{} selected at penalty {:.6g} ({}); relative duality gap {:.1e}", cancelled_ ? "cancelled; " : "",
                  plural(std::ssize(solution.support), "feature"), solution.penalty, how, solution.gap);
}

}  // namespace

Fit fit_penalized_path(const Problem& problem, const PathRequest& request, const Control& control) {
  return PathSearch(problem, request, control).run();
}

std::vector<PenalizedSolution> solve_penalized_path(const Problem& problem, PathRequest request, const Control& control,
                                                    std::vector<double> penalties) {
  if (penalties.empty()) return {};
  request.penalty = penalties.back();  // nothing is searched, so nothing ends early
  return PathSearch(problem, request, control).run_on(std::move(penalties));
}

}  // namespace tamis
