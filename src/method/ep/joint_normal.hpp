// The normal distribution that expectation propagation works with: coefficients w (and a flat intercept) with the
// density, h being natural means,
//   exp(sum_rows (h_i eta_i - precision_i eta_i^2 / 2) + sum_features (h_j w_j - precision_j w_j^2 / 2)),
// eta = intercept + X w. Its marginals cost O(n^2 p) when there are more features than rows, O(p^3) otherwise.
//
// Features of large precision are eliminated through the n x n matrix I + A D^-1 A' (Woodbury). The few whose precision
// is small, zero or negative, which sites of uncertain features have, form a Schur block that is solved for directly,
// so that only the whole has to be positive definite. With more rows than features all are in it.
#pragma once

#include <vector>

#include "method/ep/tilted.hpp"
#include "problem/scaled_response.hpp"

namespace tamis {

struct JointMarginals {
  std::vector<double> mean, variance;  ///< of the kept features
  double intercept = 0;
  std::vector<double> predictor;           ///< mean of eta of each row, without offset
  std::vector<double> predictor_variance;  ///< of eta; gaussian: empty
  double explained_trace = 0;              ///< sum over rows of precision times variance of eta
  double log_mass = 0;                     ///< log of the integral of the density above
};

class JointNormal {
 public:
  /// Holds a dense copy of X unless the response is gaussian and features are fewer than rows.
  explicit JointNormal(const ScaledProblem& problem);

  /// False if the density has no integral; `out` is then of no use.
  bool solve(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features, JointMarginals& out);

  /// After solve(): one feature at a time, O(n^2) or O(p^2) each. The marginal of feature j without `site`, which it
  /// has.
  NaturalParameters cavity(Index j, const NaturalParameters& site);
  /// After cavity(j, site): exchanges the site of this feature; the cavities of all others follow.
  void exchange(const NaturalParameters& site, const NaturalParameters& other);

 private:
  /// Features eliminated last, in a dense Schur complement (and the intercept), with their moments.
  struct SchurBlock {
    std::vector<bool> is_member;  // of each feature
    std::vector<Index> columns;   // of X_
    Matrix image, covariance;     // M^-1 A and V of these
    std::vector<double> mean;
    double log_determinant = 0;  // of the precisions of the others, then also of these
  };
  bool solve_direct(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                    JointMarginals& out);
  void collect(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features, Matrix& precision,
               std::vector<double>& natural_mean) const;
  bool solve_woodbury(std::span<const NaturalParameters> rows, std::span<const NaturalParameters> features,
                      JointMarginals& out);
  SchurBlock choose_schur_block(std::span<const NaturalParameters> rows,
                                std::span<const NaturalParameters> features) const;
  bool factor_rows(std::span<const NaturalParameters> features, const std::vector<bool>& in_schur,
                   double& log_determinant);
  bool solve_schur_block(std::span<const NaturalParameters> features, std::vector<double>& response,
                         SchurBlock& schur) const;
  void subtract_schur_block(const SchurBlock& schur);
  void fill_means(std::span<const NaturalParameters> features, const SchurBlock& schur, std::span<const double> rest,
                  JointMarginals& out) const;
  void fill_variances(std::span<const NaturalParameters> features, const std::vector<bool>& in_schur,
                      JointMarginals& out) const;
  void fill_rows(std::span<const NaturalParameters> rows, std::span<const double> c, std::span<const double> rest,
                 JointMarginals& out) const;

  const ScaledProblem& data_;
  Index n_, p_;
  bool has_intercept_;  // as a coefficient; a gaussian one is integrated out
  bool direct_;
  Matrix X_;                  // dense working columns, or none
  Matrix gram_;               // direct and gaussian: X'WX, of unit precision
  Matrix inverse_;            // direct: V; Woodbury: (I + A D^-1 A')^-1 and then less the Schur block's part
  std::vector<double> root_;  // of the rows' precisions
  // One site at a time: means (direct) or whitened residual (Woodbury), kept up with inverse_; the feature in turn.
  struct {
    std::vector<double> state, column, image;
    NaturalParameters cavity;
    Index feature = 0;
  } turn_;
};

}  // namespace tamis
