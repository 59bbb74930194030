#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SvmlightReader, ReadsLabelsAndSparseColumns) {
  const Dataset data = read_bytes("d.svm", "2.5 1:1 3:2\n-1 2:0.5 # a comment\n\n# only a comment\n0 qid:7 3:4\n");
  EXPECT_THAT(data.features, ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(data.y, ElementsAre(2.5, -1, 0));
  EXPECT_THAT(column(*data.X, 2), ElementsAre(2, 0, 4));
  EXPECT_EQ(data.format, "svmlight");
  EXPECT_NEAR(data.X->stored_per_column(), 4.0 / 3.0, 1e-15);
}

TEST(SvmlightReader, IsRecognisedByContent) { EXPECT_EQ(read_bytes("data", "1 1:2 2:3\n").format, "svmlight"); }

TEST(SvmlightReader, KeepsASampleWithoutFeatures) {
  EXPECT_THAT(column(*read_bytes("d.svm", "1\n2 1:5\n").X, 0), ElementsAre(0, 5));
}

TEST(SvmlightReader, TurnsSignsIntoZeroAndOne) {
  const Dataset data = read_bytes("d.svm", "-1 1:1\n+1 1:2\n");
  EXPECT_THAT(data.y, ElementsAre(0, 1));
  EXPECT_THAT(data.levels, ElementsAre("-1", "1"));
}

TEST(SvmlightReader, LeavesSignsAsTheyAreWhereNumbersAreWanted) {
  ReadOptions options;
  options.signs_are_classes = false;
  const Dataset data = read_bytes("d.svm", "-1 1:1\n+1 1:2\n", options);
  EXPECT_THAT(data.y, ElementsAre(-1, 1));
  EXPECT_THAT(data.levels, testing::IsEmpty());
}

TEST(SvmlightReader, CodesSignsForAModelAsItsTrainingDataWere) {
  ReadOptions options;
  options.features = {"x1"};
  EXPECT_THAT(read_bytes("d.svm", "-1 1:1\n+1 1:2\n", options).y, ElementsAre(-1, 1)) << "they were numbers";
  options.levels = {"-1", "1"};
  options.signs_are_classes = false;
  EXPECT_THAT(read_bytes("d.svm", "-1 1:1\n+1 1:2\n", options).y, ElementsAre(0, 1));
  const Dataset one_class = read_bytes("d.svm", "+1 1:1\n+1 1:2\n", options);
  EXPECT_THAT(one_class.y, ElementsAre(1, 1));
  EXPECT_THAT(one_class.levels, ElementsAre("-1", "1"));
}

TEST(SvmlightReader, NamesColumnsByTheFilesOwnIndicesFromZeroToo) {
  const Dataset data = read_bytes("d.svm", "1 0:5 2:6\n");
  EXPECT_THAT(data.features, ElementsAre("x0", "x1", "x2"));
}

TEST(SvmlightReader, HasZerosForIndicesThatNoRowMentions) {
  const Dataset data = read_bytes("d.svm", "1 1:5\n");
  const std::vector<std::string> features = {"x1", "x2", "x0"};
  const auto X = align(data, features);
  EXPECT_THAT(column(*X, 0), ElementsAre(5));
  EXPECT_THAT(column(*X, 1), ElementsAre(0));
  EXPECT_THROW(align(data, std::vector<std::string>{"age"}), InvalidInput);
}

TEST(SvmlightReader, RefusesDecreasingAndRepeatedIndicesWithTheLine) {
  EXPECT_THAT(refusal("d.svm", "1 1:1\n1 3:1 2:1\n"),
              HasSubstr("d.svm: line 2: index 2 follows 3; indices must increase"));
  EXPECT_THAT(refusal("d.svm", "1 2:1 2:1\n"), HasSubstr("line 1: index 2 follows 2"));
}

TEST(SvmlightReader, RefusesWhatIsNotAPair) {
  EXPECT_THAT(refusal("d.svm", "1 1:1 x\n"), HasSubstr("line 1: \"x\" is not an index:value pair"));
  EXPECT_THAT(refusal("d.svm", "1 -1:1\n"), HasSubstr("\"-1:1\" is not an index:value pair"));
  EXPECT_THAT(refusal("d.svm", "1 99999999999999999999:1\n"), HasSubstr("is not an index:value pair"));
  EXPECT_THAT(refusal("d.svm", "1 1:nan\n"), HasSubstr("the value of \"1:nan\" is not a finite number"));
  EXPECT_THAT(refusal("d.svm", "1 1:1e999\n"), HasSubstr("the value of \"1:1e999\" is not a finite number"));
  EXPECT_THAT(refusal("d.svm", "a 1:1\n"), HasSubstr("label \"a\" is not a finite number"));
}

TEST(SvmlightReader, RefusesIndicesBeyondBelief) {
  EXPECT_THAT(refusal("d.svm", "1 3000000000:1\n"), HasSubstr("index 3000000000 is too large"));
  EXPECT_THAT(refusal("d.svm", "1 1000000000:1\n"),
              HasSubstr("1000000000 columns are implausible for 1 stored value;"));
}

TEST(SvmlightReader, RefusesFilesWithoutContent) {
  EXPECT_THAT(refusal("d.svm", ""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("d.svm", "# nothing\n"), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("d.svm", "1\n2\n"), HasSubstr("no line has an index:value pair"));
}

TEST(SvmlightReader, LetsAColumnBeTheTargetOrLeftOut) {
  ReadOptions options = with_target("x2");
  options.exclude = {"x3"};
  const Dataset data = read_bytes("d.svm", "1 1:1 2:2 3:3\n5 1:4\n", options);
  EXPECT_THAT(data.y, ElementsAre(2, 0));
  EXPECT_THAT(data.features, ElementsAre("x1"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 4));
}

}  // namespace
}  // namespace tamis::io
