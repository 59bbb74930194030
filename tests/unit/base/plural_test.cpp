#include "tamis/base/plural.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(Counted, OnlyOneHasNoS) {
  EXPECT_EQ(plural(0, "row"), "0 rows");
  EXPECT_EQ(plural(1, "row"), "1 row");
  EXPECT_EQ(plural(10000, "row"), "10000 rows");
}

}  // namespace
}  // namespace tamis
