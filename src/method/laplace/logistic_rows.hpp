// Any family but gaussian, above all two classes: penalized logistic regression under any prior variances by Newton's
// method, in the space of rows or of features, whichever is smaller; with many of both by conjugate gradients in the
// space of rows. The mode satisfies d = residual (y - sigma at w = R X'd), so that dual vectors of two classes are
// bounded by the weights of the rows.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "design/sparse_row_gram.hpp"
#include "method/laplace/dual_model.hpp"
#include "method/laplace/row_covariance.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

/// by_rows_ says in which space Newton works, many_ that nothing as large as rows x rows or features x features is
/// factored; then row_gram_diagonal_ is filled, and either row_gram_ or passes_ serves products with XX' if affordable.
class LogisticRows final : public DualModel {
 public:
  explicit LogisticRows(const ScaledProblem& scaled);

  Index rows() const override { return scaled_.rows(); }
  void correlations(ConstMatrixView duals, MatrixView out) const override;
  Slabs large_correlations(const Matrix& duals, const Slabs& slabs, double inside, double outside) const override;
  std::vector<double> predictor(std::span<const double> w) const override;
  Matrix columns(std::span<const Index> features) const override;
  RidgeMode ridge(const PriorVariances& variances, std::span<const double> explained,
                  const RidgeMode* near) const override;
  RidgeMode approximate_ridge(const PriorVariances& variances, const RidgeMode* near) const override;
  RidgeMode ranking_ridge(double variance) const override;
  bool is_approximate() const override { return many_; }
  const SparseRowGram* passes() const override { return passes_ ? &*passes_ : nullptr; }
  Loss loss(std::span<const double> predictor, double intercept) const override;
  std::vector<double> score(std::span<const double> predictor, double intercept) const override;
  std::vector<double> curvature(std::span<const double> predictor, double intercept) const override;

 private:
  /// Where a Newton iteration stands: dual vector or coefficients, and the predictor without intercept and offset.
  struct State {
    std::vector<double> coordinates;
    std::vector<double> fit;
    double intercept = 0;
  };
  using Penalty = std::function<double(const State&)>;
  /// The quadratic model at a state: curvature, its root, and score of every row.
  struct QuadraticModel {
    std::vector<double> score, curvature, root;
  };
  QuadraticModel quadratic_model(const State& state, std::span<const double> explained) const;
  double loss_at(const State& state, std::span<const double> explained) const;
  std::vector<double> eta(std::span<const double> fit, std::span<const double> explained, double intercept) const;
  bool step_down(State& state, const State& target, std::span<const double> explained, const Penalty& penalty) const;

  /// Columns of the features of large variance, times the roots of their excess over the common variance.
  Matrix excess(const PriorVariances& variances) const;
  std::unique_ptr<LargeVarianceColumns> large_variance(const PriorVariances& variances) const;
  /// Newton's step in the space of rows, with what the next one and the evidence need.
  struct Step {
    std::unique_ptr<RowSystem> system = nullptr;  ///< nullptr: the arithmetic gave out
    State target = {};
    std::vector<double> shifted = {};  ///< of the intercept's system
    double information = 1;            ///< Fisher information of the intercept, the features integrated out
    double length = HUGE_VAL;          ///< largest change of a predictor
  };
  Step newton_step(const RowCovariance& K, const State& from, std::span<const double> explained,
                   std::span<const double> shifted_before) const;
  RidgeMode ridge_by_rows(const RowCovariance& K, std::span<const double> explained, const RidgeMode* near,
                          double last_move) const;
  struct Precision {
    double residual;   ///< of the iterations, relative
    double last_move;  ///< of a predictor: a step that moves none by more is the last
  };
  RidgeMode iterated_ridge(const PriorVariances& variances, std::span<const double> explained, const RidgeMode* near,
                           const Precision& precision) const;
  RidgeMode ridge_by_features(const PriorVariances& variances, std::span<const double> explained,
                              const RidgeMode* near) const;

  const Family& likelihood_;
  bool many_;  // both rows and features: nothing is factorized that is as large
  bool by_rows_;
  Matrix row_gram_;                        // XX' where it is affordable
  std::vector<double> row_gram_diagonal_;  // its diagonal, where there are many
  std::optional<SparseRowGram> passes_;    // its products, where X is sparse and there are many
};

}  // namespace tamis
