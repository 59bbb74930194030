// Columns are copied once into contiguous blocks that never move (std::list), so pointers into them stay valid while
// others are added; the k x k Gram matrix of the known features is kept apart because every posterior reads it densely.
#include "method/ard/gram_rows.hpp"

#include <algorithm>

namespace tamis {

void GramRows::enlarge_gram(Index size) {
  if (size <= gram_.rows()) return;
  // Grows by doubling: the copies add up to O(k^2), not O(k^3).
  Matrix larger(std::max<Index>(64, 2 * size), std::max<Index>(64, 2 * size));
  for (Index b = 0; b < this->size(); ++b) std::copy_n(gram_.col(b), this->size(), larger.col(b));
  gram_ = std::move(larger);
}

void GramRows::add(std::span<const Index> features) {
  std::vector<Index> fresh;
  for (const Index j : features) {
    if (place_[j] >= 0) continue;
    place_[j] = static_cast<std::int32_t>(size() + std::ssize(fresh));
    fresh.push_back(j);
  }
  if (fresh.empty()) return;
  const Index before = size();
  enlarge_gram(before + std::ssize(fresh));
  Matrix& block = blocks_.emplace_back(data_.features(), std::ssize(fresh));
  data_.products_with(fresh, block);
  features_.insert(features_.end(), fresh.begin(), fresh.end());
  for (Index c = 0; c < block.cols(); ++c) {
    rows_.push_back(block.col(c));
    const Index b = before + c;
    // Mirrored, so that the matrix is symmetric to the last bit.
    for (Index a = 0; a <= b; ++a) gram_(a, b) = gram_(b, a) = block(features_[a], c);
  }
}

}  // namespace tamis
