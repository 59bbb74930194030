#include <cmath>

#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* with_gaps = "a,b,y\n1,10,1\n,20,2\n3,NA,3\n4,40,?\n5,60,5\n";

TEST(Roles, ProposesCloseNamesForAMissingTarget) {
  EXPECT_THAT(refusal("d.csv", "age,income\n1,2\n", with_target("incme")),
              HasSubstr("d.csv: target column \"incme\" not found; did you mean \"income\"?"));
  EXPECT_THAT(refusal("d.csv", "age,income\n1,2\n", with_target("zzz")),
              HasSubstr("the columns are \"age\", \"income\""));
}

TEST(Roles, AFileSeparatedByBlanksIsToldWhatSeparatesFields) {
  EXPECT_THAT(refusal("d.csv", "age income\n1 2\n", with_target("income")),
              HasSubstr("the only column is \"age income\"; fields must be separated by commas, semicolons or tabs"));
}

TEST(Roles, ATsvFileWithoutTabsIsToldWhatSeparatesFields) {
  EXPECT_THAT(
      refusal("d.tsv", "a,b,y\n1,2,3\n", with_target("y")),
      HasSubstr("the only column is \"a,b,y\"; fields of a .tsv file are separated by tabs: if this one uses commas "
                "or semicolons, rename it to .csv"));
}

TEST(Roles, AsksForATargetWhenTheFileCarriesNone) {
  EXPECT_THAT(refusal("d.csv", "a,b\n1,2\n"), HasSubstr("specify its column with --target"));
}

TEST(Roles, CodesATextResponseAsTheTrainingDataDid) {
  ReadOptions options = with_target("y");
  options.levels = {"no", "yes"};
  EXPECT_THAT(read_bytes("d.csv", "a,y\n1,yes\n2,yes\n", options).y, ElementsAre(1, 1)) << "only one of the two";
  options.levels = {"yes", "no"};
  const Dataset data = read_bytes("d.csv", "a,y\n1,yes\n2,no\n", options);
  EXPECT_THAT(data.y, ElementsAre(0, 1));
  EXPECT_THAT(data.levels, ElementsAre("yes", "no"));
}

TEST(Roles, RefusesAClassThatTheTrainingDataDoNotHave) {
  ReadOptions options = with_target("y");
  options.levels = {"no", "yes"};
  EXPECT_THAT(
      refusal("d.csv", "a,y\n1,yes\n2,maybe\n", options),
      HasSubstr("target \"y\" has the value \"maybe\", which does not occur in the training data (\"no\", \"yes\")"));
  options.needs_target = false;
  EXPECT_THAT(read_bytes("d.csv", "a,y\n1,yes\n2,maybe\n", options).y, ElementsAre(1, 0))
      << "a prediction has no use for it, and compares levels before it judges";
}

TEST(Roles, ATextResponseWithGapsDoesNotStopAPrediction) {
  ReadOptions options = with_target("y");
  options.levels = {"no", "yes"};
  options.needs_target = false;
  EXPECT_THAT(read_bytes("d.csv", "a,y\n1,yes\n2,\n", options).y, IsEmpty());
}

TEST(Missing, IsFilledWithTheTrainingMeansThatAreGiven) {
  ReadOptions options = no_target();
  options.missing = Missing::mean;
  options.features = {"a", "b", "unused"};
  options.means = {7, -2, std::nan("")};
  const Dataset data = read_bytes("d.csv", "b,a,unused\n1,,\n,5,3\n", options);
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, -2));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(7, 5));
  EXPECT_THAT(column(*data.X, 2), ElementsAre(0, 3)) << "what the model does not look at";
  EXPECT_EQ(data.filled_cells, 3);
}

TEST(Missing, TextIsFilledWithTheSharesOfTheTrainingDataAlsoOfLevelsThatTheFileLacks) {
  ReadOptions options = no_target();
  options.missing = Missing::mean;
  options.features = {"city=Paris", "city=Rome", "b"};
  options.means = {0.7, 0.3, 0};
  const Dataset data = read_bytes("d.csv", "city,b\nRome,1\n,2\n", options);
  const auto X = align(data, options.features);
  EXPECT_THAT(column(*X, 0), ElementsAre(0, 0.7));
  EXPECT_THAT(column(*X, 1), ElementsAre(1, 0.3));
}

TEST(Missing, AColumnWithoutAnyValueIsFilledFromTheTrainingData) {
  ReadOptions options = no_target();
  options.missing = Missing::mean;
  options.features = {"a", "b"};
  options.means = {7, 1};
  EXPECT_THAT(column(*read_bytes("d.csv", "a,b\n,1\n,2\n", options).X, 0), ElementsAre(7, 7));
}

TEST(Roles, TakesWeightsAndOffsetsOutOfTheFeatures) {
  ReadOptions options = with_target("y");
  options.weights = "w";
  options.offset = "o";
  options.exclude = {"b"};
  const Dataset data = read_bytes("d.csv", "a,w,b,y,o\n1,2,x,4,5\n6,0,y,9,10\n", options);
  EXPECT_THAT(data.features, ElementsAre("a"));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 6));
  EXPECT_THAT(data.weights, ElementsAre(2, 0));
  EXPECT_THAT(data.offset, ElementsAre(5, 10));
}

TEST(Roles, RefusesNegativeAndAllZeroWeights) {
  ReadOptions options = with_target("y");
  options.weights = "w";
  EXPECT_THAT(refusal("d.csv", "a,w,y\n1,1,1\n2,-3,1\n", options),
              HasSubstr("row 2, column \"w\": weight -3 is negative"));
  EXPECT_THAT(refusal("d.csv", "a,w,y\n1,0,1\n2,0,1\n", options), HasSubstr("all weights in column \"w\" are zero"));
  EXPECT_THAT(refusal("d.csv", "a,w,y\n1,p,1\n2,q,1\n", options),
              HasSubstr("column \"w\" is text; weights and offsets must be numeric"));
}

TEST(Roles, RefusesAnUnknownOrDoublyUsedExclusion) {
  ReadOptions options = with_target("y");
  options.exclude = {"nope"};
  EXPECT_THAT(refusal("d.csv", "a,y\n1,2\n", options), HasSubstr("excluded column \"nope\" not found"));
  options.exclude = {"y"};
  EXPECT_THAT(refusal("d.csv", "a,y\n1,2\n", options),
              HasSubstr("column \"y\" is excluded but also used as target, weights or offset"));
}

TEST(Roles, RefuseOneColumnInTwoParts) {
  const auto refused = [](const char* target, const char* weights, const char* offset) {
    ReadOptions options = with_target(target);
    options.weights = weights;
    options.offset = offset;
    return refusal("d.csv", "a,b,y,z\n1,1,2,5\n2,3,4,6\n", options);
  };
  EXPECT_EQ(refused("y", "", "y"), "d.csv: column \"y\" is used as target and as offset; choose one");
  EXPECT_THAT(refused("y", "y", ""), HasSubstr("column \"y\" is used as target and as weights"));
  EXPECT_THAT(refused("y", "b", "b"), HasSubstr("column \"b\" is used as weights and as offset"));
  EXPECT_THAT(refused("y,z", "", "z"), HasSubstr("column \"z\" is used as offset and as target"));
  EXPECT_THAT(refused("z,y,y", "", ""), HasSubstr("target \"y\" is given more than once"));
  EXPECT_THAT(refused("y,y", "", ""), HasSubstr("target \"y\" is given more than once"));
}

TEST(Roles, RefusesAFileWithoutFeatures) {
  EXPECT_THAT(refusal("d.csv", "y\n1\n2\n", with_target("y")), HasSubstr("no features left"));
}

TEST(Roles, NamesTheFirstMissingCellAndTheWaysOut) {
  EXPECT_THAT(
      refusal("d.csv", with_gaps, with_target("y")),
      HasSubstr("row 2, column \"a\" is missing (3 missing values in 3 columns); use --missing drop to drop such rows "
                "or --missing mean"));
}

TEST(Roles, OfferToFillInOnlyWhatIsFilledIn) {
  EXPECT_THAT(refusal("d.csv", with_gaps, with_target("y")), testing::EndsWith("or --missing mean to impute features"));
  EXPECT_EQ(
      refusal("d.csv", "a,y\n1,2\n2,\n3,5\n", with_target("y")),
      "d.csv: row 2, column \"y\" (the target) is missing (1 missing value in 1 column); use --missing drop to drop "
      "such rows");
  ReadOptions options = with_target("y");
  options.weights = "w";
  EXPECT_THAT(refusal("d.csv", "a,w,y\n1,NA,2\n2,1,3\n", options),
              testing::AllOf(HasSubstr("column \"w\" (the weights) is missing"),
                             testing::EndsWith("use --missing drop to drop such rows")));
}

TEST(Roles, ProposeToExcludeAColumnWithoutAnyValue) {
  const std::string trailing = "a,y,\n1,2,\n2,4,\n3,1,\n";
  EXPECT_EQ(refusal("d.csv", trailing, with_target("y")),
            "d.csv: column \"column3\" has no values; exclude it with --exclude column3");
  EXPECT_THAT(
      refusal("d.csv", trailing, with_target("y", Missing::drop)),
      HasSubstr("all 3 rows have missing values, so no row is left: column \"column3\" has no values; exclude it "
                "with --exclude column3"));
  EXPECT_THAT(refusal("d.csv", "\"it's, so\",y\n,1\n,2\n", with_target("y")),
              testing::EndsWith("exclude it with --exclude '\"it'\\''s, so\"'"));
}

TEST(Missing, AColumnThatAModelNeedsIsNotToBeExcluded) {
  ReadOptions options = no_target();
  options.features = {"a", "b"};
  EXPECT_THAT(refusal("d.csv", "a,b\n,1\n,2\n", options),
              testing::AllOf(HasSubstr("--missing mean"), testing::Not(HasSubstr("--exclude"))));
}

TEST(Roles, DropsRowsWithAnyMissingCell) {
  const Dataset data = read_bytes("d.csv", with_gaps, with_target("y", Missing::drop));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 5));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(10, 60));
  EXPECT_THAT(data.y, ElementsAre(1, 5));
  EXPECT_EQ(data.dropped_rows, 3);
}

TEST(Roles, FillsFeaturesWithTheirMeanAndDropsRowsWithoutAResponse) {
  const Dataset data = read_bytes("d.csv", with_gaps, with_target("y", Missing::mean));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 3, 3, 5));
  EXPECT_THAT(column(*data.X, 1), ElementsAre(10, 20, 30, 60));
  EXPECT_THAT(data.y, ElementsAre(1, 2, 3, 5));
  EXPECT_EQ(data.dropped_rows, 1);
  EXPECT_EQ(data.filled_cells, 2);
}

TEST(Roles, FillsIndicatorsWithTheFrequencyOfTheirLevel) {
  const Dataset data = read_bytes("d.csv", "t,y\nu,1\nv,2\nu,3\nu,4\n,5\n", with_target("y", Missing::mean));
  EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 0, 1, 1, 0.75));
  EXPECT_EQ(data.filled_cells, 1);
}

TEST(Roles, SaysWhenNothingIsLeftOrNothingCanBeFilled) {
  EXPECT_THAT(refusal("d.csv", "a,y\n,1\nNaN,2\n", with_target("y", Missing::drop)),
              HasSubstr("all 2 rows have missing values"));
  EXPECT_THAT(refusal("d.csv", "a,y\n,1\nNaN,2\n", with_target("y", Missing::mean)),
              HasSubstr("column \"a\" has no values from which to compute a mean"));
}

TEST(Roles, RefusesAnIdentifierColumnAndProposesToExcludeIt) {
  std::string text = "name,y\n";
  for (int k = 0; k < 30; ++k) text += fmt::format("person{:02},{}\n", k, k);
  EXPECT_THAT(
      refusal("d.csv", text, with_target("y")),
      HasSubstr("column \"name\" is text with 30 distinct values in 30 rows (\"person00\", \"person01\" and 28 more) "
                "and looks like an identifier; exclude it with --exclude name"));
}

TEST(Notes, TellAboutTextAmongNumbers) {
  const Dataset data =
      read_bytes("d.csv", "a,b,y\n1,2,3\n2,oops,4\n3,9,1\n4,1,5\n5,3,2\n6,2,2\n7,1,4\n", with_target("y"));
  EXPECT_THAT(
      data.notes,
      ElementsAre("column \"b\" has text in row 2 (\"oops\") and numbers in 6 rows: treated as text with 5 levels"));
  EXPECT_THAT(read_bytes("d.csv", "a,b,y\n1,u,3\n2,,4\n", with_target("y", Missing::mean)).notes, IsEmpty())
      << "text alone is no surprise";
}

TEST(Notes, AreFewHoweverManyColumnsThereAre) {
  std::string text = "y";
  for (int k = 0; k < 30; ++k) text += fmt::format(",c{}", k);
  for (const char* cell : {"u", "1", "2"}) {
    text += fmt::format("\n{}", static_cast<int>(cell[0]));
    for (int k = 0; k < 30; ++k) text += fmt::format(",{}", cell);
  }
  const Dataset data = read_bytes("d.csv", text, with_target("y"));
  ASSERT_EQ(data.notes.size(), 6U);
  EXPECT_EQ(data.notes.back(), "25 more columns have both text and numbers and are treated as text");
}

TEST(Notes, SayNothingOfAColumnThatAModelKnowsAsText) {
  ReadOptions options = no_target();
  options.features = {"size=1", "size=L"};
  EXPECT_THAT(read_bytes("d.csv", "size\n1\nL\n", options).notes, IsEmpty());
}

TEST(Notes, TellThatTheFirstLineWasTakenForNames) {
  EXPECT_THAT(read_bytes("d.csv", "1,2,3\n4,5,6\n7,8,9\n", with_target("3")).notes,
              ElementsAre("all column names are numbers: the first line was taken as the header; if it is data, "
                          "add a header line above it"));
  EXPECT_THAT(read_bytes("d.csv", "1,b,3\n4,5,6\n7,8,9\n", with_target("3")).notes, IsEmpty());
}

TEST(Roles, ProposeWhatToDoAboutTextInTheTarget) {
  EXPECT_THAT(
      refusal("d.csv", "x,y\n1,a\n2,b\n3,c\n", with_target("y")),
      testing::EndsWith("a text response must have exactly two: keep the rows of two of them, or code one against "
                        "the others as 0 and 1"));
  EXPECT_THAT(
      refusal("d.csv", "x,y\n1,a\n2,a\n", with_target("y")),
      HasSubstr("is text with 1 distinct value (\"a\"); a text response must have exactly two: choose another target"));
  EXPECT_EQ(refusal("d.csv", "x,y\n1,5\n2,oops\n3,7\n", with_target("y")),
            "d.csv: target \"y\" has text in row 2 (\"oops\") and numbers in 2 rows; correct the cell or leave it "
            "empty");
}

TEST(Roles, RefusesOneHotNamesThatAreTaken) {
  EXPECT_THAT(refusal("d.csv", "t,t=u\nu,1\nv,2\n", no_target()),
              HasSubstr("one-hot coding gives two columns the name \"t=u\""));
}

TEST(Roles, ReadsOnlyWhatAModelKnows) {
  ReadOptions options = no_target();
  options.features = {"x", "size=1", "size=2"};
  const Dataset data = read_bytes("d.csv", "id,size,x,gap\np,1,5,\nq,3,6,\n", options);
  EXPECT_THAT(data.features, ElementsAre("size=1", "size=3", "x"));
  const auto X = align(data, options.features);
  EXPECT_THAT(column(*X, 0), ElementsAre(5, 6));
  EXPECT_THAT(column(*X, 1), ElementsAre(1, 0));
  EXPECT_THAT(column(*X, 2), ElementsAre(0, 0));
}

TEST(Roles, KeepsAResponseOfPredictionDataOnlyIfItIsComplete) {
  ReadOptions options = no_target();
  options.target = "y";
  EXPECT_THAT(read_bytes("d.csv", "a,y\n1,2\n3,4\n", options).y, ElementsAre(2, 4));
  EXPECT_THAT(read_bytes("d.csv", "a,y\n1,2\n3,\n", options).y, IsEmpty());
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n3\n", options).y, IsEmpty());
}

TEST(Align, MatchesByNameInAnyOrder) {
  const Dataset data = read_bytes("d.csv", "c,a,b\n3,1,2\n6,4,5\n", no_target());
  const std::vector<std::string> features = {"a", "b", "c"};
  const auto X = align(data, features);
  EXPECT_THAT(column(*X, 0), ElementsAre(1, 4));
  EXPECT_THAT(column(*X, 2), ElementsAre(3, 6));
}

TEST(Align, NamesTheFeatureThatTheDataLack) {
  const Dataset data = read_bytes("d.csv", "age,t\n1,u\n2,v\n", no_target());
  const auto message = [&](const std::string& feature) -> std::string {
    try {
      align(data, std::vector<std::string>{feature});
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(
      message("ages"),
      HasSubstr(
          "column \"ages\", a feature of the model, not found; add it or rename a column; did you mean \"age\"?"));
  EXPECT_THAT(message("t"), HasSubstr("column \"t\" is text, but numeric in the model"));
  EXPECT_EQ(message("t=w"), "");
}

}  // namespace
}  // namespace tamis::io
