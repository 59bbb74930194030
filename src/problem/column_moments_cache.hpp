// Means and standard deviations of the columns of the problem that is being fitted. The pass that checks for NaN
// computes them anyway; the cache saves every later user another pass over X. Per thread and nested: a method may fit
// another.
#pragma once

#include <memory>

#include "tamis/design/decorators.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// While it lives, of() on this thread knows the moments of this problem.
class ColumnMomentsCache {
 public:
  explicit ColumnMomentsCache(const Problem& problem);
  ~ColumnMomentsCache();
  ColumnMomentsCache(const ColumnMomentsCache&) = delete;
  ColumnMomentsCache& operator=(const ColumnMomentsCache&) = delete;

  const ColumnMoments& moments() const { return *moments_; }

  /// The moments of the columns of `problem` under its weights: those known on this thread, or taken now.
  static std::shared_ptr<const ColumnMoments> of(const Problem& problem);

 private:
  bool knows(const Problem& problem) const;

  const Design* X_;
  std::span<const double> weights_;
  std::shared_ptr<const ColumnMoments> moments_;
  const ColumnMomentsCache* outer_;  // of the fit that this one is part of
};

}  // namespace tamis
