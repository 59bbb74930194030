#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "app/program.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using CompareCommand = ProgramTest;

TEST_F(CompareCommand, ShowsEveryMethodThatWasNamed) {
  const Outcome outcome = run({"compare", small_csv(), "--target", "y", "--methods", "vg,lasso,ard", "--cv", "3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("\nvg "), HasSubstr("\nlasso "), HasSubstr("\nard "), HasSubstr("RMSE"),
                                 HasSubstr("3 folds")));
}

TEST_F(CompareCommand, ChoosesMethodsThatSuitTheDataAndSaysWhoIsLeftOut) {
  std::string rows = "y,a,b\n";
  for (int i = 0; i < 30; ++i)
    rows += std::to_string(i % 7) + "," + std::to_string(i % 5) + "," + std::to_string(i % 3) + "\n";
  const Outcome outcome =
      run({"compare", file("counts.csv", rows), "--target", "y", "--family", "poisson", "--cv", "3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("deviance"),
                                 HasSubstr("vg was skipped: only family gaussian and bernoulli is supported.")));
}

TEST_F(CompareCommand, JsonIsAloneOnStandardOutput) {
  const Outcome outcome = run({"compare", small_csv(), "--target", "y", "--methods", "ard,ridge", "--cv", "3", "--json",
                               "--quiet", "--set", "ridge.penalty=0.1"});
  EXPECT_THAT(outcome.err, IsEmpty());
  const Json json = Json::parse(outcome.out);
  EXPECT_THAT(json["methods"], SizeIs(2));
  EXPECT_EQ(json["methods"][1]["set"]["penalty"], 0.1);
  EXPECT_EQ(json["target"], "y");
}

TEST_F(CompareCommand, AMethodThatFailsIsARowAndTheOthersAreJudged) {
  std::string rows = "y";
  for (int j = 0; j < 22; ++j) rows += ",x" + std::to_string(j);
  for (int i = 0; i < 12; ++i) {
    rows += "\n" + std::to_string(i);
    for (int j = 0; j < 22; ++j) rows += "," + std::to_string((i * 7 + j * j * 3) % 11);
  }
  const Outcome outcome =
      run({"compare", file("wide.csv", rows + "\n"), "--target", "y", "--methods", "exact,ridge", "--cv", "3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("exact failed: "), HasSubstr("ridge has the lowest RMSE")));
  EXPECT_EQ(run({"compare", "wide.csv", "--target", "y", "--methods", "exact", "--cv", "3"}).exit_code, 1);
}

TEST_F(CompareCommand, RefusesWrongRequestsBeforeItReads) {
  const auto complaint = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"compare", "absent.csv", "--target", "y"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 64) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(complaint({"--methods", "laso"}), HasSubstr("did you mean 'lasso'"));
  EXPECT_THAT(complaint({"--set", "steps=3"}), HasSubstr("received 'steps=3'; expected METHOD.OPTION=VALUE"));
  EXPECT_THAT(complaint({"--set", "vg.stepz=3"}), HasSubstr("steps"));
  EXPECT_THAT(complaint({"--methods", "lasso", "--set", "vg.steps=3"}),
              HasSubstr("vg is not one of the methods compared"));
  EXPECT_THAT(complaint({"--cv", "1"}), HasSubstr("received '1'; expected at least 2 folds"));
  EXPECT_THAT(complaint({"--cv", "0"}), HasSubstr("received '0'; expected at least 2 folds"));
  EXPECT_EQ(run({"compare", "absent.csv", "--target", "y"}).exit_code, 66);
}

TEST_F(CompareCommand, RefusesSeveralTargetsWithASentence) {
  const Outcome outcome = run({"compare", small_csv(), "--target", "y,a", "--methods", "ard", "--cv", "3"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("received 2 targets; expected one"));
}

TEST_F(CompareCommand, CtrlCEndsWithWhatIsDone) {
  Running running(folder_,
                  {"compare", large_csv(), "--target", "y", "--methods", "ard,lasso", "--cv", "40", "--progress",
                   "always", "--threads", "1"},
                  {});
  ASSERT_TRUE(running.says("40-fold"));
  running.signal(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("Cancelled after"), HasSubstr("of 40 folds"), HasSubstr("\nlasso ")));
}

}  // namespace
}  // namespace tamis
