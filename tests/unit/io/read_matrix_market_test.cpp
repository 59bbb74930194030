#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string coordinate(const std::string& rest, const std::string& kind = "real general") {
  return "%%MatrixMarket matrix coordinate " + kind + "\n% a comment\n" + rest;
}
std::string array(const std::string& rest, const std::string& kind = "real general") {
  return "%%MatrixMarket matrix array " + kind + "\n" + rest;
}
Dataset read(const std::string& text) { return read_bytes("d.mtx", text, no_target()); }
std::string refused(const std::string& text) { return refusal("d.mtx", text, no_target()); }

TEST(MatrixMarketReader, ReadsCoordinatesInAnyOrder) {
  const Dataset data = read(coordinate("2 3 3\n2 3 1.5\n1 1 2\n2 1 -3\n"));
  EXPECT_THAT(data.features, ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(2, -3));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(0, 0));
  EXPECT_THAT(column(*data.X, 2), ElementsAre(0, 1.5));
  EXPECT_EQ(data.format, "matrix-market");
}

TEST(MatrixMarketReader, ReadsPatternsAndWholeNumbers) {
  EXPECT_THAT(column(*read(coordinate("2 1 1\n2 1\n", "pattern general")).X, 0), ElementsAre(0, 1));
  EXPECT_THAT(column(*read(coordinate("2 1 1\n2 1 7\n", "integer general")).X, 0), ElementsAre(0, 7));
}

TEST(MatrixMarketReader, MirrorsSymmetricMatrices) {
  EXPECT_THAT(column(*read(coordinate("2 2 2\n1 1 5\n2 1 3\n", "real symmetric")).X, 1), ElementsAre(3, 0));
  EXPECT_THAT(column(*read(coordinate("2 2 1\n2 1 3\n", "real skew-symmetric")).X, 1), ElementsAre(-3, 0));
}

TEST(MatrixMarketReader, ReadsArraysColumnByColumn) {
  const Dataset data = read(array("2 2\n1\n2\n3\n4\n"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 2));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(3, 4));
  const Dataset symmetric = read(array("2 2\n1\n2\n3\n", "real symmetric"));
  EXPECT_THAT(column(*symmetric.X, 1), ElementsAre(2, 3));
  const Dataset skew = read(array("2 2\n7\n", "real skew-symmetric"));
  EXPECT_THAT(column(*skew.X, 0), ElementsAre(0, 7));
  EXPECT_THAT(column(*skew.X, 1), ElementsAre(-7, 0));
}

TEST(MatrixMarketReader, RefusesPlacesOutsideTheMatrixWithTheLine) {
  EXPECT_THAT(refused(coordinate("2 2 2\n1 1 1\n3 1 1\n")),
              HasSubstr("d.mtx: line 5: row 3, column 1 is outside the 2 x 2 matrix"));
  EXPECT_THAT(refused(coordinate("2 2 1\n0 1 1\n")), HasSubstr("line 4: row 0, column 1 is outside"));
}

TEST(MatrixMarketReader, RefusesRepeatedPlacesWithBothLines) {
  EXPECT_THAT(refused(coordinate("2 2 3\n1 2 1\n1 1 1\n1 2 9\n")),
              HasSubstr("line 6: row 1, column 2 was already given on line 4"));
  EXPECT_THAT(refused(coordinate("2 2 2\n1 2 1\n2 1 1\n", "real symmetric")), HasSubstr("line 5: row"));
}

TEST(MatrixMarketReader, RefusesSizesThatTheBytesCannotHold) {
  EXPECT_THAT(refused(coordinate("5 5 1000000000000\n1 1 1\n")), HasSubstr("does not fit in"));
  EXPECT_THAT(refused(array("1000000000 1000000000\n1\n")), HasSubstr("does not fit in"));
  EXPECT_THAT(refused(array("9223372036854775807 9223372036854775807\n1\n", "real symmetric")),
              HasSubstr("does not fit in"));
  EXPECT_THAT(refused(coordinate("1000000000 1 1\n1 1 1\n")),
              HasSubstr("1000000000 rows are implausible for 1 stored value;"));
  EXPECT_THAT(refused(coordinate("1 9000000000 1\n1 1 1\n")), HasSubstr("9000000000 columns are too many"));
  EXPECT_THAT(refused(coordinate("99999999999999999999 1 1\n1 1 1\n")), HasSubstr("is not a size line"));
}

TEST(MatrixMarketReader, RefusesTooFewAndTooManyEntries) {
  EXPECT_THAT(refused(coordinate("2 2 3\n1 1 1\n1 2 1\n")), HasSubstr("expected 3 values, but the file ends after 2"));
  EXPECT_THAT(refused(coordinate("2 2 1\n1 1 1\n1 2 1\n")),
              HasSubstr("line 5: there are more values than the 1 declared"));
}

TEST(MatrixMarketReader, RefusesEntriesThatDoNotRead) {
  EXPECT_THAT(refused(coordinate("2 2 1\n1 x 1\n")),
              HasSubstr("line 4: \"1 x 1\" is not a row, a column and a finite number"));
  EXPECT_THAT(refused(coordinate("2 2 1\n1 1 inf\n")), HasSubstr("line 4: \"1 1 inf\" is not"));
  EXPECT_THAT(refused(coordinate("2 2 1\n1 1 1\n", "pattern general")), HasSubstr("is not a row and a column"));
  EXPECT_THAT(refused(array("1 1\nabc\n")), HasSubstr("line 3: \"abc\" is not a finite number"));
}

TEST(MatrixMarketReader, RefusesKindsItCannotRead) {
  EXPECT_THAT(refused(coordinate("1 1 1\n1 1 1 1\n", "complex general")),
              HasSubstr("line 1: field \"complex\" is not supported; expected one of real"));
  EXPECT_THAT(refused(coordinate("1 1 1\n1 1 1\n", "real hermitian")),
              HasSubstr("symmetry \"hermitian\" is not supported"));
  EXPECT_THAT(refused("%%MatrixMarket vector coordinate real general\n"),
              HasSubstr("object \"vector\" is not supported; expected matrix"));
  EXPECT_THAT(refused(array("1 1\n1\n", "pattern general")), HasSubstr("an array cannot have field pattern"));
  EXPECT_THAT(refused(coordinate("2 3 1\n1 1 1\n", "real symmetric")), HasSubstr("expected a square matrix"));
  EXPECT_THAT(refused(coordinate("0 3 0\n")),
              HasSubstr("the matrix is empty; expected at least one row and one column"));
  EXPECT_THAT(refused(coordinate("2 2 1\n1 1 5\n", "real skew-symmetric")),
              HasSubstr("line 4: the diagonal of a skew-symmetric matrix is zero"));
  EXPECT_THAT(refused(coordinate("")), HasSubstr("the file ends before the size line"));
  EXPECT_THAT(refused("1 2 3\n"), HasSubstr("expected %%MatrixMarket"));
  EXPECT_THAT(refused(""), HasSubstr("d.mtx: the file is empty; expected %%MatrixMarket"));
}

}  // namespace
}  // namespace tamis::io
