// The points of one annealing path, up and down again: what a Fit and a search take from them, and where they prove
// that the response has no noise.
#pragma once

#include <span>
#include <vector>

#include "method/mean_field/mean_field_path_base.hpp"
#include "problem/standardization.hpp"
#include "search/cv_score.hpp"

namespace tamis {

/// Both directions of one path; at each gamma the one of lower free energy counts.
struct ForwardBackward {
  std::vector<MeanFieldPoint> forward, backward;
  bool is_noiseless = false;  ///< ends at its first point without noise

  const MeanFieldPoint& best(Index k) const {
    if (k >= std::ssize(backward)) return forward[k];
    return backward[k].free_energy < forward[k].free_energy ? backward[k] : forward[k];
  }
  Index size() const { return std::ssize(forward); }
};

/// Index of the first point, of smallest gamma, that leaves nothing of the response although chance would not have
/// found such a set of features; -1: none. `square` is that of the response; as many rows count as y has distinct
/// values at positive weights.
Index first_noiseless(const ForwardBackward& path, double square, std::span<const double> y,
                      std::span<const double> weights, Index features);

/// Fit::path and the objectives of both directions; `scores` may be empty.
void describe_path(Fit& fit, const ForwardBackward& path, std::span<const SpikeSlab> grid,
                   std::span<const CvScore> scores);

/// By how much the held-out error fell from one choice to another, fold by fold; path 0 is that of all rows.
CvScore paired_gain(std::span<const ForwardBackward> before, Index chosen, std::span<const ForwardBackward> after,
                    Index chosen_after);

/// Held-out error of a point on validation data.
CvScore score_on(const Problem& problem, const Standardization& scale, const Validation& held_out,
                 const MeanFieldPoint& point);

}  // namespace tamis
