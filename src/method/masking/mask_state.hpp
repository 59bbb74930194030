// The state of Bayesian masking (Kondo, Maeda & Hayashi 2015): y = (X o Z) beta + intercept + noise, z_nk Bernoulli of
// rate pi_k. Masks have independent posteriors of mean mu_nk; weights, rates and noise are at the maximum of G, a lower
// bound of the factorized information criterion (Eq. 10). A row of weight w counts as w equal rows with equal masks.
#pragma once

#include <optional>
#include <vector>

#include "family/working_response.hpp"
#include "method/masking/mask_kernels.hpp"
#include "method/masking/mask_matrix.hpp"

namespace tamis {

/// Rows that count, columns as they are worked on. Updates by em and collapsed do not depend on the scale of a column.
struct MaskData {
  const Family& likelihood;
  MaskMatrix X;
  std::vector<double> y;
  std::vector<double> offset;   ///< empty: zeros
  std::vector<double> weights;  ///< how often a row counts, > 0
  bool intercept = true;
};

struct MaskFeature {
  double beta = 0;
  double log_odds = 0;    ///< of its rate pi
  double shift = 0;       ///< log odds of the masks less the evidence of their rows
  double size = 0;        ///< root mean square of its column
  bool certain = false;   ///< pi = 1: no masks
  bool stale = true;      ///< its masks changed after the products of its column were taken
  Index skip_sweeps = 0;  ///< sweeps for which it is left alone next time that it is found certain
  Index skips_left = 0;   ///< sweeps until it is looked at again
  double pace = 1;        ///< share of a gradient step that its rate takes
  double last_move = 0;   ///< of its rate, by a gradient step
  MaskSums sums;

  double rate() const;
};

/// Everything between two steps. Invariants: residual = target - intercept - masked beta over the active features;
/// sums belong to the masks in `masked`; precisions and target belong to the quadratic bound of the likelihood taken by
/// update_working_response().
struct MaskState {
  explicit MaskState(MaskData given);

  /// Masks 1/2, weights by least squares (with a ridge if there are too many), noise by their residual (given: as
  /// given), rates 1/2.
  void start(std::optional<double> noise_variance);

  Index rows() const { return data.X.rows(); }
  MaskRows rows_of(Index k);
  MaskFeature& feature(Index k) { return features[k]; }
  const MaskFeature& feature(Index k) const { return features[k]; }
  /// Sum of precision (target - prediction)^2 expected under the masks: the noise variance times the samples (Eq. 13).
  double expected_square() const;
  /// G of Eq. 10, K being the active features: comparable between states of the same active set only.
  double objective() const;
  /// Takes a feature out for good.
  void remove(Index k);
  /// Masks of a certain feature: all one.
  void make_certain(Index k);
  /// The intercept at its maximum, and the residual with it.
  void center_residual();
  /// Takes the quadratic bound of the likelihood at the current state; nothing to do for gaussian responses. Never
  /// lowers G.
  void update_working_response();
  /// Residual anew from its definition, against accumulated rounding.
  void rebuild_residual();
  /// Takes the products of masked columns that are stale. Masks that are all one do not change, and they soon are most.
  void refresh_products();
  /// Mean masks of one feature, for every row.
  std::vector<double> masks(Index k) const;

  MaskData data;
  double samples = 0;  ///< N: the sum of the weights
  std::vector<MaskFeature> features;
  std::vector<Index> active;        ///< in the order of updates
  MaskMatrix masked;                ///< X o M
  MaskMatrix products;              ///< masked' W masked, W = row_weights, of active features as of refresh_products()
  std::vector<double> column_sums;  ///< masked' W 1, likewise
  std::vector<double> target_products;  ///< masked' W target, likewise
  double intercept = 0;
  double noise_precision = 1;
  bool learn_noise = true;
  /// Of a normal prior of the weights. The paper's is flat; but a response of two classes that some features separate
  /// would send their weights to infinity, so there it is weak: a standard deviation of 5 per unit of a column.
  double prior_precision = 0;
  std::vector<double> residual, target, precisions;
  std::vector<double> row_weights;  ///< weights times precisions
  double constant = 0;              ///< of the bound, in G

 private:
  void start_weights();
  void order_updates();
  std::vector<double> predictor_variance() const;

  WorkingResponse working_response_;
  std::vector<double> evidence_;
};

/// Least noise variance in units of the response's: below it the response is reproduced, and G has no maximum.
inline constexpr double min_noise_share = 1e-10;

}  // namespace tamis
