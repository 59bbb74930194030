#include "method/gibbs/chain_models.hpp"

namespace tamis {

void ChainModels::record(std::span<const std::uint8_t> included) {
  if (seen_++ % stride_ != 0) return;
  for (std::int32_t k = 0; k < std::ssize(included); ++k) {
    if (included[k] != 0) features_.push_back(k);
  }
  starts_.push_back(std::ssize(features_));
  while (std::ssize(features_) > budget_ && starts_.size() > 2) drop_every_other();
}

// Of models 0, 1, 2, ... those with an even number stay, as if the stride had been twice as long from the start.
void ChainModels::drop_every_other() {
  std::vector<Index> starts = {0};
  std::vector<std::int32_t> features;
  for (Index d = 0; d + 1 < std::ssize(starts_); d += 2) {
    features.insert(features.end(), features_.begin() + starts_[d], features_.begin() + starts_[d + 1]);
    starts.push_back(std::ssize(features));
  }
  starts_ = std::move(starts);
  features_ = std::move(features);
  stride_ *= 2;
}

void ChainModels::exchange(Archive& archive) {
  archive.expect(budget_, "the number of stored features");
  archive(stride_);
  archive(seen_);
  archive(starts_);
  archive(features_);
}

void ChainModels::append_to(ModelDraws& draws, std::span<const Index> names) const {
  if (draws.starts.empty()) draws.starts = {0};
  for (Index d = 0; d + 1 < std::ssize(starts_); ++d) {
    for (Index e = starts_[d]; e < starts_[d + 1]; ++e) draws.features.push_back(names[features_[e]]);
    draws.starts.push_back(std::ssize(draws.features));
    draws.weights.push_back(static_cast<double>(stride_));
  }
}

}  // namespace tamis
