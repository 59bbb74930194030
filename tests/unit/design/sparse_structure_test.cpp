// SparseDesign takes memory from files and callers: every unsound structure is refused with its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tamis/base/error.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// 3 x 2: column 1 has rows 0 and 2, column 2 has row 1.
SparseColumns valid() { return {.rows = 3, .cols = 2, .starts = {0, 2, 3}, .indices = {0, 2, 1}, .values = {1, 2, 3}}; }

void expect_refused(const SparseColumns& columns, const char* reason) {
  EXPECT_THAT([&] { SparseDesign{columns}; }, ThrowsMessage<InvalidInput>(HasSubstr(reason)));
}

TEST(SparseStructure, ASoundOneIsTaken) {
  const SparseDesign X(valid());
  EXPECT_EQ(X.rows(), 3);
  EXPECT_EQ(X.cols(), 2);
  EXPECT_EQ(X.stored_per_column(), 1.5);
}

TEST(SparseStructure, AMatrixWithoutColumnsIsTaken) {
  const SparseDesign X({.rows = 3, .cols = 0, .starts = {0}, .indices = {}, .values = {}});
  EXPECT_EQ(X.cols(), 0);
}

TEST(SparseStructure, AViewLooksAtTheMemoryOfItsCaller) {
  const SparseColumns memory = valid();
  const SparseDesign X(SparseView(3, 2, memory.starts, memory.indices, memory.values));
  EXPECT_EQ(X.column(1)->values, &memory.values[2]);
  EXPECT_EQ(X.column(1)->rows, &memory.indices[2]);
}

TEST(SparseStructure, AViewIsRefusedAsItsCopyIs) {
  const SparseColumns memory = valid();
  EXPECT_THAT([&] { SparseDesign(SparseView(2, 2, memory.starts, memory.indices, memory.values)); },
              ThrowsMessage<InvalidInput>(HasSubstr("row index 2")));
}

TEST(SparseStructure, RefusesTooFewStarts) {
  SparseColumns s = valid();
  s.starts = {0, 3};
  expect_refused(s, "2 column starts");
  s.starts = {};
  expect_refused(s, "0 column starts");
}

TEST(SparseStructure, RefusesStartsThatDoNotEndAtTheNumberOfValues) {
  SparseColumns s = valid();
  s.starts = {0, 2, 4};
  expect_refused(s, "expected columns + 1 starts from 0 to the number of values");
}

TEST(SparseStructure, RefusesStartsThatFall) {
  SparseColumns s = valid();
  s.starts = {0, 100, 3};
  expect_refused(s, "column 2 starts at 100 and ends at 3");
}

TEST(SparseStructure, RefusesFewerIndicesThanValues) {
  SparseColumns s = valid();
  s.indices = {0, 2};
  expect_refused(s, "2 row indices and 3 values");
}

TEST(SparseStructure, RefusesARowBeyondTheLast) {
  SparseColumns s = valid();
  s.indices = {0, 3, 1};
  expect_refused(s, "column 1 has row index 3; expected strictly increasing indices from 0 to 2");
}

TEST(SparseStructure, RefusesANegativeRow) {
  SparseColumns s = valid();
  s.indices = {0, 2, -1};
  expect_refused(s, "column 2 has row index -1");
}

TEST(SparseStructure, RefusesARepeatedRow) {
  SparseColumns s = valid();
  s.indices = {2, 2, 1};
  expect_refused(s, "sum duplicates");
}

TEST(SparseStructure, RefusesRowsOutOfOrder) {
  SparseColumns s = valid();
  s.indices = {2, 0, 1};
  expect_refused(s, "column 1 has row index 0");
}

TEST(SparseStructure, RefusesMoreRowsThanIndicesCanName) {
  SparseColumns s = valid();
  s.rows = Index{1} << 31;
  expect_refused(s, "received 2147483648 rows");
}

}  // namespace
}  // namespace tamis
