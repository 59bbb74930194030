// What a mean field is fitted to: one weighting of the rows (all of them, or the training rows of a fold), and which
// hyperparameters are learned.
#pragma once

#include <span>
#include <vector>

#include "prior/spike_slab.hpp"
#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"

namespace tamis {

struct MeanFieldProblem {
  const Design& X;
  const Family& likelihood;
  std::span<const double> y;
  std::span<const double> offset;
  std::vector<double> weights;                  ///< sum to one; 0: a row that is not learned from
  std::vector<double> validation_weights = {};  ///< weights of held-out rows, sum to one
  double samples = 0;                           ///< what the weights would sum to if each row counted as it should
  bool intercept = true;
  std::span<const double> curvature;  ///< x'Wx of every column, exactly or nearly
};

struct MeanFieldParameters {
  SpikeSlab prior;
  double noise_precision = 1;
  bool learn_noise = true;
  bool learn_slab = false;
  bool learn_odds = false;
};

/// What the features outside the working set add up to. Each is nearly 0, together they may count.
struct Remainder {
  double log_odds = 0;      ///< of the prior that it was found with
  double variance = 0;      ///< sum of the variances of their contributions
  double total = 0;         ///< expected number of them
  double second = 0;        ///< sum of m E[weight^2]
  double local = 0;         ///< their part of the free energy
  std::vector<double> fit;  ///< their joint contribution to the predictor; empty: none

  /// `share` of this one, the rest of `other`.
  void mix(const Remainder& other, double share) {
    const auto blend = [share](double mine, double theirs) { return share * mine + (1 - share) * theirs; };
    variance = blend(variance, other.variance);
    total = blend(total, other.total);
    second = blend(second, other.second);
    local = blend(local, other.local);
    if (fit.empty()) fit.resize(other.fit.size());
    for (Index i = 0; i < std::ssize(fit); ++i) fit[i] = blend(fit[i], other.fit.empty() ? 0.0 : other.fit[i]);
  }

  /// As it will be when the prior odds have been multiplied: each m is so small that it follows.
  void scale_odds(double factor) {
    variance *= factor;
    total *= factor;
    second *= factor;
    local *= factor;
    for (double& f : fit) f *= factor;
  }
};

}  // namespace tamis
