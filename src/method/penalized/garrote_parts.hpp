// The non-negative garrote of the full data and of each training set: a first estimate and a lasso path of its own.
#pragma once

#include <memory>
#include <vector>

#include "method/penalized/garrote_path.hpp"
#include "problem/standardization.hpp"
#include "search/fold_moments.hpp"
#include "search/folds.hpp"
#include "solver/path/penalty_path.hpp"

namespace tamis {

/// Part 0 has all rows, part k + 1 leaves fold k out. The paths see coefficients u_j = c_j |b_j| on columns of unit
/// spread and the sign of b_j, and penalties divided by unit().
class GarroteParts {
 public:
  GarroteParts(const Problem& problem, const GarroteRequest& request, const Control& control);

  /// First estimates of all parts; false if cancelled. Throws InvalidOption if the start that was asked for does not
  /// exist, NumericalFailure if it failed.
  bool find_starts();
  /// Paths at their null models.
  void start_paths();

  GarroteStart kind() const { return kind_; }
  const StartingEstimate& start() const { return parts_.front().start; }
  const Folds& folds() const { return folds_; }
  const Standardization& scale() const { return scale_; }
  /// What one unit of the paths' penalty is; never 0.
  double unit() const { return largest_start_; }

  Index count() const { return std::ssize(parts_); }
  PenaltyPath& path(Index k) const { return *parts_[k].path; }
  /// Points that all paths have.
  Index solved() const;
  bool failed() const;
  /// Solves the next penalties of `grid` in all parts, one block at most.
  void solve_block(std::span<const double> grid);
  /// A solution of the full data with coefficients on scale() and a penalty in its own unit.
  PenalizedSolution translated(PenalizedSolution solution) const;

 private:
  struct Part {
    StartingEstimate start;
    std::vector<double> signs;  // of the first estimate
    std::unique_ptr<StandardizedDesign> X;
    CrossProducts<double> total;    // of X and y, where X is tall
    CrossProducts<float> held_out;  // likewise
    std::unique_ptr<PenaltyPath> path;
  };

  GarroteStart automatic_start() const;
  bool find_starts(std::string& missing);
  StartingEstimate start_of(int fold) const;
  Control control_of(const Problem& training) const;
  PenalizedLoss signed_loss(Part& part, PenalizedLoss loss) const;
  std::unique_ptr<PenaltyPath> moment_path(Part& part, int fold) const;
  std::unique_ptr<PenaltyPath> streamed_path(Part& part, int fold) const;

  const Problem& problem_;
  const GarroteRequest& request_;
  const Control& control_;
  const Problem unit_;  // problem_ with standardized columns: the start alone depends on the scale of the columns
  Standardization scale_;
  Folds folds_;
  GarroteStart kind_ = GarroteStart::ridge;
  std::vector<Part> parts_;
  FoldMoments moments_;       // where X is tall
  double largest_start_ = 1;  // largest |b_j| of the full data, if there is one
};

}  // namespace tamis
