// Inner loops of Bayesian masking over the rows of one feature: its masks are Bernoulli with log odds
// evidence_n + shift, where the evidence c_nk depends on row n and the shift is common to all rows (Eq. 11).
#pragma once

#include <span>

#include "tamis/base/index.hpp"

namespace tamis {

/// Rows of one feature. `masked` is x times the mean of its mask, `residual` the response less what all features
/// predict; `evidence` is scratch.
struct MaskRows {
  const double* x;
  double* masked;
  double* residual;
  const double* weights;     ///< how often a row counts
  const double* precisions;  ///< of a row, in units of the noise precision
  double* evidence;
  Index count;
  bool certain;  ///< all masks are one: `masked` equals `x` and is not read

  MaskRows part(Index begin, Index end) const {
    return {x + begin,          masked + begin,   residual + begin, weights + begin,
            precisions + begin, evidence + begin, end - begin,      certain};
  }
};

/// Sums over rows, weighted by their counts, of mu, 1 - mu and mu (1 - mu).
struct RateSums {
  double on = 0, off = 0, both = 0;
  RateSums& operator+=(const RateSums& other);
};

/// What the objective needs to know of a column of masks.
struct MaskSums {
  double on = 0, off = 0;
  double entropy = 0;  ///< of the masks
  double spread = 0;   ///< sum of precision x^2 mu (1 - mu)
  MaskSums& operator+=(const MaskSums& other);
};

/// evidence_n = noise_precision precision_n x beta (r_n - x beta / 2), where r_n leaves this feature out: c_nk of
/// Eq. 11.
void take_evidence(const MaskRows& rows, double beta, double noise_precision);

/// Sums at log odds evidence + shift. Relative accuracy holds for small sums of either side.
RateSums rate_sums(const MaskRows& rows, double shift);

/// Sets the masks to sigma(evidence + shift), and the residual with them.
MaskSums set_masks(const MaskRows& rows, double beta, double shift);

/// Sums over rows of weight times value, and of weight times its square; no weights: ones.
struct RowSums {
  double value = 0, square = 0;
};
RowSums row_sums(std::span<const double> values, std::span<const double> weights = {});

}  // namespace tamis
