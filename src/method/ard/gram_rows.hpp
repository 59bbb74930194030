// Rows of the Gram matrix Phi'Phi for every feature that was ever selected: with them, gradients and posterior
// variances of all p features follow without another pass over X.
#pragma once

#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include "method/ard/relevance_data.hpp"

namespace tamis {

/// Rows are only added. Places count features in the order of addition; place(features()[k]) = k, and pointers of row()
/// stay valid while rows are added.
class GramRows {
 public:
  explicit GramRows(const RelevanceData& data) : data_(data), place_(data.features(), std::int32_t{-1}) {}

  /// Adds those of these features that are not known yet: a pass over X for every few of them.
  void add(std::span<const Index> features);
  /// Features known.
  Index size() const { return std::ssize(features_); }
  const std::vector<Index>& features() const { return features_; }
  /// Place of a feature among those known, or -1.
  Index place(Index feature) const { return place_[feature]; }
  /// Phi'phi of the feature at this place, one entry per feature of the data.
  const double* row(Index place) const { return rows_[place]; }
  /// Gram matrix of the features known: column b, entries of all places.
  const double* gram_column(Index b) const { return gram_.col(b); }
  double gram(Index a, Index b) const { return gram_(a, b); }

 private:
  void enlarge_gram(Index size);

  const RelevanceData& data_;
  std::vector<std::int32_t> place_;
  std::vector<Index> features_;
  std::list<Matrix> blocks_;
  std::vector<const double*> rows_;
  Matrix gram_;
};

}  // namespace tamis
