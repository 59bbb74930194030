// The loss of a penalized problem as a function of a growing set of working features, the intercept profiled out.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solver/path/penalized_loss.hpp"
#include "solver/smooth/gist.hpp"

namespace tamis {

/// Quadratic losses keep a Gram matrix and take steps without touching the data; others keep the linear predictor.
class WorkingLoss : public SmoothLoss {
 public:
  ~WorkingLoss() override = default;
  WorkingLoss(const WorkingLoss&) = delete;
  WorkingLoss& operator=(const WorkingLoss&) = delete;

  const std::vector<Index>& features() const { return features_; }
  /// Adds features behind the known ones, with coefficient 0.
  void add(std::span<const Index> added);
  /// Moves to these coefficients of features(); predictor, intercept, loss and gradient are computed from the data.
  void move_to(std::span<const double> b);

  /// Second derivatives by some of the features, given by their places among features(), at the present coefficients.
  virtual Matrix hessian(std::span<const std::size_t> places) const = 0;

  std::span<const double> negative_gradient() const override { return negative_gradient_; }
  double value() const override { return loss_; }
  /// Linear predictors and weighted residuals, exact after move_to().
  const std::vector<double>& predictor() const { return eta_; }
  const std::vector<double>& residual() const { return residual_; }
  double intercept() const { return intercept_; }
  const PenalizedLoss& problem() const { return problem_; }

 protected:
  explicit WorkingLoss(const PenalizedLoss& problem);
  virtual void on_add(std::span<const Index> added) { (void)added; }
  /// Minimizes over the intercept at the present coefficients; residual, curvature and loss are then those of eta_.
  void profile_intercept();
  void take_gradient();

  const PenalizedLoss& problem_;
  std::vector<Index> features_;
  std::vector<double> eta_, residual_, curvature_, negative_gradient_;
  double null_intercept_ = 0;
  double intercept_ = 0;
  double loss_ = 0;
  bool tried_ = false;  // a step has been tried and not yet accepted

 private:
  double evaluate();
};

/// `problem` must outlive it.
std::unique_ptr<WorkingLoss> make_working_loss(const PenalizedLoss& problem);

}  // namespace tamis
