#include "experiments/laplace/point_mass_map.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "search/cv_score.hpp"
#include "search/folds.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments::laplace {
namespace {

constexpr int most_rounds = 500;                // of majorization
constexpr int most_sweeps = 10;                 // of coordinate descent in one round: each lowers the majorant
constexpr double convergence_tolerance = 1e-6;  // change of the objective, relative to it
constexpr double costs[] = {0.5, 1, 2, 4, 8, 16, 32};

// The problem on the features in play, dense: only the support of the start and what the gradient adds.
class Majorized {
 public:
  Majorized(const Problem& problem, const ScaledProblem& scaled, const PointMassPrior& prior, std::vector<double> b)
      : problem_(problem), scaled_(scaled), prior_(prior), b_(std::move(b)) {
    bring_in([&](Index j) { return b_[j] != 0; });
  }

  PointMassMode run() {
    PointMassMode mode;
    mode.objective.push_back(objective());
    for (int round = 0; round < most_rounds && !mode.converged; ++round) {
      minimize_majorant();
      mode.objective.push_back(objective());
      const double before = mode.objective[mode.objective.size() - 2], after = mode.objective.back();
      // At rest among the features in play; then what the others say.
      mode.converged = before - after <= convergence_tolerance * (1 + std::abs(after)) && !add_violators();
    }
    mode.b = b_;
    mode.intercept = intercept_;
    return mode;
  }

 private:
  double weight(double b) const { return prior_.cost / (std::log1p(1 / prior_.width) * (prior_.width + std::abs(b))); }
  std::vector<double> eta() const;
  void derivatives(std::vector<double>& pull, std::vector<double>& curvature) const;
  double objective() const;
  void minimize_majorant();
  bool add_violators();

  template <class Wanted>
  bool bring_in(const Wanted& wanted) {
    std::vector<Index> added;
    for (Index j = 0; j < scaled_.features(); ++j) {
      if (wanted(j) && !std::ranges::binary_search(play_, j)) added.push_back(j);
    }
    if (added.empty()) return false;
    play_.insert(play_.end(), added.begin(), added.end());
    std::ranges::sort(play_);
    std::vector<Index> columns;
    for (const Index j : play_) columns.push_back(scaled_.kept()[j]);
    X_ = Matrix(scaled_.rows(), std::ssize(play_));
    scaled_.X().gather(Columns(columns), X_);
    return true;
  }

  const Problem& problem_;
  const ScaledProblem& scaled_;
  PointMassPrior prior_;
  std::vector<double> b_;
  double intercept_ = 0;
  std::vector<Index> play_;  // rising
  Matrix X_;
};

std::vector<double> Majorized::eta() const {
  std::vector<double> eta(scaled_.rows(), intercept_);
  const std::span<const double> offset = scaled_.offset();
  for (Index i = 0; i < std::ssize(offset); ++i) eta[i] += offset[i];
  for (Index k = 0; k < std::ssize(play_); ++k) {
    const double value = b_[play_[k]];
    const double* x = X_.col(k);
    for (Index i = 0; i < std::ssize(eta) && value != 0; ++i) eta[i] += value * x[i];
  }
  return eta;
}

double Majorized::objective() const {
  double sum = problem_.likelihood.total_loss(scaled_.response(), eta(), scaled_.weights()) / prior_.noise_variance;
  for (const double b : b_) {
    sum += 0.5 * b * b / prior_.slab_variance +
           prior_.cost * std::log1p(std::abs(b) / prior_.width) / std::log1p(1 / prior_.width);
  }
  return sum;
}

void Majorized::derivatives(std::vector<double>& pull, std::vector<double>& curvature) const {
  pull.resize(scaled_.rows());
  curvature.resize(pull.size());
  problem_.likelihood.derivatives(scaled_.response(), eta(), pull, curvature);
  const bool classes = !problem_.likelihood.is_quadratic();
  for (Index i = 0; i < std::ssize(pull); ++i) {
    const double scale = scaled_.weights()[i] / prior_.noise_variance;
    pull[i] *= scale;
    // The largest curvature of the logistic loss majorizes it: the objective falls without a line search.
    curvature[i] = scale * (classes ? 0.25 : curvature[i]);
  }
}

// Weighted L1 with a ridge on a quadratic that lies above the loss, by coordinates.
void Majorized::minimize_majorant() {
  std::vector<double> pull, curvature, l1, square;
  derivatives(pull, curvature);
  double total = 0;
  for (const double h : curvature) total += h;
  for (Index k = 0; k < std::ssize(play_); ++k) {
    l1.push_back(weight(b_[play_[k]]));
    double sum = 0;
    for (Index i = 0; i < std::ssize(pull); ++i) sum += curvature[i] * std::pow(X_(i, k), 2);
    square.push_back(sum + 1 / prior_.slab_variance);
  }
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double moved = 0;
    if (scaled_.has_intercept()) {
      double sum = 0;
      for (const double r : pull) sum += r;
      intercept_ += sum / total;
      for (Index i = 0; i < std::ssize(pull); ++i) pull[i] -= curvature[i] * sum / total;
    }
    for (Index k = 0; k < std::ssize(play_); ++k) {
      double& b = b_[play_[k]];
      const double* x = X_.col(k);
      double along = (square[k] - 1 / prior_.slab_variance) * b;
      for (Index i = 0; i < std::ssize(pull); ++i) along += x[i] * pull[i];
      const double next = std::copysign(std::max(0.0, std::abs(along) - l1[k]), along) / square[k];
      if (next == b) continue;
      for (Index i = 0; i < std::ssize(pull); ++i) pull[i] -= curvature[i] * x[i] * (next - b);
      moved = std::max(moved, square[k] * (next - b) * (next - b));
      b = next;
    }
    if (moved < 1e-12) break;
  }
}

bool Majorized::add_violators() {
  std::vector<double> pull, curvature, along(b_.size());
  derivatives(pull, curvature);
  scaled_.X().transpose_multiply(scaled_.kept(), std::span<const double>(pull), std::span(along));
  const double at_zero = weight(0);
  return bring_in([&](Index j) { return std::abs(along[j]) > 1.001 * at_zero; });
}

// One fold, or everything: where the lasso begins and what the best cost is there.
class PointMassFit {
 public:
  PointMassFit(const Problem& problem, const Control& control) : problem_(problem), control_(control) {}

  Fit run() {
    Control quiet{.seed = control_.seed, .threads = 1, .observer = control_.observer};
    const Fit lasso = tamis::fit(problem_, "lasso", {{"rule", std::string("min")}}, quiet);
    penalty_ = std::get<double>(lasso.hyper.at("penalty"));
    return fit_at(problem_, best_cost());
  }

 private:
  double best_cost() const {
    const Folds folds = make_folds(problem_, 5, control_.seed);
    std::vector<double> error(std::size(costs), 0.0);
    for (int fold = 0; fold < folds.count; ++fold) score_fold(folds, fold, error);
    return costs[std::ranges::min_element(error) - error.begin()];
  }

  // Rows that are held out have weight 0 in one problem and 1 in the validation data.
  void score_fold(const Folds& folds, int fold, std::vector<double>& error) const {
    std::vector<double> training(problem_.y.size(), 1.0), validation(problem_.y.size(), 1.0);
    for (Index i = 0; i < std::ssize(training); ++i) {
      if (!problem_.weights.empty()) training[i] = validation[i] = problem_.weights[i];
      (folds.fold_of_row[i] == fold ? training : validation)[i] = 0;
    }
    Problem part = problem_;
    part.weights = training;
    const Validation held_out{.X = &problem_.X, .y = problem_.y, .weights = validation, .offset = problem_.offset};
    for (Index k = 0; k < std::ssize(error); ++k) {
      const Fit fit = fit_at(part, costs[k]);
      error[k] += score_rows(problem_.likelihood, held_out, linear_predictor(fit, problem_.X)).mean;
    }
  }

  Fit fit_at(const Problem& problem, double cost) const;

  const Problem& problem_;
  const Control& control_;
  double penalty_ = 0;
};

Fit PointMassFit::fit_at(const Problem& problem, double cost) const {
  const Fit lasso = tamis::fit(problem, "lasso", {{"penalty", penalty_}}, {.seed = control_.seed, .threads = 1});
  const ScaledProblem scaled(problem);
  std::vector<double> start;
  double kept = 0;
  for (Index k = 0; k < scaled.features(); ++k) {
    const double unit = scaled.original_coefficient(k, 1.0);
    start.push_back(lasso.coefficients[scaled.kept()[k]] / unit);
    kept += start.back() != 0 ? 1 : 0;
  }
  PointMassPrior prior{.cost = cost};
  if (scaled.gaussian()) {
    double square = 0;
    const std::vector<double> fitted = linear_predictor(lasso, problem.X, problem.offset);
    for (Index i = 0; i < std::ssize(fitted); ++i) {
      square += scaled.weights()[i] * std::pow((problem.y[i] - fitted[i]) / scaled.unit(), 2);
    }
    const double left = std::max(1.0, scaled.degrees_of_freedom() - kept);
    prior.noise_variance = std::clamp(square / left, 1e-4, 1.0);
  }
  const PointMassMode mode = point_mass_mode(problem, scaled, prior, std::move(start));
  Fit fit;
  const std::vector<double> none(mode.b.size(), 0.0);
  scaled.to_original(mode.intercept, mode.b, none, none, fit);
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  fit.objective = mode.objective.back();
  fit.status = mode.converged ? Status::converged : Status::iteration_limit;
  fit.features = feature_names(problem);
  fit.family = problem.likelihood.name();
  return fit;
}

}  // namespace

PointMassMode point_mass_mode(const Problem& problem, const ScaledProblem& scaled, const PointMassPrior& prior,
                              std::vector<double> b) {
  return Majorized(problem, scaled, prior, std::move(b)).run();
}

Fit fit_point_mass_map(const Problem& problem, const Control& control) {
  const auto start = std::chrono::steady_clock::now();
  Fit fit;
  with_threads(control.threads, [&] { fit = PointMassFit(problem, control).run(); });
  fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return fit;
}

}  // namespace tamis::experiments::laplace
