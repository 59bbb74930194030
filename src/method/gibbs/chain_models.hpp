// The models that a chain visited, as lists of their features: what credible sets are made from. Memory is bounded:
// when the lists grow beyond it every other one is dropped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/checkpoint.hpp"
#include "tamis/fit/model_draws.hpp"

namespace tamis {

class ChainModels {
 public:
  /// Keeps every `stride`-th model, and at most `budget` features in all, or a single model.
  explicit ChainModels(Index stride, Index budget) : stride_(stride), budget_(budget) {}

  void record(std::span<const std::uint8_t> included);
  void exchange(Archive& archive);
  /// Adds the models to `draws`, each weighing as much as the sweeps it stands for; feature k is called names[k].
  void append_to(ModelDraws& draws, std::span<const Index> names) const;

 private:
  void drop_every_other();

  Index stride_;
  Index budget_;
  Index seen_ = 0;
  std::vector<Index> starts_ = {0};
  std::vector<std::int32_t> features_;
};

}  // namespace tamis
