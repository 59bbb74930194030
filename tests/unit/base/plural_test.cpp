#include "tamis/base/plural.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tamis {
namespace {

TEST(Counted, OnlyOneHasNoS) {
  EXPECT_EQ(plural(0, "row"), "0 rows");
  EXPECT_EQ(plural(1, "row"), "1 row");
  EXPECT_EQ(plural(10000, "row"), "10000 rows");
}

TEST(Joined, HasAWordBeforeTheLast) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined(std::vector<std::string_view>{"lasso"}), "lasso");
  EXPECT_EQ(joined(std::vector<std::string_view>{"lasso", "ridge"}), "lasso and ridge");
  EXPECT_EQ(joined(std::vector<std::string_view>{"lasso", "ridge", "vg"}, "or"), "lasso, ridge or vg");
}

}  // namespace
}  // namespace tamis
