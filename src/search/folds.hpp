// Cross-validation folds: given by the caller, or balanced, random by seed and stratified by class (or by zero and
// nonzero counts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

/// Fold of every row, 0 .. folds - 1; rows of weight 0 get -1. The number of folds is cut to what the data carry: at
/// most one per row, and none at all (an empty result) when some training set would have no information.
struct Folds {
  int count = 0;
  std::vector<int> fold_of_row;
};
/// The purpose of the folds; the numbers are streams of the seed. A search inside a training set must not reuse the
/// folds of the comparison that drew it.
enum class FoldDraw : std::uint64_t { search = 0xF01D, comparison = 0xC0F01D };
Folds make_folds(const Problem& problem, int wanted, std::uint64_t seed, FoldDraw purpose = FoldDraw::search);
/// Those that the caller gave (Control::fold_of_row), numbered without gaps, or drawn ones.
Folds make_folds(const Problem& problem, const Control& control);
/// Refuses given folds with a training set that cannot be fitted (InvalidInput).
void check_given_folds(const Problem& problem, std::span<const int> fold_of_row);

/// The weights of one fold: of its training rows and of its validation rows, each summing to one.
struct FoldWeights {
  std::vector<double> training;
  std::vector<double> validation_weights;
};
/// `weights` sum to one.
FoldWeights split_weights(const Folds& folds, int fold, std::span<const double> weights);

}  // namespace tamis
