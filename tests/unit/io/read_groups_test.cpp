#include <gmock/gmock.h>

#include "tamis/io/dataset.hpp"
#include "unit/io/feature_file.hpp"
#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Groups : public FeatureFile<read_groups> {
 protected:
  Groups() : FeatureFile({"age", "income, net", "city=Rome", "city=Oslo"}) {}
};

TEST_F(Groups, AreNumberedInTheOrderOfTheFeatures) {
  EXPECT_THAT(read("feature,group\ncity=Oslo,town\ncity=Rome,town\nage,1\n"), ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(read("group,feature\nb,city=Rome\nb,age\n"), ElementsAre(0, 1, 0, 2));
}

TEST_F(Groups, OfUnknownRepeatedOrMissingNamesAreRefused) {
  EXPECT_THAT(refused("feature,group\nagee,1\n"), HasSubstr("\"agee\" is not a feature of the data"));
  EXPECT_THAT(refused("feature,group\nage,1\nage,2\n"), HasSubstr("row 2: \"age\" is listed twice"));
  EXPECT_THAT(refused("feature,group\nage,\n"), HasSubstr("row 1: the group is missing"));
  EXPECT_THAT(refused("feature,set\nage,1\n"), HasSubstr("expected the columns feature and group"));
}

TEST(SeveralTargets, AreNamedTogetherAndAreNoFeatures) {
  const Dataset data = read_bytes("d.csv", "a,y,b,z\n1,2,3,4\n5,6,7,8\n", with_target("y,z"));
  EXPECT_EQ(data.target, "y");
  EXPECT_THAT(data.more_targets, ElementsAre("z"));
  EXPECT_THAT(data.features, ElementsAre("a", "b"));
  EXPECT_THAT(data.y, ElementsAre(2, 6));
  EXPECT_EQ(data.more_y(1, 0), 8);
}

TEST(SeveralTargets, LoseTheRowsInWhichOneIsMissing) {
  ReadOptions options = with_target("y,z");
  EXPECT_THAT(refusal("d.csv", "a,y,z\n1,2,\n3,4,5\n", options),
              HasSubstr("row 1, column \"z\" (the target) is missing"));
  options.missing = Missing::drop;
  const Dataset data = read_bytes("d.csv", "a,y,z\n1,2,\n3,4,5\n", options);
  EXPECT_THAT(data.y, ElementsAre(4));
  EXPECT_EQ(data.more_y(0, 0), 5);
}

TEST(SeveralTargets, AreOneWhenAColumnHasTheName) {
  const Dataset data = read_bytes("d.csv", "a,\"y,z\"\n1,2\n", with_target("y,z"));
  EXPECT_EQ(data.target, "y,z");
  EXPECT_TRUE(data.more_targets.empty());
}

TEST(SeveralTargets, AreRefusedIfUnknownTwiceOrText) {
  EXPECT_THAT(refusal("d.csv", "a,y\n1,2\n", with_target("y,q")),
              HasSubstr("target column \"q\" not found; the columns are \"a\", \"y\""));
  EXPECT_THAT(refusal("d.csv", "a,y\n1,2\n", with_target("y,y")), HasSubstr("target \"y\" is given more than once"));
  EXPECT_THAT(refusal("d.csv", "a,y,t\n1,2,u\n2,3,v\n", with_target("y,t")),
              HasSubstr("multiple targets must be numeric"));
}

}  // namespace
}  // namespace tamis::io
