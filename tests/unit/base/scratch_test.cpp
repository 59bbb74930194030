#include "base/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace tamis {
namespace {

TEST(Scratch, InsideAnotherIsOtherMemory) {
  const Scratch outer(10);
  outer[3] = 5;
  {
    const Scratch inner(10);
    inner[3] = 7;
  }
  const Scratch again(1000);
  again[3] = 8;
  EXPECT_EQ(outer[3], 5);
}

TEST(Scratch, IsAlignedForTheWidestVectors) {
  for (const Index count : {0, 1, 100, 5'000'000}) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(Scratch(count).data()) % 64, 0u);
  }
}

}  // namespace
}  // namespace tamis
