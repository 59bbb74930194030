#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::Field;

FileInfo inspected(const std::string& name, std::string_view bytes) {
  return inspect_source(Source::of_bytes(name, bytes, Limits::of_this_machine()));
}

std::vector<std::string> types(const FileInfo& info) {
  std::vector<std::string> out;
  for (const auto& column : info.columns) out.push_back(column.type);
  return out;
}

TEST(Inspect, TellsTheTypesOfColumns) {
  const FileInfo info = inspected("d.csv", "a,b,c,d,e,f\n1.5,1,0,7,u,w\n2,4,1,7,v,w\n3,5,1,,u,w\n");
  EXPECT_THAT(types(info), ElementsAre("number", "integer", "0/1", "constant", "text", "constant"));
  EXPECT_EQ(info.rows, 3);
  EXPECT_EQ(info.cols, 6);
  EXPECT_EQ(info.stored, 18);
  EXPECT_EQ(info.missing, 1);
  EXPECT_EQ(info.columns[3].missing, 1);
  EXPECT_EQ(info.columns[4].distinct, 2);
}

TEST(Inspect, FindsColumnsWithTheSameContent) {
  const FileInfo info = inspected("d.csv", "a,b,c,s,t,u\n1,1,1,x,x,y\n2,3,2,y,y,z\n,4,,x,x,y\n");
  std::vector<std::string> twins;
  for (const auto& column : info.columns) twins.push_back(column.duplicate_of);
  EXPECT_THAT(twins, ElementsAre("", "", "a", "", "s", ""));
}

TEST(Inspect, CountsStoredValuesOfSparseFiles) {
  const FileInfo info = inspected("d.svm", "1 1:1 2:0 3:1\n0 1:2 4:5\n0 3:0 4:5\n1 3:0\n");
  EXPECT_EQ(info.stored, 8);
  EXPECT_THAT(types(info), ElementsAre("integer", "constant", "0/1", "integer"));
  EXPECT_EQ(info.columns[3].duplicate_of, "");
}

TEST(Inspect, SeesThroughStoredZerosWhenItLooksForTwins) {
  const FileInfo info = inspected("d.svm", "1 1:1 2:1\n0 1:0 3:4\n0 2:0 3:4\n");
  EXPECT_EQ(info.columns[1].duplicate_of, "x1");
}

TEST(Inspect, RemarksWhatReadingWouldRemark) {
  EXPECT_THAT(inspected("d.csv", "1,2\n3,4\n").notes, ElementsAre(testing::HasSubstr("all column names are numbers")));
  EXPECT_THAT(
      inspected("d.csv", "a\n1\nx\n").notes,
      ElementsAre("column \"a\" has text in row 2 (\"x\") and numbers in 1 row: treated as text with 2 levels"));
  EXPECT_THAT(inspected("d.svm", "1 1:2\n").notes, testing::IsEmpty());
}

TEST(Inspect, ShowsAnIdentifierColumnInsteadOfRefusingIt) {
  std::string text = "id\n";
  for (int k = 0; k < 50; ++k) text += fmt::format("p{}\n", k);
  EXPECT_EQ(inspected("d.csv", text).columns[0].distinct, 50);
}

}  // namespace
}  // namespace tamis::io
