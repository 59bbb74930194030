#include <gmock/gmock.h>

#include "tamis/io/dataset.hpp"
#include "unit/io/feature_file.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class PenaltyFactors : public FeatureFile<read_penalty_factors> {
 protected:
  PenaltyFactors() : FeatureFile({"age", "income, net", "city=Rome", "7"}) {}
};

TEST_F(PenaltyFactors, AreFoundByNameInAnyOrder) {
  EXPECT_THAT(read("feature,factor\ncity=Rome,2.5\nage,0\n"), ElementsAre(0, 1, 2.5, 1));
  EXPECT_THAT(read("note,factor,feature\nx,3,\"income, net\"\n"), ElementsAre(1, 3, 1, 1));
}

TEST_F(PenaltyFactors, MayBelongToFeaturesWhoseNamesAreNumbers) {
  EXPECT_THAT(read("feature,factor\n7,4\n"), ElementsAre(1, 1, 1, 4));
}

TEST_F(PenaltyFactors, OfAnUnknownFeatureAreRefused) {
  EXPECT_THAT(refused("feature,factor\n7,1\nagee,2\n"),
              testing::AllOf(HasSubstr("row 2: \"agee\" is not a feature"), HasSubstr("did you mean")));
}

TEST_F(PenaltyFactors, AreRefusedWhenTheyAreNegativeMissingTextOrGivenTwice) {
  EXPECT_THAT(refused("feature,factor\nage,-1\n"),
              HasSubstr("the factor of \"age\" is -1; factors must be nonnegative numbers"));
  EXPECT_THAT(refused("feature,factor\nage,\n7,1\n"), HasSubstr("the factor of \"age\" is missing"));
  EXPECT_THAT(refused("feature,factor\nage,much\n"), HasSubstr("factors must be nonnegative numbers"));
  EXPECT_THAT(refused("feature,factor\nage,1\nage,2\n"), HasSubstr("row 2: \"age\" is listed twice"));
  EXPECT_THAT(refused("feature,factor\n,1\n7,1\n"), HasSubstr("row 1: the feature is missing"));
}

TEST_F(PenaltyFactors, NeedBothColumns) {
  EXPECT_THAT(refused("name,factor\nage,1\n"), HasSubstr("expected the columns feature and factor"));
}

}  // namespace
}  // namespace tamis::io
