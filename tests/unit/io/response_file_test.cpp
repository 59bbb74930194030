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
              testing::AllOf(HasSubstr("d.csv: there are 2 rows, but the response in "), HasSubstr("has 3 values"),
                             testing::EndsWith("expected one per row")));
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n3\n", options_with("yes\nno\nyes\n")),
              HasSubstr("has 2 values; expected one per row (its first line, \"yes\", was taken for its name)"));
}

TEST_F(ResponseFile, IsWhereATargetIsLookedFor) {
  ReadOptions options = options_with("5\n6\n");
  options.target = "a";
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n2,4\n", options),
              testing::AllOf(HasSubstr("d.csv: --target names the column \"a\" here, and --response another response"),
                             HasSubstr("give one of the two")));
  options.target = "nosuch";
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n2,4\n", options),
              testing::AllOf(HasSubstr("with --response, --target names a column of "),
                             HasSubstr("there is no \"nosuch\" in it (its column has no name); leave --target out")));
  options = options_with("height\n5\n6\n");
  options.target = "weight";
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n", options), HasSubstr("no \"weight\" in it (it has \"height\")"));
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
              testing::AllOf(HasSubstr("d.csv: the response \"height\" comes from "),
                             HasSubstr("there is a column \"height\" here too; leave it out with --exclude height")));
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
  EXPECT_THAT(refusal("d.csv", "a\n1\n2\n", options), HasSubstr("a response file has one column, this one has 2"));
  options.target = "v";
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options).y, ElementsAre(2, 4));
}

}  // namespace
}  // namespace tamis::io
