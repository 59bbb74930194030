#include "problem/column_moments_cache.hpp"

namespace tamis {
namespace {

thread_local const ColumnMomentsCache* innermost = nullptr;

std::shared_ptr<const ColumnMoments> take(const Problem& problem) {
  return std::make_shared<const ColumnMoments>(column_moments(problem.X, problem.weights));
}

}  // namespace

ColumnMomentsCache::ColumnMomentsCache(const Problem& problem)
    : X_(&problem.X), weights_(problem.weights), moments_(take(problem)), outer_(innermost) {
  innermost = this;
}

ColumnMomentsCache::~ColumnMomentsCache() { innermost = outer_; }

bool ColumnMomentsCache::knows(const Problem& problem) const {
  return X_ == &problem.X && weights_.data() == problem.weights.data() && weights_.size() == problem.weights.size();
}

std::shared_ptr<const ColumnMoments> ColumnMomentsCache::of(const Problem& problem) {
  for (const ColumnMomentsCache* each = innermost; each != nullptr; each = each->outer_) {
    if (each->knows(problem)) return each->moments_;
  }
  return take(problem);
}

}  // namespace tamis
