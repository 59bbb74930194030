// Gaussian ridge for at most 2000 columns, from second moments: no pass over X per penalty or fold.
//
// Model      A'WA, A'W1, A'Wt of the full data; a training set is the full data less the moments of the held-out rows
// Algorithm  one shifted Lanczos process per problem serves all penalties (A'WA + penalty I differ by a shift only);
//            held-out error = quadratic form of the full moments - that of the training moments
// Accuracy   moments square the condition number of A. Good enough to choose a penalty; the returned solution is
//            corrected by iterative refinement with gradients taken from A itself.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "method/ridge/ridge_moments.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Relative residual of the Lanczos solutions on the path; the returned one is refined.
constexpr double path_tolerance = 1e-7;

// Rows of A as a dense matrix of their own.
Matrix gather_rows(const Design& A, const std::vector<Index>& rows) {
  constexpr Index width = 64;
  const Index n = A.rows();
  Matrix out(std::ssize(rows), A.cols()), block(n, std::min(width, A.cols()));
  for (Index first = 0; first < A.cols(); first += width) {
    const Index count = std::min(width, A.cols() - first);
    A.gather(Columns::range(first, count), MatrixView(block.col(0), n, count));
    for (Index k = 0; k < count; ++k) {
      for (Index i = 0; i < std::ssize(rows); ++i) out(i, first + k) = block(rows[i], k);
    }
  }
  return out;
}

Moments moments_of(const Design& A, std::span<const double> weights, std::span<const double> t) {
  const Index m = A.cols();
  Moments out{.gram = Matrix(A.cols(), A.cols()), .sums = std::vector<double>(m), .cross = std::vector<double>(m)};
  A.gram(A.all(), weights, out.gram);
  Matrix sides(A.rows(), 2), products(A.cols(), 2);
  for (Index i = 0; i < std::ssize(weights); ++i) {
    const Index row = i;
    sides(row, 0) = weights[i];
    sides(row, 1) = weights[i] * t[i];
    out.total += weights[i];
    out.response += weights[i] * t[i];
    out.squares += weights[i] * t[i] * t[i];
  }
  A.transpose_multiply(A.all(), sides, products);
  std::ranges::copy(products.column(0), out.sums.begin());
  std::ranges::copy(products.column(1), out.cross.begin());
  return out;
}

// Moments of the training set by subtraction, rescaled to weights that sum to one.
Moments without(const Moments& all, const Moments& held) {
  const double kept = all.total - held.total;
  Moments out = all;
  const auto take = [kept](double& from, double what) { from = (from - what) / kept; };
  for (Index j = 0; j < out.gram.cols(); ++j) {
    for (Index i = 0; i < out.gram.rows(); ++i) take(out.gram(i, j), held.gram(i, j));
    take(out.sums[j], held.sums[j]);
    take(out.cross[j], held.cross[j]);
  }
  take(out.response, held.response);
  take(out.squares, held.squares);
  out.total = 1;
  return out;
}

// moments_[0] and systems_[0] are of the full data, [k + 1] of the data without fold k. All in units of the response's
// spread; in_units() converts solutions, unit_^2 errors.
class MomentSolver final : public RidgeSolver {
 public:
  MomentSolver(const Problem& problem, const RidgeBasis& basis, const Folds& folds)
      : problem_(problem),
        A_(basis.columns()),
        penalized_(basis.penalized()),
        weights_(basis.scale().weights()),
        intercept_unit_(basis.scale().intercept_unit()) {
    make_target();
    moments_.resize(folds.count + 1);
    moments_[0] = moments_of(A_, weights_, target_);
    for (int k = 0; k < folds.count; ++k) add_fold(folds, k);
    for (const Moments& m : moments_)
      systems_.push_back(std::make_unique<MomentSystem>(m, problem.intercept, penalized_));
  }

  double largest_curvature() override { return systems_[0]->largest_curvature(); }

  double null_gradient() const override { return unit_ * systems_[0]->null_gradient(); }

  bool solve(double penalty) override {
    penalty_ = penalty;
    parallel_for(std::ssize(systems_), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) systems_[k]->extend(penalty, path_tolerance);
    });
    return true;
  }

  double objective() const override { return unit_ * (unit_ * systems_[0]->objective(penalty_)); }
  double certificate() const override { return systems_[0]->residual(penalty_); }
  RidgeSolution solution() const override { return in_units(systems_[0]->solve(penalty_)); }

  // Error on the held-out rows = error on all - error on the training rows, both from moments. Clamped at 0: the
  // difference cancels when the held-out rows are fitted almost exactly.
  std::vector<double> held_out() const override {
    std::vector<double> errors(systems_.size() - 1);
    parallel_for(std::ssize(errors), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const RidgeSolution s = systems_[k + 1]->solve(penalty_);
        const double left = moments_[0].squared_error(s) - (1 - held_out_weight_[k]) * moments_[k + 1].squared_error(s);
        errors[k] = unit_ * (unit_ * std::max(0.0, left) / held_out_weight_[k]);
      }
    });
    return errors;
  }

  RidgeSolution polish(double penalty, double tolerance) override;

 private:
  // Response less offset and mean, in units of its spread; divided by the largest value before squaring, against
  // overflow.
  void make_target() {
    const Index n = std::ssize(problem_.y);
    target_.resize(n);
    double largest = 0;
    for (Index i = 0; i < n; ++i) {
      target_[i] = problem_.y[i] - (problem_.offset.empty() ? 0.0 : problem_.offset[i]);
      if (weights_[i] > 0) largest = std::max(largest, std::abs(target_[i]));
    }
    double mean = 0, squares = 0;
    for (Index i = 0; i < n && problem_.intercept; ++i) mean += weights_[i] * target_[i];
    for (Index i = 0; i < n && largest > 0; ++i) {
      squares += weights_[i] * ((target_[i] - mean) / largest) * ((target_[i] - mean) / largest);
    }
    // A spread of rounding size means a constant response: every coefficient is zero.
    const bool varies = std::sqrt(squares) > 1e-14 * static_cast<double>(n);
    shift_ = mean;
    unit_ = varies ? largest * std::sqrt(squares) : 1.0;
    for (double& t : target_) t = varies ? (t - mean) / unit_ : 0.0;
  }

  void add_fold(const Folds& folds, int fold) {
    std::vector<Index> rows;
    std::vector<double> weights, target;
    for (Index i = 0; i < std::ssize(target_); ++i) {
      if (folds.fold_of_row[i] != fold) continue;
      rows.push_back(i);
      weights.push_back(weights_[i]);
      target.push_back(target_[i]);
    }
    held_out_weight_.push_back(std::accumulate(weights.begin(), weights.end(), 0.0));
    const Matrix held = gather_rows(A_, rows);
    moments_[fold + 1] = without(moments_[0], moments_of(DenseDesign(held), weights, target));
  }

  RidgeSolution in_units(RidgeSolution s) const {
    s.intercept = s.intercept * unit_ + shift_;
    for (double& c : s.coefficients) c *= unit_;
    return s;
  }

  const Problem& problem_;
  const Design& A_;
  const std::vector<double>& penalized_;
  const std::vector<double>& weights_;
  const double intercept_unit_;
  std::vector<double> target_;
  double shift_ = 0, unit_ = 1, penalty_ = 0;
  std::vector<Moments> moments_;         // of weights that sum to one
  std::vector<double> held_out_weight_;  // share of the weight held out
  std::vector<std::unique_ptr<MomentSystem>> systems_;
};

// Iterative refinement: residual and gradient from A in full accuracy, the correction from moments to 1e-4. Ends when
// the gradient no longer shrinks.
RidgeSolution MomentSolver::polish(double penalty, double tolerance) {
  MomentSystem& system = *systems_[0];
  system.extend(penalty, tolerance);
  RidgeSolution s = system.solve(penalty);
  const Index m = A_.cols();
  std::vector<double> residual(target_.size()), gradient(m);
  double last = std::numeric_limits<double>::infinity();
  RidgeSolution best = s;
  for (int round = 0; round < 6; ++round) {
    std::ranges::fill(residual, s.intercept);
    A_.multiply_add(A_.all(), std::span<const double>(s.coefficients), std::span(residual));
    double sum = 0;
    for (Index i = 0; i < std::ssize(residual); ++i) {
      residual[i] = weights_[i] * (target_[i] - residual[i]);
      sum += residual[i];
    }
    if (!problem_.intercept) sum = 0;
    A_.transpose_multiply(A_.all(), std::span<const double>(residual), std::span(gradient));
    double size = intercept_unit_ * sum * (intercept_unit_ * sum);
    for (Index j = 0; j < m; ++j) {
      gradient[j] -= penalty * penalized_[j] * s.coefficients[j];
      size += gradient[j] * gradient[j];
    }
    if (!(size < last)) break;
    last = size;
    best = s;
    const RidgeSolution step = system.correct(penalty, gradient, sum, 1e-4);
    for (Index j = 0; j < m; ++j) s.coefficients[j] += step.coefficients[j];
    s.intercept += step.intercept;
  }
  return in_units(best);
}

}  // namespace

std::unique_ptr<RidgeSolver> make_moment_solver(const Problem& problem, const RidgeBasis& basis, const Folds& folds) {
  return std::make_unique<MomentSolver>(problem, basis, folds);
}

}  // namespace tamis
