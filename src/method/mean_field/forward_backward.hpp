// The points of one annealing path, up and down again, and what a Fit and a search take from them.
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

  const MeanFieldPoint& best(Index k) const {
    if (k >= std::ssize(backward)) return forward[k];
    return backward[k].free_energy < forward[k].free_energy ? backward[k] : forward[k];
  }
  Index size() const { return std::ssize(forward); }
};

/// Fit::path and the objectives of both directions; `scores` may be empty.
void describe_path(Fit& fit, const ForwardBackward& path, std::span<const SpikeSlab> grid,
                   std::span<const CvScore> scores);

/// Held-out error of a point on validation data.
CvScore score_on(const Problem& problem, const Standardization& scale, const Validation& held_out,
                 const MeanFieldPoint& point);

}  // namespace tamis
