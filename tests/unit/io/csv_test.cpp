#include <cmath>

#include "tamis/base/parallel.hpp"
#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(CsvReader, ReadsNumbersByColumn) {
  const Dataset data = read_bytes("d.csv", "a,b,y\n1,2.5,3\n-4,5e-1,6\n", with_target("y"));
  EXPECT_THAT(data.features, ElementsAre("a", "b"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, -4));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(2.5, 0.5));
  EXPECT_THAT(data.y, ElementsAre(3, 6));
  EXPECT_EQ(data.format, "csv");
}

TEST(CsvReader, AcceptsWindowsLineEndsAByteOrderMarkAndEmptyLinesAtTheEnd) {
  const Dataset data = read_bytes("d.csv",
                                  "\xef\xbb\xbf"
                                  "a,b\r\n1,2\r\n3,4\r\n\r\n\n",
                                  no_target());
  EXPECT_THAT(data.features, ElementsAre("a", "b"));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(2, 4));
}

TEST(CsvReader, NeedsNoNewlineAtTheEnd) {
  EXPECT_THAT(column(*read_bytes("d.csv", "a,b\n1,2\n3,4", no_target()).X, 1), ElementsAre(2, 4));
}

TEST(CsvReader, UnderstandsQuotesDoubledQuotesAndQuotedNewlines) {
  const Dataset data =
      read_bytes("d.csv", "\"a \"\"x\"\"\",\"b\nc\",t\n\"1\",2,\"u,\n\"\"v\"\"\"\n3, \"4\" ,w\n", no_target());
  EXPECT_THAT(data.features, ElementsAre("a \"x\"", "b\nc", "t=u,\n\"v\"", "t=w"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 3));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(2, 4));
  EXPECT_THAT(column(*data.X, 2), ElementsAre(1, 0));
}

TEST(CsvReader, AcceptsPlusSignsAndBlanksAroundNumbers) {
  EXPECT_THAT(column(*read_bytes("d.csv", "a,b\n +1.5 ,2\n\t7,2\n", no_target()).X, 0), ElementsAre(1.5, 7));
}

TEST(CsvReader, FindsTheDelimiterByItselfAndByExtension) {
  EXPECT_THAT(read_bytes("d.csv", "a;b\n1;2\n", no_target()).features, ElementsAre("a", "b"));
  EXPECT_THAT(read_bytes("d.csv", "a\tb\n1\t2\n", no_target()).features, ElementsAre("a", "b"));
  EXPECT_THAT(read_bytes("d.tsv", "a,b,c\td\n1\t2\n", no_target()).features, ElementsAre("a,b,c", "d"));
}

TEST(CsvReader, NamesNamelessColumnsByPosition) {
  EXPECT_THAT(read_bytes("d.csv", ",b,\"\"\n1,2,3\n", no_target()).features, ElementsAre("column1", "b", "column3"));
}

TEST(CsvReader, CodesTextColumnsAsSortedIndicatorsOfAllLevels) {
  const Dataset data = read_bytes("d.csv", "colour,x\nred,1\nblue,2\nred,3\n", no_target());
  EXPECT_THAT(data.features, ElementsAre("colour=blue", "colour=red", "x"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(0, 1, 0));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(1, 0, 1));
  EXPECT_THAT(data.text_columns, ElementsAre("colour"));
}

TEST(CsvReader, StoresManyIndicatorsSparsely) {
  std::string text = "letter\n";
  for (int k = 0; k < 40; ++k) text += std::string(1, static_cast<char>('a' + k % 10)) + "\n";
  const Dataset data = read_bytes("d.csv", text, no_target());
  EXPECT_EQ(data.features.size(), 10U);
  EXPECT_EQ(data.X->stored_per_column(), 4.0);
  EXPECT_EQ(column(*data.X, 3)[13], 1);
}

TEST(CsvReader, MakesATextTargetOfTwoLevelsZeroAndOne) {
  const Dataset data = read_bytes("d.csv", "x,y\n1,yes\n2,no\n3,yes\n", with_target("y"));
  EXPECT_THAT(data.y, ElementsAre(1, 0, 1));
  EXPECT_THAT(data.levels, ElementsAre("no", "yes"));
}

TEST(CsvReader, RefusesATextTargetOfThreeLevels) {
  EXPECT_THAT(refusal("d.csv", "x,y\n1,a\n2,b\n3,c\n", with_target("y")),
              HasSubstr("d.csv: target \"y\" is text with 3 distinct values (\"a\", \"b\", \"c\"); a text response "
                        "must have exactly two"));
}

TEST(CsvReader, RefusesAnEmptyFile) {
  EXPECT_THAT(refusal("d.csv", ""), HasSubstr("d.csv: the file is empty"));
  EXPECT_THAT(refusal("d.csv", "\n\n"), HasSubstr("the file is empty"));
}

TEST(CsvReader, RefusesAHeaderWithoutRows) {
  EXPECT_THAT(refusal("d.csv", "a,b\n"), HasSubstr("the file has a header but no rows"));
}

TEST(CsvReader, RefusesARaggedRowWithItsLine) {
  EXPECT_THAT(refusal("d.csv", "a,b,c\n1,2,3\n4,5\n"), HasSubstr("line 3 (row 2) has 2 fields, but the header has 3"));
  EXPECT_THAT(refusal("d.csv", "a,b\n\"1\n\",2\n4,5,6\n"),
              HasSubstr("line 4 (row 2) has 3 fields, but the header has 2"));
}

TEST(CsvReader, SaysWhatToDoAboutARaggedRow) {
  EXPECT_THAT(refusal("d.csv", "a,b,c\n1,2,3\n4,5\n"),
              EndsWith("leave the field of a missing value empty, but keep its separator"));
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n3,4,5\n"), EndsWith("quote fields that contain a comma"));
  EXPECT_THAT(refusal("d.csv", "a;b\n1;2\n3;4;5\n"), EndsWith("quote fields that contain a semicolon"));
  EXPECT_THAT(refusal("d.tsv", "a\tb\n1\t2\t\n3\t4\t\n"), EndsWith("remove the trailing tab"));
}

TEST(CsvReader, NamesAnEmptyLineAmongTheRowsOrAboveTheHeader) {
  EXPECT_EQ(refusal("d.csv", "a,b\r\n1,2\r\n  \r\n3,4\r\n"),
            "d.csv: line 3 is empty; remove it: empty lines are allowed only at the end");
  EXPECT_EQ(refusal("d.csv", "\n\na,b\n1,2\n"),
            "d.csv: line 1 is empty; expected the column names: remove empty lines above the header");
}

TEST(CsvReader, TakesAnEmptyLineForAMissingValueOfTheOnlyColumn) {
  EXPECT_THAT(refusal("d.csv", "a\n1\n\n3\n", no_target()), HasSubstr("row 2, column \"a\" is missing"));
}

TEST(CsvReader, ExplainsRowNamesWithoutAHeader) {
  EXPECT_THAT(refusal("d.csv", "a,b\nr1,2,3\nr2,5,6\n"),
              HasSubstr("if the first column contains row names, name it in the header"));
}

TEST(CsvReader, RefusesMoreCellsThanBytesBeforeTakingMemory) {
  std::string text;
  for (int k = 0; k < 5000; ++k) text += fmt::format("{}c{}", k > 0 ? "," : "", k);
  for (int k = 0; k < 50000; ++k) text += "\n1";
  EXPECT_THAT(refusal("d.csv", text), HasSubstr("line 2 (row 1) has 1 field, but the header has 5000"));
}

TEST(CsvReader, RefusesAnOpenQuoteWithItsLine) {
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n3,\"4\n5,6\n"), HasSubstr("line 3 opens a quote that is never closed"));
  EXPECT_THAT(refusal("d.csv", "a,\"b\n1,2\n"), HasSubstr("line 1 opens a quote that is never closed"));
}

TEST(CsvReader, RefusesAQuoteInsideAField) {
  EXPECT_THAT(refusal("d.csv", "a,b\n1,5\"pipe\"\n"), HasSubstr("line 2 (row 1): unexpected quote inside a field"));
}

TEST(CsvReader, RefusesInfiniteAndOversizedNumbersWithRowAndColumn) {
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n3,inf\n", no_target()),
              HasSubstr("row 2, column \"b\": \"inf\" is infinite or out of range"));
  EXPECT_THAT(refusal("d.csv", "a,b\n1e400,2\n3,4\n", no_target()),
              HasSubstr("row 1, column \"a\": \"1e400\" is infinite or out of range"));
}

TEST(CsvReader, ReadsNumbersTooSmallForADoubleAsZero) {
  EXPECT_THAT(column(*read_bytes("d.csv", "a\n1e-400\n", no_target()).X, 0), ElementsAre(0));
}

TEST(CsvReader, TakesAFewWordsInANumberColumnForAMistake) {
  std::string text = "id,age\n";
  for (int k = 1; k <= 20; ++k) text += k == 17 ? "17,4x2\n" : fmt::format("{},{}\n", k, 20 + k);
  EXPECT_THAT(refusal("d.csv", text),
              HasSubstr("row 17, column \"age\": \"4x2\" is not a number, but 19 of 20 cells of this column are"));
}

TEST(CsvReader, RefusesRepeatedNames) {
  EXPECT_THAT(refusal("d.csv", "a,b,a\n1,2,3\n"), HasSubstr("columns 1 and 3 have the same name \"a\""));
}

TEST(CsvReader, RefusesNulBytesWithTheLine) {
  EXPECT_THAT(refusal("d.csv", std::string("a,b\n1,2\n3,\0\n", 11)), HasSubstr("line 3 contains a NUL byte"));
  EXPECT_THAT(refusal("d.csv", std::string("a,\0\n1,2\n", 8)), HasSubstr("line 1 contains a NUL byte"));
}

TEST(CsvReader, RefusesNamesAndLevelsThatAreNotUtf8) {
  EXPECT_THAT(refusal("d.csv", "a,\xe9t\xe9\n1,2\n"), HasSubstr("the name of column 2 is not UTF-8"));
  EXPECT_THAT(refusal("d.csv", "a,b\n1,\xe9\n", no_target()),
              HasSubstr("column \"b\" contains text that is not UTF-8 (\"?\")"));
  EXPECT_THAT(refusal("d.csv", "\xff\xfe\x61"), HasSubstr("the file is encoded in UTF-16; save it as CSV in UTF-8"));
  for (const std::string& mark : {std::string("\xff\xfe\0\0", 4), std::string("\0\0\xfe\xff", 4)}) {
    EXPECT_THAT(refusal("d.csv", mark + "a"), HasSubstr("the file is encoded in UTF-32; save it as CSV in UTF-8"));
  }
}

TEST(CsvReader, ExplainsOldMacintoshLineEnds) {
  EXPECT_THAT(refusal("d.csv", "a,b\r1,2\r"), HasSubstr("lines end in a bare carriage return"));
}

// Chunks are cut at a megabyte; records with quoted newlines cross the cuts.
TEST(CsvReader, ReadsManyChunksAlikeOnOneThreadAndOnTwo) {
  std::string text = "x,note,z\n";
  const Index n = 60000;
  for (Index i = 0; i < n; ++i)
    text += fmt::format("{},\"{}\n\"\"{}\",{}\n", i, "some, words with a newline", i % 7, -i);
  ASSERT_GT(text.size(), 2U << 20);
  for (const int threads : {1, 2}) {
    with_threads(threads, [&] {
      const Dataset data = read_bytes("d.csv", text, no_target());
      ASSERT_EQ(data.X->rows(), n);
      ASSERT_EQ(data.features.size(), 9U);
      const auto x = column(*data.X, 0);
      const auto level = column(*data.X, 4);
      const auto z = column(*data.X, 8);
      for (Index i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        ASSERT_EQ(x[k], i);
        ASSERT_EQ(z[k], -i);
        ASSERT_EQ(level[k], i % 7 == 3 ? 1 : 0);
      }
    });
  }
}

TEST(CsvReader, CutsTheFileAnywhereWithoutChangingWhatIsRead) {
  std::string text = "x,note,\"z\nz\",t\r\n";
  for (int i = 0; i < 40; ++i) text += fmt::format("{},\"a \"\"q\"\"\n{}\",{},{}\r\n", i, i % 3, i * 0.5, "uvw"[i % 3]);
  const Dataset whole = read_bytes("d.csv", text, no_target());
  ASSERT_EQ(whole.features.size(), 8U);
  for (std::size_t bytes = 1; bytes < 200; ++bytes) {
    Limits limits;
    limits.chunk_bytes = bytes;
    const Dataset cut = read_source(Source::of_bytes("d.csv", text, limits), no_target());
    ASSERT_EQ(cut.features, whole.features) << bytes;
    for (Index j = 0; j < whole.X->cols(); ++j) ASSERT_EQ(column(*cut.X, j), column(*whole.X, j)) << bytes;
  }
}

TEST(CsvReader, ExplainsDecimalCommas) {
  EXPECT_THAT(refusal("d.csv", "a;b\n1,5;2\n2,5;3\n", no_target()),
              HasSubstr("row 1, column \"a\": \"1,5\" is written with a decimal comma; expected a decimal point"));
}

TEST(CsvReader, ReportsTheFirstOfManyFaultsWhateverTheThreads) {
  std::string text = "a,b\n";
  for (int i = 0; i < 400000; ++i) text += i >= 200000 && i % 2 == 0 ? "1,2,3\n" : "1,2\n";
  with_threads(2, [&] { EXPECT_THAT(refusal("d.csv", text), HasSubstr("line 200002 (row 200001)")); });
}

}  // namespace
}  // namespace tamis::io
