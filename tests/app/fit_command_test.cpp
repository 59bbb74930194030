#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/program.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using FitCommand = ProgramTest;

TEST_F(FitCommand, FindsTheFeaturesThatMatter) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso"});
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("lasso (gaussian), 40 rows x 5 features, target y"), HasSubstr("\na "),
                                 HasSubstr("\nb ")));
  EXPECT_LT(outcome.out.find("\na "), outcome.out.find("\nb ")) << "strongest first";
}

TEST_F(FitCommand, ExplainsSeveralTargetsAndGroupsByOneArd) {
  const std::string data = file("both.csv",
                                "a,b,c,y,z\n1,2,1,1.1,-2\n2,1,0,2.1,-4.2\n3,5,2,2.9,-6\n4,3,1,4.2,-8.1\n5,9,3,4.9,-10\n"
                                "6,1,2,6.1,-12.2\n7,4,0,6.8,-13.9\n8,2,5,8.1,-16\n");
  const std::string groups = file("groups.csv", "feature,group\nb,rest\nc,rest\n");
  const Outcome outcome = run(
      {"fit", data, "--target", "y,z", "--method", "ard", "--set", "groups=" + groups, "--json", "-o", "both.json"});
  const Json model = Json::parse(outcome.out);
  EXPECT_EQ(model["target"], "y");
  EXPECT_EQ(model["more_targets"][0]["target"], "z");
  EXPECT_NEAR(model["coefficients"][0].get<double>(), 1, 0.1);
  EXPECT_NEAR(model["more_targets"][0]["coefficients"][0].get<double>(), -2, 0.1);
  EXPECT_THAT(run({"predict", "both.json", data}).out,
              testing::StartsWith("mean,sd,lower,upper,mean.z,sd.z,lower.z,upper.z\n"));
  EXPECT_EQ(run({"fit", data, "--target", "y,z", "--method", "lasso"}).exit_code, 64);
}

TEST_F(FitCommand, PrintsAndSavesCovarianceComponents) {
  const std::string data =
      file("few.csv", "a,b,y\n1,2,1.03\n2,1,1.94\n3,5,3.13\n4,3,3.96\n5,9,4.9\n6,1,5.92\n7,4,7.13\n8,2,8.0\n");
  std::filesystem::create_directory(folder_ / "parts");
  file("parts/slope.csv", "feature,u\na,1\n");
  file("parts/rest.csv", "feature,u\nb,1\n");
  const Outcome outcome =
      run({"fit", data, "--target", "y", "--method", "ard", "--components", "parts", "-o", "m.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("component  rank"), HasSubstr("\nslope "), HasSubstr("1 of 2 components")));
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(model["components"][0]["name"], "rest");
  EXPECT_EQ(model["components"][0]["variance"], 0.0);
  EXPECT_GT(model["components"][1]["variance"].get<double>(), 0.5);
  EXPECT_EQ(run({"predict", "m.json", data}).exit_code, 0);
  EXPECT_THAT(run({"info", "m.json"}).out, HasSubstr("\nslope "));
  EXPECT_THAT(run({"fit", data, "--target", "y", "--method", "lasso", "--components", "parts"}).err,
              HasSubstr("--components: method lasso does not support covariance components"));
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "ard", "--components", "none.npz"}).exit_code, 66);
  EXPECT_EQ(run({"report", "m.json", "-o", "m.html"}).exit_code, 0);
  EXPECT_THAT(read("m.html"), HasSubstr("Covariance components"));
}

TEST_F(FitCommand, SaysWhichFamilyItGuessed) {
  EXPECT_THAT(run({"fit", small_csv(), "--target", "y", "--method", "lasso"}).err,
              HasSubstr("family gaussian (guessed"));
  EXPECT_THAT(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--family", "gaussian"}).err,
              Not(HasSubstr("guessed")));
}

TEST_F(FitCommand, IsSilentOnStandardErrorWhenQuiet) {
  EXPECT_THAT(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--quiet", "-o", "m.json"}).err,
              IsEmpty());
}

TEST_F(FitCommand, PrintsTheModelThatItWrites) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--json", "-o", "m.json"});
  EXPECT_EQ(outcome.out, read("m.json"));
  const Json model = Json::parse(outcome.out);
  EXPECT_EQ(model["schema"], "tamis.fit/2");
  EXPECT_EQ(model["target"], "y");
  EXPECT_EQ(model["status"], "converged");
  EXPECT_THAT(model["features"].get<std::vector<std::string>>(), ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(FitCommand, GivesTheMethodItsOptions) {
  const Outcome outcome = run({"fit", "--set", "penalty=0.25", small_csv(), "--target", "y", "--method", "lasso",
                               "--json", "--no-intercept", "--no-standardize", "--seed", "7"});
  const Json model = Json::parse(outcome.out);
  EXPECT_EQ(model["options"]["penalty"], 0.25);
  EXPECT_EQ(model["options"]["intercept"], false);
  EXPECT_EQ(model["options"]["standardize"], false);
  EXPECT_EQ(model["options"]["seed"], 7);
  EXPECT_EQ(model["intercept"], 0);
}

TEST_F(FitCommand, LeavesOutExcludedColumns) {
  const Outcome outcome =
      run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--json", "--exclude", "c,d", "--exclude", "b"});
  EXPECT_THAT(Json::parse(outcome.out)["features"].get<std::vector<std::string>>(), ElementsAre("a", "e"));
}

TEST_F(FitCommand, ExcludesANameThatHasAComma) {
  const std::string data = file("d.csv", "y,a,\"p, q\"\n1,2,3\n2,3,1\n5,4,2\n2,1,7\n");
  const Outcome outcome = run(
      {"fit", data, "--target", "y", "--method", "lasso", "--set", "penalty=0.1", "--json", "--exclude", "\"p, q\""});
  EXPECT_THAT(Json::parse(outcome.out)["features"].get<std::vector<std::string>>(), ElementsAre("a")) << outcome.err;
}

TEST_F(FitCommand, JudgesTheSearchOnTheValidationFile) {
  const std::string data = small_csv();
  const Outcome outcome = run({"fit", data, "--target", "y", "--method", "lasso", "--validation", data, "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  // On its own training data the least penalized point is best, whatever cross-validation would say.
  const Json model = Json::parse(outcome.out);
  EXPECT_TRUE(model["path"].back()["validation_error"].is_number());
  EXPECT_LE(model["path"].back()["validation_error"], model["path"].front()["validation_error"]);
}

TEST_F(FitCommand, RefusesAValidationFileWithOtherClasses) {
  const std::string train = file("t.csv", "y,a\nno,1\nyes,2\nno,2\nyes,3\n");
  const std::string other = file("v.csv", "y,a\nnein,1\nja,2\n");
  const Outcome outcome = run({"fit", train, "--target", "y", "--method", "lasso", "--validation", other});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("\"ja\", which does not occur in the training data (\"no\", \"yes\")"));
  const std::string numbers = file("w.csv", "y,a\n0,1\n1,2\n");
  const Outcome second = run({"fit", train, "--target", "y", "--method", "lasso", "--validation", numbers});
  EXPECT_EQ(second.exit_code, 65);
  EXPECT_THAT(second.err, HasSubstr("is numeric, but text in the training data"));
}

TEST_F(FitCommand, TakesAValidationFileOfOneClass) {
  const std::string train = file("t.csv", "y,a\nno,1\nyes,2\nno,2\nyes,3\n");
  const std::string one = file("v.csv", "y,a\nyes,1\nyes,2\n");
  const Outcome outcome = run({"fit", train, "--target", "y", "--method", "lasso", "--validation", one});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

TEST_F(FitCommand, ScalesThePenaltyOfSingleFeatures) {
  const std::string factors = file("factors.csv", "feature,factor\nc,0\na,100\n");
  const std::vector<std::string> command = {"fit",   small_csv(), "--target",    "y",     "--method",
                                            "lasso", "--set",     "penalty=0.3", "--json"};
  std::vector<std::string> scaled = command;
  scaled.insert(scaled.end(), {"--penalty-factors", factors});
  const Json plain = Json::parse(run(command).out)["coefficients"], with = Json::parse(run(scaled).out)["coefficients"];
  EXPECT_NE(plain[0], 0);
  EXPECT_EQ(plain[2], 0);
  EXPECT_EQ(with[0], 0) << "a hundred times the penalty";
  EXPECT_NE(with[2], 0) << "no penalty";
}

TEST_F(FitCommand, RefusesPenaltyFactorsThatMeanNothing) {
  const std::string unknown = file("unknown.csv", "feature,factor\nz,0\n");
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--penalty-factors", unknown});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("\"z\" is not a feature of the data"));
  const std::string known = file("known.csv", "feature,factor\na,0\n");
  EXPECT_EQ(run({"fit", small_csv(), "--target", "y", "--method", "exact", "--penalty-factors", known}).exit_code, 64);
}

constexpr const char* signs = "-1 1:1\n1 1:2\n-1 2:1\n1 2:3\n1 1:1 2:2\n-1 1:1 2:0.5\n";

TEST_F(FitCommand, TakesSignsForClassesUnlessAnotherFamilyIsAskedFor) {
  const std::string data = file("s.svm", signs);
  const std::vector<std::string> command = {"fit", data, "--method", "lasso", "--set", "penalty=0.01", "--json"};
  const auto with = [&](const std::string& family) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"--family", family});
    return run(words);
  };
  EXPECT_EQ(Json::parse(run(command).out)["family"], "bernoulli") << "guessed";
  EXPECT_THAT(Json::parse(with("bernoulli").out)["levels"].get<std::vector<std::string>>(), ElementsAre("-1", "1"));
  const Outcome counts = with("poisson");
  EXPECT_EQ(counts.exit_code, 65);
  EXPECT_THAT(counts.err, HasSubstr("row 1 is -1; family poisson expects nonnegative integers"));
}

TEST_F(FitCommand, ANormalResponseOfSignsStaysAsItIsAlsoWhenItIsPredicted) {
  const std::string data = file("s.svm", signs);
  const Outcome fit = run({"fit", data, "--method", "ridge", "--family", "gaussian", "--set", "penalty=1e9", "--json",
                           "--validation", data, "-o", "m.json"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_NEAR(Json::parse(fit.out)["intercept"].get<double>(), 0, 1e-6) << "the mean of three -1 and three 1";
  EXPECT_THAT(run({"predict", "m.json", data}).err, HasSubstr("test error on 6 rows: RMSE 1"));
}

TEST_F(FitCommand, RemarksWhatMayNotHaveBeenMeant) {
  const std::string typo = file("t.csv", "a,b,y\n1,2,3\n2,oops,4\n3,9,1\n4,1,5\n5,3,2\n6,2,2\n7,1,4\n");
  const std::vector<std::string> command = {"fit", typo, "--target", "y", "--method", "lasso", "--set", "penalty=1"};
  EXPECT_THAT(
      run(command).err,
      HasSubstr("tamis: t.csv: column \"b\" has text in row 2 (\"oops\") and numbers in 6 rows: treated as text "
                "with 5 levels\n"));
  std::vector<std::string> quiet = command;
  quiet.push_back("--quiet");
  EXPECT_THAT(run(quiet).err, IsEmpty());
  const std::string bare = file("n.csv", "1,2,3\n4,5,6\n7,8,9\n3,1,2\n");
  EXPECT_THAT(run({"fit", bare, "--target", "3", "--method", "lasso", "--set", "penalty=1"}).err,
              HasSubstr("the first line was taken as the header"));
}

TEST_F(FitCommand, SaysHowManyRowsItDropped) {
  std::string text = "y,a\n,1\n";
  for (int i = 0; i < 12; ++i) text += std::to_string(i) + "," + std::to_string((i * 7) % 12) + "\n";
  const Outcome outcome = run(
      {"fit", file("d.csv", text), "--target", "y", "--method", "lasso", "--missing", "drop", "--set", "penalty=0.1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("dropped 1 row with missing values"));
}

TEST_F(FitCommand, GivesTheSameBitsWhateverTheThreads) {
  const std::string data = small_csv();
  const Json one =
      Json::parse(run({"fit", data, "--target", "y", "--method", "lasso", "--threads", "1", "--json"}).out);
  const Json two =
      Json::parse(run({"fit", data, "--target", "y", "--method", "lasso", "--threads", "2", "--json"}).out);
  EXPECT_EQ(one["coefficients"].dump(), two["coefficients"].dump());
}

TEST_F(FitCommand, KeepsAnExistingModelWhenItFails) {
  const std::string model = small_model();
  const std::string before = read(model);
  EXPECT_EQ(run({"fit", file("bad.csv", "y,a\n1\n"), "--target", "y", "--method", "lasso", "-o", model}).exit_code, 65);
  EXPECT_EQ(read(model), before);
}

TEST_F(FitCommand, LeavesNoTemporaryFilesBehind) {
  small_model();
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
  EXPECT_THAT(names, testing::UnorderedElementsAre("small.csv", "model.json", "stdout", "stderr"));
}

TEST_F(FitCommand, ShowsHostileNamesSafely) {
  const std::string data = file("h.csv", "y,\"new\nline\",\"\x1b[31mred\"\n1,2,3\n2,3,1\n5,4,2\n2,1,7\n1,1,1\n");
  const Outcome outcome = run({"fit", data, "--target", "y", "--method", "lasso", "--set", "penalty=0.001"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("new\\nline"), HasSubstr("\\x1b[31mred"), Not(HasSubstr("\x1b"))));
}

TEST_F(FitCommand, ShowsHostileFileNamesSafely) {
  const Outcome outcome = run({"info", "no\x1b[2Jsuch\nfile"});
  EXPECT_EQ(outcome.exit_code, 66);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("\\x1b[2J"), Not(HasSubstr("\x1b"))));
}

// A path of many points on many folds of data without noise, where every point is better than the last: on noise the
// search would end by itself after some milliseconds, before anybody can stop it. This takes a minute.
std::vector<std::string> long_fit(const std::string& data) {
  return {"fit",  data, "--target", "y",      "--method",   "lasso",  "--set",     "path_length=10000",
          "--cv", "50", "-o",       "m.json", "--progress", "always", "--threads", "1"};
}

class Interrupted : public ProgramTest, public testing::WithParamInterface<int> {};

TEST_P(Interrupted, EndsCleanlyWithItsBestState) {
  Running fit(folder_, long_fit(large_csv()), {});
  ASSERT_TRUE(fit.says("%")) << "the fit has begun";
  fit.signal(GetParam());
  const Outcome outcome = fit.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(model["status"], "cancelled");
  EXPECT_EQ(model["coefficients"].size(), 400u);
  EXPECT_THAT(outcome.err, HasSubstr("cancelled"));
}

INSTANTIATE_TEST_SUITE_P(BySignal, Interrupted, testing::Values(SIGINT, SIGTERM));

using InterruptedTwice = ProgramTest;

TEST_F(InterruptedTwice, EndsAtOnceAndLeavesNoModel) {
  Running fit(folder_, long_fit(large_csv()), {});
  ASSERT_TRUE(fit.says("%")) << "the fit has begun";
  // Stopped, so that both signals are there before the fit can look at the first one.
  fit.signal(SIGSTOP);
  fit.signal(SIGINT);
  fit.signal(SIGTERM);
  fit.signal(SIGCONT);
  EXPECT_EQ(fit.wait().exit_code, 130);
  EXPECT_FALSE(exists("m.json"));
}

// What the system sends when a mapped file loses the page that is read.
using LostPages = ProgramTest;

TEST_F(LostPages, EndWithASentenceAndNoModel) {
  Running fit(folder_, long_fit(large_csv()), {});
  ASSERT_TRUE(fit.says("%")) << "the fit has begun";
  fit.signal(SIGBUS);
  const Outcome outcome = fit.wait();
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("truncated while it was being read"));
  EXPECT_FALSE(exists("m.json"));
}

using Killed = ProgramTest;

TEST_F(Killed, GoesOnFromItsCheckpointToTheSameModel) {
  const std::vector<std::string> sampling = {"fit",   small_csv(), "--target",       "y", "--method",
                                             "gibbs", "--set",     "samples=150000", "-o"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = sampling;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::string> again = with({"killed.json", "--checkpoint", "state", "--checkpoint-seconds", "0"});
  for (int kill = 1; kill <= 3; ++kill) {
    Running fit(folder_, again, {});
    for (int wait = 0; wait < 500 && !exists("state"); ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * kill));
    fit.signal(SIGKILL);
    fit.wait();
  }
  ASSERT_TRUE(exists("state"));
  EXPECT_EQ(run(again).exit_code, 0);
  EXPECT_EQ(run(with({"whole.json"})).exit_code, 0);
  Json killed = Json::parse(read("killed.json")), whole = Json::parse(read("whole.json"));
  killed.erase("seconds");
  whole.erase("seconds");
  EXPECT_EQ(killed, whole);
}

TEST_F(Killed, ACheckpointOfAnotherRunIsRefused) {
  const std::string data = small_csv();
  const std::vector<std::string> words = {"fit", data, "--target", "y", "--method", "gibbs", "--checkpoint", "state"};
  EXPECT_EQ(run(words).exit_code, 0);
  std::vector<std::string> other = words;
  other.insert(other.end(), {"--seed", "2"});
  const Outcome outcome = run(other);
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("another run"));
}

TEST_F(FitCommand, WritesDrawsOfASampler) {
  run({"fit", small_csv(), "--target", "y", "--method", "gibbs", "--set", "samples=20", "--draws", "d.json"});
  const Json draws = Json::parse(read("d.json"));
  EXPECT_EQ(draws["posterior"]["coefficients"].size(), 4u);
  EXPECT_EQ(draws["posterior"]["coefficients"][0].size(), 20u);
  EXPECT_EQ(draws["posterior"]["coefficients"][0][0].size(), 5u);
  EXPECT_EQ(run({"fit", "small.csv", "--target", "y", "--method", "lasso", "--draws", "d.json"}).exit_code, 64);
}

using Progress = ProgramTest;

TEST_F(Progress, IsShownOnATerminalAndTakenAwayInTheEnd) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string data = small_csv();
  Running fit(folder_, {"fit", data, "--target", "y", "--method", "lasso"}, {.err_on_terminal = true});
  const Outcome outcome = fit.wait();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("["), HasSubstr("%"), HasSubstr("\r\x1b[K")));
}

TEST_F(Progress, IsNotShownInAFile) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso"});
  EXPECT_THAT(outcome.err, Not(HasSubstr("%")));
}

TEST_F(Progress, IsShownAnywhereWhenAlwaysWanted) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--progress", "always"});
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("["), HasSubstr("100%"), Not(HasSubstr("\x1b"))));
}

TEST_F(Progress, IsNeverShownOnATerminalWhenUnwanted) {
  if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminals here";
  const std::string data = small_csv();
  for (const std::vector<std::string>& unwanted : {std::vector<std::string>{"--progress", "never"}, {"--quiet"}}) {
    std::vector<std::string> words = {"fit", data, "--target", "y", "--method", "lasso"};
    words.insert(words.end(), unwanted.begin(), unwanted.end());
    EXPECT_THAT(run(words, {.err_on_terminal = true}).err, Not(HasSubstr("%")));
  }
}

}  // namespace
}  // namespace tamis
