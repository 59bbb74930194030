// Path and cross-validation of the capped L1 penalty.
//
// Model      min  sum_i w_i loss_i + penalty sum_j f_j min(|b_j|, cap);  cap = 2 penalty / curvature unless given
// Algorithm  for falling penalties, full data and all folds together
//              1 lasso path at this penalty                                    (LassoPath; the start of every GIST run)
//              2 GIST on the working set from the lasso                         (CappedProblem)
//              3 one pass X'R for all problems; violators join; 2 and 3 again until there is no violator
//              4 held-out error of the folds; stop past its minimum
//            5 the chosen penalty is solved to the requested tolerance, full data and folds, and scored again; if
//            another
//              penalty is better then, that one, so that the reported error belongs to the minimum that is returned
// Start      from the lasso at the same penalty, never from the previous capped solution: the result is then a function
//            of the penalty, not of the path that led there. Stationary points are many; the lasso's is a reproducible
//            choice.
// Reported   stationarity violation relative to the penalty. There is no duality gap: the problem is not convex.
// Papers     Zhang (2010) JMLR 11, multi-stage relaxation; Gong et al. (2013) ICML, GIST.
#include "method/penalized/capped_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>

#include "family/null_intercept.hpp"
#include "method/penalized/path_parts.hpp"
#include "search/folds.hpp"
#include "search/path_result.hpp"
#include "solver/path/capped_l1.hpp"
#include "solver/path/duplicate_columns.hpp"
#include "solver/path/lasso_path.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// Tolerance and GIST iterations on the path, where solutions are only compared; the returned one gets its own.
constexpr double path_tolerance = 1e-4;
constexpr Index path_steps = 2000;
constexpr Index final_steps = 50000;

// Problem 0 is the full data, problem k + 1 leaves fold k out; lassos_, problems_ and capped_ are indexed alike. path_
// and losses_ (and cv_scores_ in a search) have one entry per penalty solved; a fixed penalty has a single one, the
// last of its grid.
class CappedSearch {
 public:
  CappedSearch(const Problem& problem, const CappedRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control), scale_(problem) {}

  Fit run() {
    prepare();
    make_grid();
    run_path();
    return result();
  }

 private:
  bool searches() const { return !request_.penalty && (control_.validation.X != nullptr || folds_.count > 0); }

  void prepare() {
    if (!request_.penalty && control_.validation.X == nullptr && control_.folds > 1) {
      folds_ = make_folds(problem_, control_);
    }
    curvature_ = curvature();
    add_problem(penalized_loss(problem_, scale_, scale_.weights(), request_.nonnegative));
    for (int k = 0; k < folds_.count; ++k) {
      add_problem(penalized_loss_of_fold(problem_, scale_, folds_, k, request_.nonnegative));
    }
    saturated_ = saturated_loss(problem_.likelihood, problem_.y, scale_.weights());
    each([&](std::size_t k) { lassos_[k]->start(); });
    screening_pass(problems_);
  }

  void add_problem(PenalizedLoss loss) {
    // Gram matrices of all problems together may take 6 % of the memory of X.
    const double share = 0.06 / (folds_.count + 1);
    lassos_.push_back(std::make_unique<LassoPath>(loss, PathSettings{.longest_block = 4, .gram_share = share}));
    problems_.push_back(lassos_.back().get());
    capped_.push_back(std::make_unique<CappedProblem>(std::move(loss), curvature_));
  }

  void each(const std::function<void(std::size_t)>& work) const {
    parallel_for(std::ssize(lassos_), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) work(k);
    });
  }

  void make_grid();
  double curvature() const;
  double cap_at(double penalty) const { return request_.cap.value_or(caps_per_penalty * penalty / curvature_); }
  bool advance_lassos(Index k);
  void solve_capped(double penalty, Index k);
  void solve_together(std::vector<CappedProblem*> open, double tolerance, Index max_steps) const;
  PenalizedSolution solve_chosen(double penalty, Index k, Index f);
  void polish(Index k);
  Index choose_polished();
  void score();
  void run_path();
  void keep_last_lasso();
  Fit result();

  const Problem& problem_;
  const CappedRequest& request_;
  const Control& control_;
  Standardization scale_;
  Folds folds_;
  double curvature_ = 1;
  double saturated_ = 0;
  std::vector<std::unique_ptr<PenaltyPath>> lassos_;
  std::vector<PenaltyPath*> problems_;
  std::vector<std::unique_ptr<CappedProblem>> capped_;
  std::vector<double> grid_;
  std::vector<PenalizedSolution> path_;
  std::vector<double> losses_;
  std::vector<CvScore> cv_scores_;
  std::vector<std::vector<double>> fold_errors_;
  bool cancelled_ = false;
};

// Curvature of the null model's loss along a typical standardized column: penalty / curvature is where the lasso
// thresholds a single feature, the natural unit of the cap. 1 for gaussian responses.
double CappedSearch::curvature() const {
  const Design& X = scale_.X();
  std::vector<double> squares(X.cols());
  X.squared_norms(X.all(), scale_.weights(), squares);
  double sum = 0, count = 0;
  for (const double s : squares) {
    sum += s;
    count += s > 0 ? 1 : 0;
  }
  const std::vector<double>& weights = scale_.weights();
  double intercept = 0, bend = 0;
  if (problem_.intercept) intercept = null_intercept(problem_.likelihood, problem_.y, weights, problem_.offset);
  std::vector<double> eta(problem_.y.size(), intercept), residual(eta.size()), curvature(eta.size());
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) eta[i] += problem_.offset[i];
  problem_.likelihood.derivatives(problem_.y, eta, residual, curvature);
  for (Index i = 0; i < std::ssize(eta); ++i) bend += weights[i] * curvature[i];
  const double out = bend * (count > 0 ? sum / count : 1.0);
  return out > 0 && std::isfinite(out) ? out : 1.0;
}

void CappedSearch::make_grid() {
  const GridRequest grid{request_.penalty, request_.path_length, request_.path_ratio};
  grid_ = path_grid(problem_, grid, problems_.front()->largest_penalty());
}

// Advances all lasso paths until each has point k, at most 8 points ahead, since the search may end before the path
// does. False if one failed or the fit was cancelled.
bool CappedSearch::advance_lassos(Index k) {
  const auto behind = [&](const PenaltyPath* f) { return f->accepted() <= k; };
  const std::span<const double> ahead = std::span(grid_).first(std::min(std::ssize(grid_), k + 8));
  while (std::ranges::any_of(problems_, behind)) {
    if (std::ranges::any_of(problems_, [](const PenaltyPath* f) { return f->failed(); })) return false;
    each([&](std::size_t f) { lassos_[f]->solve_block(ahead); });
    screening_pass(problems_);
    if (control_.observer != nullptr && control_.observer->cancelled()) cancelled_ = true;
    if (cancelled_) return false;
  }
  return true;
}

// GIST for every problem at this penalty, from point k of its lasso.
void CappedSearch::solve_capped(double penalty, Index k) {
  each([&](std::size_t f) { capped_[f]->start(lassos_[f]->solutions()[k], penalty, cap_at(penalty)); });
  std::vector<CappedProblem*> all;
  for (const auto& problem : capped_) all.push_back(problem.get());
  solve_together(std::move(all), path_tolerance, path_steps);
}

// Working-set iterations of several problems in step, so that each round takes one pass over X for all of them.
void CappedSearch::solve_together(std::vector<CappedProblem*> open, double tolerance, Index max_steps) const {
  const Design& X = scale_.X();
  // Every round adds at least one feature, so p rounds are a bound; two or three are the rule.
  for (Index round = 0; round < X.cols() && !open.empty(); ++round) {
    const Index width = open.size();
    Matrix residuals(X.rows(), width), correlations(X.cols(), width);
    parallel_for(width, 1, [&](Index begin, Index end) {
      for (Index f = begin; f < end; ++f) {
        open[f]->solve(tolerance, max_steps);
        std::ranges::copy(open[f]->residual(), residuals.col(f));
      }
    });
    X.transpose_multiply(X.all(), residuals, correlations);
    std::vector<CappedProblem*> more;
    for (Index f = 0; f < width; ++f) {
      CappedProblem* problem = open[f];
      if (problem->check(correlations.column(f), tolerance)) more.push_back(problem);
    }
    open = std::move(more);
  }
}

// The chosen penalty on the full data or a fold, to the requested tolerance. Then two clean-ups that leave a stationary
// point: duplicated columns are joined into one (min(|b|, cap) of a sum is less than the sum of the parts), and
// coefficients of rounding size are removed. A joined coefficient may pass the cap, which changes the problem, hence
// the rounds.
PenalizedSolution CappedSearch::solve_chosen(double penalty, Index k, Index f) {
  constexpr int rounds = 3;
  const Design& X = scale_.X();
  CappedProblem& problem = *capped_[f];
  PenalizedSolution start = join_duplicates(problem.problem(), lassos_[f]->solutions()[k]);
  PenalizedSolution solved;
  for (int round = 0; round < rounds; ++round) {
    problem.start(start, penalty, cap_at(penalty));
    solve_together({&problem}, request_.tolerance, final_steps);
    solved = problem.solution();
    start = problem.pruned_support(request_.tolerance);
    if (start.support.size() == solved.support.size()) return solved;
    problem.start(start, penalty, cap_at(penalty));
    std::vector<double> correlations(X.cols());
    X.transpose_multiply(X.all(), std::span<const double>(problem.residual()), std::span(correlations));
    problem.check(correlations, 2 * request_.tolerance);
    PenalizedSolution refined = problem.solution();
    if (refined.violation <= solved.violation + request_.tolerance) return refined;
  }
  return solved;
}

// Cancelled or failed before the first point: the last lasso solution, evaluated as a capped one, is the result.
void CappedSearch::keep_last_lasso() {
  if (!path_.empty() || problems_.front()->accepted() == 0) return;
  const PenalizedSolution& lasso = problems_.front()->solutions().back();
  capped_.front()->start(lasso, lasso.penalty, cap_at(lasso.penalty));
  path_.push_back(capped_.front()->solution());
}

// A fixed penalty needs its lasso path up to the last point only, and one capped solution, there.
void CappedSearch::run_path() {
  const auto last = std::ssize(grid_) - 1;
  for (Index k = request_.penalty ? last : 0; k <= last; ++k) {
    if (!advance_lassos(k)) return keep_last_lasso();
    solve_capped(grid_[k], k);
    path_.push_back(capped_.front()->solution());
    losses_.push_back(path_.back().loss - saturated_);
    if (searches()) score();
    if (control_.observer != nullptr) {
      control_.observer->progress(static_cast<double>(k + 1) / static_cast<double>(grid_.size()), "path");
      cancelled_ = cancelled_ || control_.observer->cancelled();
    }
    const bool ended =
        past_minimum(fold_errors_) || deviance_saturated(losses_, problems_.front()->null_loss(), problem_.likelihood);
    if (cancelled_ || ended) return;
  }
}

void CappedSearch::score() {
  if (folds_.count == 0) {
    cv_scores_.push_back(score_solution(problem_, scale_, control_.validation, path_.back()));
    return;
  }
  // Held-out errors are those of the capped solutions: the lasso's own minimum lies at a smaller penalty.
  std::vector<double>& errors = fold_errors_.emplace_back();
  for (Index f = 1; f < std::ssize(capped_); ++f) errors.push_back(capped_[f]->solution().held_out);
  cv_scores_.push_back(score_folds(errors));
}

// On the path GIST stops early, and where classes are separable it may stop far from the minimum that it goes to.
void CappedSearch::polish(Index k) {
  path_[k] = solve_chosen(grid_[k], k, 0);
  if (folds_.count == 0) {
    cv_scores_[k] = score_solution(problem_, scale_, control_.validation, path_[k]);
    return;
  }
  std::vector<double> errors;
  for (Index f = 1; f < std::ssize(capped_); ++f) errors.push_back(solve_chosen(grid_[k], k, f).held_out);
  cv_scores_[k] = score_folds(errors);
}

// The best point once the best is polished: at most one polish per point, and seldom more than one at all.
Index CappedSearch::choose_polished() {
  std::vector<char> polished(path_.size(), 0);
  for (;;) {
    const Index chosen = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
    if (polished[chosen] != 0) return chosen;
    polish(chosen);
    polished[chosen] = 1;
    if (control_.observer != nullptr && control_.observer->cancelled()) cancelled_ = true;
    if (cancelled_) return chosen;
  }
}

// Converged means stationary to the requested tolerance at the requested penalty; anything less is reported as stalled.
Fit CappedSearch::result() {
  if (path_.empty()) return fit_without_solution(problem_, cancelled_);
  const bool is_scored = !cv_scores_.empty();
  const Index last = std::ssize(path_) - 1;
  const Index chosen = is_scored && !cancelled_ ? choose_polished() : last;
  PenalizedSolution& solution = path_[chosen];
  if (!is_scored && !cancelled_) {
    // A path to a given penalty keeps its last point only, which lies before that penalty if a lasso failed.
    const Index reached = std::min(std::ssize(grid_), problems_.front()->accepted());
    solution = solve_chosen(solution.penalty, request_.penalty ? reached - 1 : chosen, 0);
  }
  Fit fit = fit_of_path(problem_, scale_, path_, chosen, cv_scores_);
  const double cap = cap_at(solution.penalty);
  fit.hyper["penalty"] = solution.penalty;
  fit.hyper["cap"] = cap;
  fit.hyper["stationarity"] = solution.violation;
  const bool is_asked = !request_.penalty || solution.penalty == *request_.penalty;
  fit.status = cancelled_                                                  ? Status::cancelled
               : is_asked && solution.violation <= 10 * request_.tolerance ? Status::converged
                                                                           : Status::stalled;
  const auto beyond = std::ranges::count_if(solution.values, [&](double b) { return std::abs(b) > cap; });
  const std::string how =
      !is_asked                  ? fmt::format("last solution before the requested penalty {:.6g}", *request_.penalty)
      : request_.penalty         ? "fixed"
      : !is_scored || cancelled_ ? "last point of the path; no cross-validation"
                                 : how_chosen(cv_scores_[chosen], request_.one_standard_error, folds_.count);
  fit.message = fmt::format(
      "{}{} selected, {} of them above the cap {:.6g}, at penalty {:.6g} ({}); relative stationarity violation {:.1e}",
      cancelled_ ? "cancelled; " : "", plural(std::ssize(solution.support), "feature"), beyond, cap, solution.penalty,
      how, solution.violation);
  return fit;
}

}  // namespace

Fit fit_capped_path(const Problem& problem, const CappedRequest& request, const Control& control) {
  return CappedSearch(problem, request, control).run();
}

}  // namespace tamis
