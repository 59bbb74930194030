// Relevance: the evidence of prior variances gamma and everything that follows from it, by Woodbury's identity on the
// selected features. With x_i ~ N(0, gamma_i) and Sigma = noise I + Phi Gamma Phi' (Wipf & Nagarajan, NIPS 2007, Eq. 2;
// several targets: Eq. 21, where the matrix XX' is meant to be YY'):
//   cost L = log|Sigma| + tr(Y'Sigma^-1 Y)/t + penalty * sum_u log(1 + gamma_u |phi_u|^2 / noise),
// and with q = Phi'Sigma^-1 Y, z = diag(Phi'Sigma^-1 Phi) the KKT conditions |q|^2/t = z where gamma > 0 and
// <= z where gamma = 0 (z including the penalty's derivative). Sigma itself is factored only when selected features
// outnumber samples by far: at small noise its Cholesky factor loses what S = noise I + D G D (D = sqrt(gamma)) keeps.
#pragma once

#include <span>
#include <vector>

#include "method/ard/gram_rows.hpp"

namespace tamis {

/// Fixed parts of the cost.
struct RelevanceCost {
  double noise_variance = 1;
  double penalty = 0;  ///< of multiplicity, 0 in the paper
};

/// A posterior: the groups whose gamma is positive, and the moments of their features.
struct RelevancePoint {
  RelevanceCost model;
  std::vector<Index> feature_groups;
  std::vector<double> gamma;          ///< of each unit
  std::vector<Index> features;        ///< members of the units, in their order
  std::vector<Index> places;          ///< of the features in GramRows
  std::vector<double> feature_gamma;  ///< gamma of each feature's unit
  Matrix mean;                        ///< posterior mean, features x targets
  std::vector<double> remaining;      ///< posterior over prior variance of each feature, in (0, 1]
  Matrix factor;                      ///< lower Cholesky factor of S, or of Sigma / noise if by_samples
  double residual_square = 0;         ///< |Y - Phi mean|^2
  double cost = 0;
  bool by_samples = false;
  bool constrained = false;       ///< `mean` is not the posterior mean but what a constraint leaves of it
  bool numerically_valid = true;  ///< false: arithmetic failed, nothing else holds

  Index size() const { return std::ssize(features); }
};

/// Of every group.
struct RelevanceScores {
  std::vector<double> q_squared;  ///< sum over the members of |q|^2 / targets
  std::vector<double> z;          ///< sum over the members of phi'Sigma^-1 phi, without the penalty's part
};

/// Largest relative violation of the KKT conditions above, for gamma > 0 and gamma = 0.
struct Certificate {
  double active = 0;
  double inactive = 0;
  double worst() const { return active > inactive ? active : inactive; }
};

class Relevance {
 public:
  explicit Relevance(const RelevanceData& data) : data_(data), rows_(data) {}
  const RelevanceData& data() const { return data_; }
  GramRows& rows() { return rows_; }
  const GramRows& rows() const { return rows_; }

  /// The posterior at these variances (all positive). With `coefficients` (members of the groups x targets) the cost is
  /// that of these instead of the posterior mean, which for a constraint on x is what an algorithm lowers.
  RelevancePoint posterior_at(std::vector<Index> feature_groups, std::vector<double> gamma, const RelevanceCost& model,
                              const Matrix* coefficients = nullptr);
  /// q^2 and z of every group. No pass over X, unless cancellation makes some z inaccurate.
  RelevanceScores scores(const RelevancePoint& point) const;
  /// The same for these groups only, at their cost alone; `scores` has room for all.
  void score_groups(const RelevancePoint& point, std::span<const Index> feature_groups, RelevanceScores& scores) const;
  /// q = Phi'Sigma^-1 Y of every feature, features x targets; not for a point by samples.
  Matrix gradient(const RelevancePoint& point) const;
  /// Posterior covariance of the features of a point; not for one by samples.
  Matrix covariance(const RelevancePoint& point) const;
  /// z of group u with the penalty's derivative at this gamma.
  double with_penalty(double z, Index u, double gamma, const RelevanceCost& model) const {
    const double norm = data_.group_norms()[u];
    return z + model.penalty * norm / (model.noise_variance + gamma * norm);
  }
  /// Over all groups, or only those that `allowed` (per group; empty: all) admits.
  Certificate certificate(const RelevancePoint& point, const RelevanceScores& scores,
                          std::span<const char> allowed = {}) const;

 private:
  void list_features(RelevancePoint& point) const;
  void posterior_by_samples(RelevancePoint& point) const;
  void score_by_samples(const RelevancePoint& point, std::vector<double>& q_squared, std::vector<double>& z) const;
  void take_cost(RelevancePoint& point, double log_determinant) const;
  bool factor(RelevancePoint& point) const;
  void take_mean(RelevancePoint& point) const;
  void score_by_features(const RelevancePoint& point, std::vector<double>& q_squared, std::vector<double>& z) const;
  void score_panel(const RelevancePoint& point, Index first, Index count, std::vector<double>& q_squared,
                   std::vector<double>& z) const;
  void scores_from_posterior(const RelevancePoint& point, std::vector<char>& known, std::vector<double>& q_squared,
                             std::vector<double>& z) const;
  // Whether |phi|^2 - |projection|^2 is so small against |phi|^2 that it has lost five digits or more.
  bool is_cancelled(Index feature, double noise, double z) const {
    constexpr double share = 1e-5;
    const double norm = data_.squared_norms()[feature];
    return norm > 0 && z * noise < share * norm;
  }
  void recompute_cancelled(const RelevancePoint& point, std::span<const Index> features, std::vector<double>& z) const;

  const RelevanceData& data_;
  GramRows rows_;
};

}  // namespace tamis
