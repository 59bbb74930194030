// Robust estimate of an unknown noise variance. The evidence is no guide when features outnumber samples: it grows
// without bound as the noise goes to zero. Instead the noise is that of least squares on the support that a cost with a
// multiplicity penalty selects, found as a fixed point.
#pragma once

#include <functional>
#include <vector>

#include "method/ard/algorithms.hpp"

namespace tamis {

struct NoiseSearch {
  double noise_variance = 0;
  std::vector<Index> support;  ///< units
  std::vector<double> visited;
  bool converged = false, cancelled = false;
  RelevanceRun last;
};

/// 2 log(number of groups) - 1, at least 0: the penalty under which pure noise keeps about no group.
double multiplicity_penalty(const RelevanceData& data);

/// `request.model.penalty` holds; its noise is what is sought. `proceed` is asked after every step; false: stop.
NoiseSearch robust_noise(Relevance& model, const RelevanceRequest& request, const std::function<bool()>& proceed);

}  // namespace tamis
