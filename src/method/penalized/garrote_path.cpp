// Path and cross-validation of the non-negative garrote.
//
// Model      min over c >= 0, b0  sum_i w_i loss_i + penalty sum_j c_j,  predictor offset + b0 + sum_j c_j b_j x_j
// Algorithm  1 first estimate b of the full data and of each training set, and the lasso paths that c_j b_j are on
//              (garrote_start, garrote_parts)
//            2 all paths on the grid of the full data, a block of penalties at a time            (LassoPath)
//            3 held-out errors; stop past their minimum; choose by rule; solve the chosen point to tolerance
// Losses     that are not quadratic are minimized themselves, not their quadratic form at the first estimate: the
//            solver takes as many quadratic models as it needs, of which a one-step estimate would be the first.
// Returned   with KKT violation on all p features and relative duality gap as certificates.
// Papers     Breiman (1995), Technometrics 37(4); Yuan & Lin (2007), JRSS B 69(2); Makalic & Schmidt (2011), LNCS 7106
#include "method/penalized/garrote_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "method/penalized/garrote_parts.hpp"
#include "method/penalized/path_parts.hpp"
#include "search/cv_score.hpp"
#include "search/path_result.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// c_j enters at a penalty that grows with the square of b_j: paths are twice as long in the logarithm as the lasso's.
constexpr double wide_ratio = 1e-4, tall_ratio = 1e-6;

// cv_scores_ and losses_ cover a prefix of the points that all parts have solved. path_ and chosen_ are set by
// choose(), in the units of the problem; grid_ is in those of the parts.
class GarrotePathSearch {
 public:
  GarrotePathSearch(const Problem& problem, const GarroteRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control), parts_(problem, request, control) {}

  Fit run() {
    if (!parts_.find_starts()) return fit_without_solution(problem_, /*cancelled=*/true);
    parts_.start_paths();
    make_grid();
    run_path();
    choose();
    return result();
  }

 private:
  bool searches() const { return !request_.penalty && (control_.validation.X != nullptr || parts_.folds().count > 0); }
  Index solved() const { return std::min(parts_.solved(), std::ssize(grid_)); }

  void make_grid();
  void run_path();
  void score();
  void choose();
  Fit result() const;
  double shrinkage_sum(const PenalizedSolution& solution) const;

  const Problem& problem_;
  const GarroteRequest& request_;
  const Control& control_;
  GarroteParts parts_;
  std::vector<double> grid_;
  std::vector<PenalizedSolution> path_;
  std::vector<double> losses_;  // of every scored point, above saturation
  std::vector<CvScore> cv_scores_;
  std::vector<std::vector<double>> fold_errors_;
  Index chosen_ = 0;
  bool cancelled_ = false, ended_ = false;
};

void GarrotePathSearch::make_grid() {
  GridRequest request{request_.penalty, request_.path_length, request_.path_ratio};
  if (request.penalty) *request.penalty /= parts_.unit();
  if (!request.path_ratio) request.path_ratio = problem_.X.rows() < problem_.X.cols() ? wide_ratio : tall_ratio;
  grid_ = path_grid(problem_, request, parts_.path(0).largest_penalty());
}

void GarrotePathSearch::run_path() {
  while (solved() < std::ssize(grid_) && !ended_ && !parts_.failed()) {
    parts_.solve_block(grid_);
    if (control_.observer != nullptr) {
      control_.observer->progress(static_cast<double>(solved()) / static_cast<double>(grid_.size()), "path");
      cancelled_ = control_.observer->cancelled();
    }
    if (cancelled_) return;
    score();
  }
}

void GarrotePathSearch::score() {
  const double saturated = saturated_loss(problem_.likelihood, problem_.y, parts_.scale().weights());
  while (std::ssize(cv_scores_) < solved() && !ended_) {
    const Index k = std::ssize(cv_scores_);
    const PenalizedSolution& solution = parts_.path(0).solutions()[k];
    losses_.push_back(solution.loss - saturated);
    cv_scores_.emplace_back();
    if (control_.validation.X != nullptr) {
      cv_scores_.back() = score_solution(problem_, parts_.scale(), control_.validation, parts_.translated(solution));
    }
    if (parts_.folds().count > 0) {
      std::vector<double>& errors = fold_errors_.emplace_back();
      for (Index f = 1; f < parts_.count(); ++f) errors.push_back(parts_.path(f).solutions()[k].held_out);
      cv_scores_.back() = score_folds(errors);
    }
    ended_ = !request_.penalty && (past_minimum(fold_errors_) ||
                                   deviance_saturated(losses_, parts_.path(0).null_loss(), problem_.likelihood));
  }
}

void GarrotePathSearch::choose() {
  path_ = parts_.path(0).release_solutions();
  if (path_.empty()) return;
  chosen_ = std::ssize(path_) - 1;
  if (searches() && !cv_scores_.empty()) {
    path_.resize(cv_scores_.size());  // points solved beyond the end of the search were never scored
    chosen_ = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
  }
  refine_solution(parts_.path(0), path_[chosen_], request_.tolerance);
  // A fixed penalty is reported as it was given, without rounding.
  const bool arrived = request_.penalty && path_[chosen_].penalty == grid_.back();
  for (PenalizedSolution& point : path_) point = parts_.translated(std::move(point));
  if (arrived) path_[chosen_].penalty = *request_.penalty;
}

// Sum of the shrinkage factors: what Breiman's parameter s bounds.
double GarrotePathSearch::shrinkage_sum(const PenalizedSolution& solution) const {
  double sum = 0;
  for (Index s = 0; s < std::ssize(solution.support); ++s) {
    sum += std::abs(solution.values[s]) * parts_.path(0).problem().factor(solution.support[s]);
  }
  return sum / parts_.unit();
}

// Status by the certificate: converged means KKT violation and duality gap within the tolerance (is_certified), at the
// penalty that was asked for.
Fit GarrotePathSearch::result() const {
  if (path_.empty()) return fit_without_solution(problem_, cancelled_);
  const PenalizedSolution& solution = path_[chosen_];
  const bool chose = searches() && chosen_ < std::ssize(cv_scores_);
  Fit fit = fit_of_path(problem_, parts_.scale(), path_, chosen_,
                        searches() ? std::span(cv_scores_) : std::span<const CvScore>());
  fit.hyper["penalty"] = solution.penalty;
  fit.hyper["shrinkage_sum"] = shrinkage_sum(solution);
  fit.hyper["start"] = std::string(name_of(parts_.kind()));
  if (parts_.start().penalty) fit.hyper["start_penalty"] = *parts_.start().penalty;
  fit.hyper["duality_gap"] = solution.gap;
  fit.hyper["kkt_violation"] = solution.violation;
  const double wanted = request_.penalty.value_or(grid_.back() * parts_.unit());
  const bool stopped_early = !cancelled_ && !chose && !ended_ && solution.penalty != wanted;
  const bool certified = !stopped_early && is_certified(solution, request_.tolerance);
  fit.status = cancelled_ ? Status::cancelled : certified ? Status::converged : Status::stalled;
  std::string how = request_.penalty ? "fixed" : "last point of the path; no cross-validation";
  if (stopped_early) how = fmt::format("last solution before the requested penalty {:.6g}", wanted);
  if (chose) how = how_chosen(cv_scores_[chosen_], request_.one_standard_error, parts_.folds().count);
  fit.message = fmt::format(
      "{}{} selected at penalty {:.6g} ({}); {} start, sum of shrinkage factors {:.4g}; relative duality gap {:.1e}",
      cancelled_ ? "cancelled; " : "", plural(std::ssize(solution.support), "feature"), solution.penalty, how,
      name_of(parts_.kind()), shrinkage_sum(solution), solution.gap);
  return fit;
}

}  // namespace

Fit fit_garrote_path(const Problem& problem, const GarroteRequest& request, const Control& control) {
  return GarrotePathSearch(problem, request, control).run();
}

}  // namespace tamis
