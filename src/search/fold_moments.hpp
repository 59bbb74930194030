// The cross-products of a tall problem and of its cross-validation folds, taken in one reading of X.
#pragma once

#include <vector>

#include "design/cross_products.hpp"
#include "problem/standardization.hpp"
#include "search/folds.hpp"

namespace tamis {

struct FoldMoments {
  CrossProducts<double> total;
  std::vector<CrossProducts<float>> parts;  ///< of each fold's held-out rows
};

/// Whether X'X is small beside X and suffices for the loss: then X need never be read again.
bool moments_suffice(const Problem& problem, const Standardization& scale);

/// False when the squares of some column do not fit single precision, in which folds are held.
bool take_fold_moments(const Problem& problem, const Standardization& scale, const Folds& folds, FoldMoments& out);

}  // namespace tamis
