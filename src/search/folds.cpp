// Assignment of rows to cross-validation folds.
//
// Drawn      a random permutation keyed by the seed, dealt out in turn: sizes differ by at most one. Binary and count
//            responses are stratified (y > 0 or not), so that each fold has its share of the rarer stratum.
// Given      indices of the caller, renumbered without gaps; every training set must be fittable, and the message says
//            which is not.
// Fewer      If no training set could have two classes (or a positive count), no folds are made and no search is done;
//            the number of folds never exceeds the number of rows with positive weight.
// Weights    A fold is not a copy of rows: it is the same X with training weights 0 on its rows, which lets all folds
//            share passes over X, and validation weights elsewhere 0. Both are normalized to sum to one.
#include "search/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis {
namespace {

Folds given_folds(const Problem& problem, std::span<const int> fold_of_row) {
  std::map<int, int> number;
  const auto counts = [&](std::size_t i) { return problem.weights.empty() || problem.weights[i] > 0; };
  for (Index i = 0; i < std::ssize(fold_of_row); ++i) {
    if (counts(i)) number.emplace(fold_of_row[i], 0);
  }
  Folds folds{0, std::vector<int>(fold_of_row.size(), -1)};
  for (auto& [given, index] : number) index = folds.count++;
  for (Index i = 0; i < std::ssize(fold_of_row); ++i) {
    if (counts(i)) folds.fold_of_row[i] = number.at(fold_of_row[i]);
  }
  return folds;
}

// Whether the rows outside `fold` suffice to fit the family: at least two, both classes, a positive count.
void check_training_rows(const Problem& problem, const Folds& folds, int fold) {
  Index rows = 0, positive = 0;
  for (Index i = 0; i < std::ssize(folds.fold_of_row); ++i) {
    if (folds.fold_of_row[i] == -1 || folds.fold_of_row[i] == fold) continue;
    ++rows;
    if (problem.y[i] > 0) ++positive;
  }
  if (rows < 2)
    throw InvalidInput(fmt::format(
        "folds: the training set of fold {} has fewer than 2 rows with positive weight; use other folds", fold));
  const Family::Response response = problem.likelihood.traits().response;
  if (response == Family::Response::binary && (positive == 0 || positive == rows)) {
    throw InvalidInput(fmt::format(
        "folds: the training set of fold {} has only one class; spread each class over at least 2 folds", fold));
  }
  if (response == Family::Response::count && positive == 0) {
    throw InvalidInput(fmt::format(
        "folds: the training set of fold {} has only zero counts; spread positive counts over at least 2 folds", fold));
  }
}

}  // namespace

void check_given_folds(const Problem& problem, std::span<const int> fold_of_row) {
  if (fold_of_row.size() != problem.y.size()) {
    throw InvalidInput(
        fmt::format("folds: received {} fold indices for {} rows", fold_of_row.size(), problem.y.size()));
  }
  const auto negative = std::ranges::find_if(fold_of_row, [](int fold) { return fold < 0; });
  if (negative != fold_of_row.end()) {
    throw InvalidInput(fmt::format("folds: row {} has fold index {}; expected an index from 0",
                                   negative - fold_of_row.begin() + 1, *negative));
  }
  const Folds folds = given_folds(problem, fold_of_row);
  if (folds.count < 2)
    throw InvalidInput("folds: all rows with positive weight are in one fold; at least 2 folds are needed");
  for (int fold = 0; fold < folds.count; ++fold) check_training_rows(problem, folds, fold);
}

Folds make_folds(const Problem& problem, const Control& control) {
  return control.fold_of_row.empty() ? make_folds(problem, control.folds, control.seed)
                                     : given_folds(problem, control.fold_of_row);
}

Folds make_folds(const Problem& problem, int wanted, std::uint64_t seed, FoldDraw purpose) {
  const Index n = problem.X.rows();
  const Family::Response response = problem.likelihood.traits().response;
  const bool stratify = response != Family::Response::real;
  std::vector<Index> stratum[2];
  for (const Index i : RandomStream(seed, static_cast<std::uint64_t>(purpose)).permutation(n)) {
    const Index s = i;
    if (!problem.weights.empty() && problem.weights[s] == 0) continue;
    stratum[stratify && problem.y[s] > 0 ? 1 : 0].push_back(i);
  }
  const Index usable = stratum[0].size() + stratum[1].size();
  // Every training set needs both classes; counts need one that is not zero.
  const bool two_classes = response == Family::Response::binary;
  const bool too_few = stratify && (stratum[1].size() < 2 || (two_classes && stratum[0].size() < 2));
  if (usable < 3 || too_few) return {};
  Folds folds{static_cast<int>(std::min<Index>(wanted, usable)), std::vector<int>(n, -1)};
  int next = 0;
  for (const std::vector<Index>& rows : stratum) {
    for (const Index i : rows) {
      folds.fold_of_row[i] = next;
      next = (next + 1) % folds.count;
    }
  }
  return folds;
}

FoldWeights split_weights(const Folds& folds, int fold, std::span<const double> weights) {
  FoldWeights split{{weights.begin(), weights.end()}, std::vector<double>(weights.size(), 0.0)};
  double training = 0, validation = 0;
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (folds.fold_of_row[i] == fold) std::swap(split.training[i], split.validation_weights[i]);
    training += split.training[i];
    validation += split.validation_weights[i];
  }
  for (double& w : split.training) w /= training;
  for (double& w : split.validation_weights) w /= validation;
  return split;
}

}  // namespace tamis
