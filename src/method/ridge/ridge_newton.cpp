// Ridge for likelihoods that are not quadratic, and for gaussian problems with too many columns for moments.
//
// Algorithm  Newton with conjugate gradients on the full data and all folds together, so that products with X are
//            shared (BatchedNewtonCg), warm-started along falling penalties.
// Metric     conjugate gradients are preconditioned in the eigenbasis of the weighted Gram matrix (up to 1000 columns;
//            rotated columns are there already), else by its diagonal. Where fitted probabilities or rates vary little
//            the Hessian is near a multiple of it, and iterations are few.
#include <algorithm>
#include <cmath>

#include "linalg/shifted_lanczos.hpp"
#include "linalg/symmetric.hpp"
#include "method/ridge/ridge_moments.hpp"
#include "method/ridge/ridge_solver.hpp"
#include "solver/smooth/batched_newton_cg.hpp"

namespace tamis {
namespace {

// Relative gradient on the path, where solutions are only compared; the returned one gets its own tolerance.
constexpr double path_tolerance = 1e-5;
// Columns up to which the O(m^3) eigendecomposition pays.
constexpr Index max_rotated_columns = 1000;

RidgeMetric metric_of(const RidgeBasis& basis) {
  const Design& A = basis.columns();
  RidgeMetric metric{std::vector<double>(A.cols())};
  const std::vector<double>& weights = basis.scale().weights();
  if (!basis.is_rotated() && A.cols() <= max_rotated_columns) {
    metric.rotation = Matrix(A.cols(), A.cols());
    A.gram(A.all(), weights, metric.rotation);
    metric.scale = symmetric_eigen(metric.rotation);
  } else {
    A.squared_norms(A.all(), weights, metric.scale);
  }
  return metric;
}

// Member 0 of the batch is the full data, member k + 1 the data without fold k; all share products with the columns.
class NewtonSolver final : public RidgeSolver {
 public:
  NewtonSolver(const Problem& problem, const RidgeBasis& basis, const Folds& folds)
      : problem_(problem),
        basis_(basis),
        problems_({.A = basis.columns(),
                   .likelihood = problem.likelihood,
                   .y = problem.y,
                   .offset = problem.offset,
                   .intercept = problem.intercept,
                   .intercept_unit = basis.scale().intercept_unit(),
                   .penalized = basis.penalized(),
                   .metric = metric_of(basis)},
                  split(folds)) {}

  double null_gradient() const override { return problems_.start_gradient(0); }

  double largest_curvature() override {
    std::vector<double> gradient = problems_.gradient(0);
    for (Index j = 0; j < std::ssize(gradient); ++j) gradient[j] *= basis_.penalized()[j];
    ShiftedLanczos lanczos([this](auto v, auto out) { multiply(v, out); }, gradient);
    // A dozen products give the largest eigenvalue to the accuracy that the start of a path needs.
    lanczos.extend(0, 1e-3, 12);
    return lanczos.largest_eigenvalue() * problems_.mean_curvature(0);
  }

  bool solve(double penalty) override { return problems_.solve(penalty, path_tolerance, problems_.size()); }
  double objective() const override { return problems_.objective(0); }
  double certificate() const override { return problems_.certificate(0); }
  RidgeSolution solution() const override { return {problems_.coefficients(0), problems_.intercept(0)}; }

  std::vector<double> held_out() const override {
    std::vector<double> errors;
    for (Index f = 0; f < std::ssize(validation_weights_); ++f) {
      const std::vector<double>& eta = problems_.predictor(f + 1);
      double error = 0;
      for (Index i = 0; i < std::ssize(eta); ++i) {
        if (validation_weights_[f][i] > 0)
          error += validation_weights_[f][i] * problem_.likelihood.deviance(problem_.y[i], eta[i]);
      }
      errors.push_back(error);
    }
    return errors;
  }

  RidgeSolution polish(double penalty, double tolerance) override {
    problems_.solve(penalty, tolerance, 1);
    return solution();
  }

 private:
  std::vector<std::vector<double>> split(const Folds& folds) {
    std::vector<std::vector<double>> training = {basis_.scale().weights()};
    for (int k = 0; k < folds.count; ++k) {
      FoldWeights fold = split_weights(folds, k, training.front());
      training.push_back(std::move(fold.training));
      validation_weights_.push_back(std::move(fold.validation_weights));
    }
    return training;
  }

  // The weighted Gram matrix of the centered penalized columns, times v.
  void multiply(std::span<const double> v, std::span<double> out) const {
    const Design& A = basis_.columns();
    const std::vector<double>& weights = basis_.scale().weights();
    std::vector<double> image(A.rows());
    A.multiply_add(A.all(), v, std::span(image));
    double mean = 0;
    for (Index i = 0; i < std::ssize(image) && problem_.intercept; ++i) mean += weights[i] * image[i];
    for (Index i = 0; i < std::ssize(image); ++i) image[i] = weights[i] * (image[i] - mean);
    A.transpose_multiply(A.all(), std::span<const double>(image), out);
    for (Index j = 0; j < std::ssize(out); ++j) out[j] *= basis_.penalized()[j];
  }

  const Problem& problem_;
  const RidgeBasis& basis_;
  std::vector<std::vector<double>> validation_weights_;
  BatchedNewtonCg problems_;
};

}  // namespace

std::unique_ptr<RidgeSolver> make_ridge_solver(const Problem& problem, const RidgeBasis& basis, const Folds& folds) {
  if (problem.likelihood.is_quadratic() && basis.columns().cols() <= max_moment_columns) {
    return make_moment_solver(problem, basis, folds);
  }
  return std::make_unique<NewtonSolver>(problem, basis, folds);
}

}  // namespace tamis
