// Two classes: penalised logistic regression under any prior variances by Newton's method, in the space of rows or of
// features, whichever is smaller.
#pragma once

#include <functional>

#include "method/laplace/row_model.hpp"
#include "tamis/likelihood/likelihood.hpp"

namespace tamis {

class LogisticRows final : public RowModel {
 public:
  explicit LogisticRows(const Observations& observations, const Likelihood& likelihood);

  Index rows() const override { return observations_.rows(); }
  void correlations(ConstMatrixView duals, MatrixView out) const override;
  std::vector<double> predictor(std::span<const double> w) const override;
  Matrix columns(std::span<const Index> features) const override;
  RidgeMode ridge(const PriorVariances& variances, std::span<const double> explained,
                  const RidgeMode* near) const override;
  Loss loss(std::span<const double> predictor, double intercept) const override;
  std::vector<double> pull(std::span<const double> predictor, double intercept) const override;
  std::vector<double> curvature(std::span<const double> predictor, double intercept) const override;

 private:
  /// Where a Newton iteration stands: dual vector or coefficients, and the predictor without intercept and offset.
  struct State {
    std::vector<double> coordinates;
    std::vector<double> fit;
    double intercept = 0;
  };
  using Penalty = std::function<double(const State&)>;
  /// The quadratic model at a state: curvature, its root, and pull of every row.
  struct View {
    std::vector<double> pull, curvature, root;
  };
  View view(const State& state, std::span<const double> explained) const;
  double loss_at(const State& state, std::span<const double> explained) const;
  std::vector<double> eta(std::span<const double> fit, std::span<const double> explained, double intercept) const;
  bool step_down(State& state, const State& target, std::span<const double> explained, const Penalty& penalty) const;

  RidgeMode ridge_by_rows(const PriorVariances& variances, std::span<const double> explained,
                          const RidgeMode* near) const;
  RidgeMode ridge_by_features(const PriorVariances& variances, std::span<const double> explained,
                              const RidgeMode* near) const;

  const Likelihood& likelihood_;
  bool wide_;
  Matrix outer_;  // XX' where wide
};

}  // namespace tamis
