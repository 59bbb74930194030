#include "tamis/report/table.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(TextTable, SetsWordsLeftAndNumbersRight) {
  const std::vector<TableColumn> columns = {{"name", {"a", "longer"}, true}, {"n", {"1", "100"}}};
  EXPECT_EQ(text_table(columns), "name      n\na         1\nlonger  100\n");
}

TEST(TextTable, LeavesNoSpacesAtTheEndOfALine) {
  const std::vector<TableColumn> columns = {{"a", {"1"}}, {"remark", {""}, true}};
  EXPECT_EQ(text_table(columns), "a  remark\n1\n");
}

TEST(TextTable, IsOneLineWithoutRows) {
  const std::vector<TableColumn> columns = {{"a", {}}};
  EXPECT_EQ(text_table(columns), "a\n");
}

}  // namespace
}  // namespace tamis
