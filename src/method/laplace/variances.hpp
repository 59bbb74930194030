// Posterior variances by Laplace's method: the diagonal of (X'BX + R^-1)^-1, where B is the curvature of the loss of
// each observation in its linear predictor and R the prior variances; the intercept is profiled out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/scaled_response.hpp"

namespace tamis {

/// How the inverse is taken.
///  dual: exactly, in the space of rows; full: exactly, p x p; landmark: X'BX is represented by the columns of the
///  landmarks (Nystrom); nystrom: by random columns, averaged over disjoint sets of them (the paper's
///  ensemble).
enum class HessianKind { dual, landmark, nystrom, full };

/// The exact one that is cheaper, or landmark where both are dear.
HessianKind affordable_hessian(const ScaledProblem& scaled);

/// The ensemble of nystrom: how many sets of how many columns. Unless it was given, sets are fewer and smaller where
/// there are not enough features.
struct NystromSets {
  Index count = 5, columns = 5;  // the paper's
  bool given = false;
};

class SparseRowGram;

/// One per kept feature. `landmarks`: kept features, for that kind only. `passes` over the kept columns make landmarks
/// quicker; nullptr: there are none.
std::vector<double> posterior_variances(const ScaledProblem& scaled, std::span<const double> information,
                                        std::span<const double> prior_variances, HessianKind kind,
                                        std::span<const Index> landmarks, std::uint64_t seed,
                                        const SparseRowGram* passes = nullptr, NystromSets sets = {});

}  // namespace tamis
