#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ResponseFile : public testing::Test {
 protected:
  ReadOptions options_with(const std::string& content) {
    std::ofstream(path_) << content;
    ReadOptions options;
    options.response_file = path_;
    return options;
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::string path_ = testing::TempDir() + fmt::format("tamis-response-{}.csv", ::getpid());
};

TEST_F(ResponseFile, MayHaveANameAboveItOrNone) {
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options_with("5\n6\n")).y, ElementsAre(5, 6));
  const Dataset named = read_bytes("d.csv", "a\n1\n2\n", options_with("height\n5\n6\n"));
  EXPECT_THAT(named.y, ElementsAre(5, 6));
  EXPECT_EQ(named.target, "height");
}

TEST_F(ResponseFile, MustHaveOneValuePerRow) {
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n", options_with("5\n6\n7\n")),
              testing::AllOf(HasSubstr("d.csv: the file has 2 rows, but the response in "), HasSubstr("has 3 values"),
                             testing::EndsWith("expected one value per row")));
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n3\n", options_with("yes\nno\nyes\n")),
              HasSubstr("has 2 values; expected one value per row (its first line, \"yes\", was taken as its name)"));
}

TEST_F(ResponseFile, IsWhereATargetIsLookedFor) {
  ReadOptions options = options_with("5\n6\n");
  options.target = "a";
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n2,4\n", options),
              testing::AllOf(
                  HasSubstr("d.csv: --target names column \"a\" of this file, but --response reads the response from"),
                  HasSubstr("use only one of them")));
  options.target = "nosuch";
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n2,4\n", options),
              testing::AllOf(HasSubstr("with --response, --target must name a column of "),
                             HasSubstr("which has no column \"nosuch\" (its column is unnamed); omit --target")));
  options = options_with("height\n5\n6\n");
  options.target = "weight";
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n", options),
              HasSubstr("which has no column \"weight\" (its column is \"height\")"));
  options.target = "height";
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options).y, ElementsAre(5, 6));
}

TEST_F(ResponseFile, MayBeNamedOtherwiseForAPrediction) {
  ReadOptions options = options_with("5\n6\n");
  options.needs_target = false;
  options.target = "height";
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options).y, ElementsAre(5, 6));
}

TEST_F(ResponseFile, MayNotStandAmongTheFeaturesToo) {
  ReadOptions options = options_with("height\n5\n6\n");
  EXPECT_THAT(refusal("d.csv", "a,height\n1,5\n2,6\n", options),
              testing::AllOf(HasSubstr("d.csv: the response \"height\" is read from "),
                             HasSubstr("this file has a column \"height\" too; exclude it with --exclude height")));
  options.exclude = {"height"};
  EXPECT_THAT(read_bytes("d.csv", "a,height\n1,5\n2,6\n", options).features, ElementsAre("a"));
  options.target = "height";
  EXPECT_THAT(read_bytes("d.csv", "a,height\n1,5\n2,6\n", options).features, ElementsAre("a"));
}

TEST_F(ResponseFile, WithoutANameIsCalledY) {
  EXPECT_EQ(read_bytes("d.csv", "column1,y\n1,2\n2,3\n", options_with("5\n6\n")).target, "y")
      << "and is not mistaken for the column of that name, which may mean anything";
}

TEST_F(ResponseFile, OfSeveralColumnsNeedsATarget) {
  ReadOptions options = options_with("u,v\n1,2\n3,4\n");
  EXPECT_THAT(
      refusal("d.csv", "a\n1\n2\n", options),
      HasSubstr("the response file has 2 columns; specify the response with --target: the columns are \"u\", \"v\""));
  options.target = "v";
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options).y, ElementsAre(2, 4));
}

}  // namespace
}  // namespace tamis::io
