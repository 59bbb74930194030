// Averages over all 2^p subsets of the features of a gaussian spike-and-slab regression.
//
// The subsets are the leaves of a binary tree that decides one feature after the other. Including a feature is a
// rank-one update of the features that are still undecided (a pivot, as in the sweep operator); leaving it out is
// nothing at all. On the way back the averages of the two branches are mixed by their posterior probabilities. A level
// of the tree has half as many nodes as the next but only one feature more to update, so a subset costs a constant
// number of operations, whatever p. No feature is ever taken out of a factorization, so a subset meets at most p pivots
// and errors do not build up as they do along a Gray code, where updates and downdates follow each other 2^p times.
#pragma once

#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

/// y = X b + noise; b_j is 0 with probability 1 - prior_inclusion, otherwise N(0, slab_variance).
struct SpikeAndSlab {
  double prior_inclusion = 0.5;  ///< in (0, 1]
  double slab_variance = 1;      ///< > 0
  double noise_variance = 1;     ///< > 0
};

struct SubsetAverage {
  /// log of sum_s p(s) p(y | s) / p(y | no feature): the log evidence above that of noise alone.
  double log_gain = 0;
  std::vector<double> inclusion;  ///< posterior probability that a feature is in the subset
  std::vector<double> mean;       ///< of b, over subsets and coefficients
  Matrix covariance;              ///< of b, over subsets and coefficients
};

/// `gram` = X'X / samples and `correlation` = X'y / samples of a problem of `samples` rows, which need not be whole.
/// At most 30 features. The work is cut into the same pieces whatever the number of threads.
SubsetAverage average_over_subsets(ConstMatrixView gram, std::span<const double> correlation, double samples,
                                   const SpikeAndSlab& model);

}  // namespace tamis
