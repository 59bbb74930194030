// The smooth part of the capped-L1 problem on a working set, with the intercept profiled out.
//
// Model      F(b) = min_b0 sum_i w_i loss(y_i, offset_i + b0 + x_i'b) over the working features; its gradient is
//            -X'residual at the minimizing b0 (envelope theorem), so GIST never sees the intercept.
// Quadratic  F is determined by G = X'WX - (X'w)(X'w)': a step changes it by step'(G step / 2 - negative gradient), at
//            the cost of the moved columns of G; predictor and residual are recomputed from the data by move_to().
// Others     the linear predictor moves, and each trial step profiles the intercept by Newton's method in one
//            dimension.
// Hazard     Gradient and loss of the quadratic form are updated incrementally and drift; certificates are computed
//            after move_to() only.
#include "solver/path/working_loss.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "family/null_intercept.hpp"

namespace tamis {

WorkingLoss::WorkingLoss(const PenalizedLoss& problem) : problem_(problem) {
  const Index n = problem.X.rows();
  for (auto* v : {&eta_, &residual_, &curvature_}) v->assign(n, 0.0);
  if (problem.intercept) {
    null_intercept_ = null_intercept(problem.likelihood, problem.y, problem.weights, problem.offset);
  }
  intercept_ = null_intercept_;
}

void WorkingLoss::add(std::span<const Index> added) {
  features_.insert(features_.end(), added.begin(), added.end());
  negative_gradient_.resize(features_.size());
  on_add(added);
}

void WorkingLoss::move_to(std::span<const double> b) {
  tried_ = false;
  std::vector<Index> support;
  std::vector<double> values;
  for (Index w = 0; w < std::ssize(b); ++w) {
    if (b[w] == 0) continue;
    support.push_back(features_[w]);
    values.push_back(b[w]);
  }
  if (support.empty()) intercept_ = null_intercept_;  // otherwise the last intercept is a good start
  std::ranges::fill(eta_, intercept_);
  for (Index i = 0; i < std::ssize(problem_.offset); ++i) eta_[i] += problem_.offset[i];
  problem_.X.multiply_add(Columns(support), std::span<const double>(values), std::span(eta_));
  profile_intercept();
  take_gradient();
}

double WorkingLoss::evaluate() {
  problem_.likelihood.derivatives(problem_.y, eta_, residual_, curvature_);
  double sum = 0;
  for (Index i = 0; i < std::ssize(eta_); ++i) {
    residual_[i] *= problem_.weights[i];
    curvature_[i] *= problem_.weights[i];
    sum += residual_[i];
  }
  return sum;
}

// Newton's method for the intercept: sum_i residual_i = 0. Steps of non-quadratic losses are cut at 2 on the scale of
// the linear predictor, beyond which curvature says little; quadratic ones need one step and one more for rounding.
void WorkingLoss::profile_intercept() {
  double sum = evaluate();
  for (int round = 0; round < 50 && problem_.intercept; ++round) {
    double size = 0;
    for (const double r : residual_) size += std::abs(r);
    const double total = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
    if (std::abs(sum) <= 1e-13 * size || !(total > 0)) break;
    double step = sum / total;
    if (!problem_.likelihood.is_quadratic()) step = std::clamp(step, -2.0, 2.0);
    if (intercept_ + step == intercept_ || (problem_.likelihood.is_quadratic() && round == 2)) break;
    intercept_ += step;
    for (double& e : eta_) e += step;
    sum = evaluate();
  }
  loss_ = problem_.likelihood.total_loss(problem_.y, eta_, problem_.weights);
}

void WorkingLoss::take_gradient() {
  problem_.X.transpose_multiply(Columns(features_), std::span<const double>(residual_), std::span(negative_gradient_));
}

namespace {

// Steps by G alone; predictor and residual are stale until move_to().
class QuadraticLoss final : public WorkingLoss {
 public:
  explicit QuadraticLoss(const PenalizedLoss& problem) : WorkingLoss(problem) {}

  double try_step(std::span<const double> step) override {
    image_.assign(step.size(), 0.0);
    for (Index k = 0; k < std::ssize(step); ++k) {
      if (step[k] == 0) continue;
      cblas_daxpy(static_cast<int>(step.size()), step[k], column(k), 1, image_.data(), 1);
    }
    change_ = 0;
    for (Index k = 0; k < std::ssize(step); ++k) change_ += step[k] * (0.5 * image_[k] - negative_gradient_[k]);
    return change_;
  }

  void accept() override {
    for (Index k = 0; k < std::ssize(negative_gradient_); ++k) negative_gradient_[k] -= image_[k];
    loss_ += change_;
  }

  Matrix hessian(std::span<const std::size_t> places) const override {
    const Index size = places.size();
    Matrix H(size, size);
    for (Index l = 0; l < size; ++l) {
      const double* entries = column(places[l]);
      for (Index k = 0; k < size; ++k) H(k, l) = entries[places[k]];
    }
    return H;
  }

 private:
  const double* column(Index k) const { return gram_.data() + k * stride_; }

  void on_add(std::span<const Index> added) override {
    const Index old = features_.size() - added.size();
    const Index size = features_.size();
    widen(old, size);
    const MatrixView block(gram_.data() + old * stride_, size, size - old, stride_);
    problem_.X.cross_gram(Columns(features_), Columns(added), problem_.weights, block);
    sums_.resize(features_.size());
    problem_.X.transpose_multiply(Columns(added), std::span<const double>(problem_.weights),
                                  std::span(sums_).subspan(old));
    for (Index k = old; k < size; ++k) {
      double* entries = gram_.data() + k * stride_;
      const double sum = problem_.intercept ? sums_[k] : 0.0;
      cblas_daxpy(static_cast<int>(size), -sum, sums_.data(), 1, entries, 1);  // weights sum to one
      for (Index i = 0; i < old; ++i) gram_[i * stride_ + k] = entries[i];
    }
  }

  // Columns are moved to a wider stride from the last to the first, in place: G is not held twice.
  void widen(Index old, Index size) {
    if (size <= stride_) return;
    const Index wider = size + size / 4 + 16;
    gram_.resize(wider * wider);
    for (Index k = old - 1; k > 0; --k) {
      std::copy_backward(gram_.data() + k * stride_, gram_.data() + k * stride_ + old, gram_.data() + k * wider + old);
    }
    stride_ = wider;
  }

  std::vector<double> gram_, sums_, image_;
  Index stride_ = 0;
  double change_ = 0;
};

// Steps on the linear predictor.
class PredictorLoss final : public WorkingLoss {
 public:
  explicit PredictorLoss(const PenalizedLoss& problem) : WorkingLoss(problem) {}

  double try_step(std::span<const double> step) override {
    if (!tried_) keep();
    restore();
    std::vector<Index> moved;
    std::vector<double> by;
    for (Index k = 0; k < std::ssize(step); ++k) {
      if (step[k] == 0) continue;
      moved.push_back(features_[k]);
      by.push_back(step[k]);
    }
    problem_.X.multiply_add(Columns(moved), std::span<const double>(by), std::span(eta_));
    profile_intercept();
    tried_ = true;
    return loss_ - kept_loss_;
  }

  void accept() override {
    tried_ = false;
    take_gradient();
  }

  Matrix hessian(std::span<const std::size_t> places) const override {
    std::vector<Index> columns;
    for (const std::size_t k : places) columns.push_back(features_[k]);
    const Index size = columns.size();
    Matrix H(size, size);
    problem_.X.gram(Columns(columns), curvature_, H);
    const double total = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
    if (!problem_.intercept || !(total > 0)) return H;
    std::vector<double> sums(columns.size());
    problem_.X.transpose_multiply(Columns(columns), std::span<const double>(curvature_), std::span(sums));
    for (Index l = 0; l < size; ++l) {
      cblas_daxpy(static_cast<int>(size), -sums[l] / total, sums.data(), 1, H.col(l), 1);
    }
    return H;
  }

  // Changes of the loss below its rounding error count as none, or the line search would halve for ever.
  double resolution() const override { return 1e-15 * (1 + std::abs(loss_)); }

 private:
  void keep() {
    kept_eta_ = eta_;
    kept_intercept_ = intercept_;
    kept_loss_ = loss_;
  }
  void restore() {
    eta_ = kept_eta_;
    intercept_ = kept_intercept_;
  }

  std::vector<double> kept_eta_;
  double kept_intercept_ = 0, kept_loss_ = 0;
};

}  // namespace

std::unique_ptr<WorkingLoss> make_working_loss(const PenalizedLoss& problem) {
  if (problem.likelihood.is_quadratic()) return std::make_unique<QuadraticLoss>(problem);
  return std::make_unique<PredictorLoss>(problem);
}

}  // namespace tamis
