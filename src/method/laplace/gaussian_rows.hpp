// Gaussian likelihood, rotated once so that XX' is diagonal: every further prior and noise costs its features of large
// variance only.
#pragma once

#include "method/laplace/best_noise.hpp"
#include "method/laplace/dual_model.hpp"

namespace tamis {

/// With more rows than features the rows are replaced by as many as there are features, X* = D^(1/2) V' from
/// X'X = V D V': same coefficients, evidence and loss.
class GaussianRows final : public DualModel {
 public:
  explicit GaussianRows(const ScaledProblem& scaled);

  Index rows() const override { return std::ssize(eigenvalues_); }
  void correlations(ConstMatrixView duals, MatrixView out) const override;
  std::vector<double> predictor(std::span<const double> w) const override;
  Matrix columns(std::span<const Index> features) const override;
  RidgeMode ridge(const PriorVariances& variances, std::span<const double> explained,
                  const RidgeMode* near) const override;
  Loss loss(std::span<const double> predictor, double intercept) const override;
  std::vector<double> score(std::span<const double> predictor, double intercept) const override;
  std::vector<double> curvature(std::span<const double> predictor, double intercept) const override;
  double noise_variance() const override { return noise_variance_; }
  void set_noise_variance(double variance) override { noise_variance_ = variance; }
  std::optional<double> best_noise_variance(const PriorVariances& variances, double min_evidence) const override;

 private:
  struct Solved {
    std::vector<double> dual;
    NoiseEvaluation evaluation;
  };
  /// `freedom` of the evaluation is computed only if it is asked for (one more triangular solve).
  Solved solve(const PriorVariances& variances, const Matrix& large_variance, std::span<const double> response,
               double noise, bool with_freedom) const;
  void rotate_rows();
  void rotate_features();

  std::vector<double> roots_;  // of the weights
  Matrix vectors_;
  Matrix rotated_columns_;  // all columns, where they are not too many
  bool wide_ = true;
  std::vector<double> eigenvalues_;
  std::vector<double> response_;  // rotated
  double unexplained_ = 0;        // part of the response's square outside the span of the rotated rows
  double noise_variance_ = 0.1;
};

}  // namespace tamis
