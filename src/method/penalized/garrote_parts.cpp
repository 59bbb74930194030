// First estimates and paths of the non-negative garrote, one of each for the full data and every training set.
//
// As a lasso u_j = c_j |b_j| >= 0 on columns sign(b_j) x_j, with penalty factors 1 / |b_j|, infinite where b_j is
//            0. Columns keep their unit spread, whatever the size of b, and sparse ones stay sparse; c does not depend
//            on the scale of the columns. The solver sees factors m / |b_j| and penalties divided by m, the largest
//            |b_j| of the full data: penalties are then of the size of the response, not of its square.
// Tall data  (n >> p, gaussian) need the cross-products of X and y only, with the signs of each part     (MomentPath)
// Leakage    Signs and factors of a fold come from its training rows alone, and so does the penalty of a ridge or lasso
//            start, which is searched inside the fold.
// Paper      Breiman (1995), Technometrics 37(4)
#include "method/penalized/garrote_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numerical_failure.hpp"
#include "method/penalized/path_parts.hpp"
#include "solver/path/lasso_path.hpp"
#include "solver/path/moment_path.hpp"
#include "solver/path/screening_pass.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr double path_tolerance = 1e-5;        // on the path, where points are only compared
constexpr double tall_dense_tolerance = 2e-2;  // as of the lasso
constexpr Index longest_block = 4;
constexpr double rows_per_feature = 2;  // from which least squares is the automatic start

// The products of columns times these signs.
template <class Number>
CrossProducts<Number> with_signs(CrossProducts<Number> products, std::span<const double> signs) {
  for (Index j = 0; j < std::ssize(signs); ++j) {
    products.x_sums[j] *= signs[j];
    products.xy[j] *= signs[j];
    for (Index i = j; i < std::ssize(signs); ++i) {
      products.packed[products.start(j) + i] *= static_cast<Number>(signs[i] * signs[j]);
    }
  }
  return products;
}

Problem with_unit_columns(Problem problem) {
  problem.standardize = true;
  return problem;
}

}  // namespace

GarroteParts::GarroteParts(const Problem& problem, const GarroteRequest& request, const Control& control)
    : problem_(problem), request_(request), control_(control), unit_(with_unit_columns(problem)), scale_(unit_) {
  if (!request.penalty && control.validation.X == nullptr && control.folds > 1) folds_ = make_folds(problem, control);
}

GarroteStart GarroteParts::automatic_start() const {
  const auto counts = [](double w) { return w > 0; };
  const auto rows = static_cast<double>(std::ranges::count_if(scale_.weights(), counts));
  double features = 0;
  for (Index j = 0; j < problem_.X.cols(); ++j) features += scale_.scale(j) > 0 ? 1 : 0;
  const bool enough = problem_.likelihood.is_quadratic() && rows >= rows_per_feature * features;
  return enough ? GarroteStart::least_squares : GarroteStart::ridge;
}

// False if cancelled.
bool GarroteParts::find_starts() {
  kind_ = request_.start.value_or(automatic_start());
  std::string missing;
  bool finished = find_starts(missing);
  if (!missing.empty() && !request_.start && kind_ == GarroteStart::least_squares) {
    missing.clear();
    kind_ = GarroteStart::ridge;
    finished = find_starts(missing);
  }
  if (!missing.empty()) {
    if (kind_ == GarroteStart::least_squares) {
      throw InvalidOption(fmt::format("start: {}; use start=ridge or start=lasso", missing));
    }
    throw NumericalFailure(fmt::format("the {} start failed: {}", name_of(kind_), missing));
  }
  return finished;
}

bool GarroteParts::find_starts(std::string& missing) {
  parts_.clear();
  for (int fold = -1; fold < folds_.count; ++fold) {
    StartingEstimate start = start_of(fold);
    if (start.cancelled) return false;
    if (!start.missing.empty()) {
      missing = fold < 0 ? start.missing : fmt::format("without fold {}, {}", fold + 1, start.missing);
      return true;
    }
    parts_.emplace_back().start = std::move(start);
    if (control_.observer != nullptr) {
      control_.observer->progress(static_cast<double>(fold + 2) / (folds_.count + 1), "start");
      if (control_.observer->cancelled()) return false;
    }
  }
  return true;
}

// Held-out rows get weight 0 in the problem whose start is found.
StartingEstimate GarroteParts::start_of(int fold) const {
  Problem training = problem_;
  std::vector<double> weights(problem_.weights.begin(), problem_.weights.end());
  if (fold < 0) return starting_estimate(training, kind_, request_.start_penalty, control_);
  if (weights.empty()) weights.assign(problem_.y.size(), 1.0);
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (folds_.fold_of_row[i] == fold) weights[i] = 0;
  }
  training.weights = weights;
  return starting_estimate(training, kind_, request_.start_penalty, control_of(training));
}

// Given folds serve inside a training set too, where they can: rows that belong together stay together.
Control GarroteParts::control_of(const Problem& training) const {
  Control control = control_;
  if (control.fold_of_row.empty()) return control;
  try {
    check_given_folds(training, control.fold_of_row);
  } catch (const InvalidInput&) {
    control.fold_of_row = {};
  }
  return control;
}

void GarroteParts::start_paths() {
  double largest = 0;
  for (Index j = 0; j < problem_.X.cols(); ++j) {
    largest = std::max(largest, std::abs(parts_.front().start.coefficients[j] * scale_.scale(j)));
  }
  if (largest > 0) largest_start_ = largest;
  const bool tall = moments_suffice(unit_, scale_) && take_fold_moments(unit_, scale_, folds_, moments_);
  for (Index k = 0; k < std::ssize(parts_); ++k) {
    const int fold = static_cast<int>(k) - 1;
    parts_[k].path = tall ? moment_path(parts_[k], fold) : streamed_path(parts_[k], fold);
    parts_[k].path->start();
    screening_pass(std::vector<PenaltyPath*>{parts_[k].path.get()});
  }
}

// On columns with the sign of the first estimate, penalized by the inverse of its size.
PenalizedLoss GarroteParts::signed_loss(Part& part, PenalizedLoss loss) const {
  const Index p = problem_.X.cols();
  part.signs.assign(p, 1.0);
  std::vector<double> centers(p), scales(p);
  loss.factors.assign(p, std::numeric_limits<double>::infinity());
  for (Index j = 0; j < p; ++j) {
    const double first = part.start.coefficients[j] * scale_.scale(j);
    part.signs[j] = first < 0 ? -1 : 1;
    centers[j] = scale_.center(j);
    scales[j] = part.signs[j] * scale_.scale(j);
    if (first != 0) loss.factors[j] = largest_start_ / std::abs(first);
  }
  part.X = std::make_unique<StandardizedDesign>(problem_.X, std::move(centers), std::move(scales));
  return {.X = *part.X,
          .likelihood = loss.likelihood,
          .y = loss.y,
          .offset = loss.offset,
          .weights = std::move(loss.weights),
          .intercept = loss.intercept,
          .intercept_unit = loss.intercept_unit,
          .factors = std::move(loss.factors),
          .nonnegative = true,
          .validation_weights = std::move(loss.validation_weights)};
}

std::unique_ptr<PenaltyPath> GarroteParts::moment_path(Part& part, int fold) const {
  PenalizedLoss loss = signed_loss(part, penalized_loss(unit_, scale_, {}, /*nonnegative=*/true));
  part.total = with_signs(moments_.total, part.signs);
  if (fold >= 0) part.held_out = with_signs(moments_.parts[fold], part.signs);
  const PathSettings settings{
      .tolerance = path_tolerance, .dense_tolerance = tall_dense_tolerance, .keep_coefficients = fold < 0};
  return std::make_unique<MomentPath>(std::move(loss), settings, part.total, fold < 0 ? nullptr : &part.held_out);
}

std::unique_ptr<PenaltyPath> GarroteParts::streamed_path(Part& part, int fold) const {
  PenalizedLoss loss = fold < 0 ? penalized_loss(unit_, scale_, scale_.weights(), /*nonnegative=*/true)
                                : penalized_loss_of_fold(unit_, scale_, folds_, fold, /*nonnegative=*/true);
  const PathSettings settings{.tolerance = path_tolerance,
                              .longest_block = longest_block,
                              .gram_share = 0.06 / static_cast<double>(parts_.size()),
                              .keep_coefficients = fold < 0};
  return std::make_unique<LassoPath>(signed_loss(part, std::move(loss)), settings);
}

Index GarroteParts::solved() const {
  Index least = std::numeric_limits<Index>::max();
  for (const Part& part : parts_) least = std::min(least, part.path->accepted());
  return least;
}

bool GarroteParts::failed() const {
  return std::ranges::any_of(parts_, [](const Part& part) { return part.path->failed(); });
}

// Bounds how far one path runs ahead of the slowest: the search may end before the path does.
void GarroteParts::solve_block(std::span<const double> grid) {
  const auto ahead = grid.first(std::min(std::ssize(grid), solved() + longest_block));
  parallel_for(count(), 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) path(k).solve_block(ahead);
  });
  // Signs differ, so that passes over X are not shared.
  for (Index k = 0; k < count(); ++k) screening_pass(std::vector<PenaltyPath*>{&path(k)});
}

PenalizedSolution GarroteParts::translated(PenalizedSolution solution) const {
  for (Index s = 0; s < std::ssize(solution.support); ++s) {
    solution.values[s] *= parts_.front().signs[solution.support[s]];
  }
  solution.penalty *= largest_start_;
  return solution;
}

}  // namespace tamis
