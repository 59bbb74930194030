#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

using PredictCommand = ProgramTest;

TEST_F(PredictCommand, WritesMeanAndIntervalOfEveryRow) {
  const Outcome outcome = run({"predict", small_model(), "small.csv", "-o", "p.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(read("p.csv"));
  EXPECT_THAT(lines, SizeIs(41));
  EXPECT_EQ(lines[0], "mean,sd,lower,upper");
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST_F(PredictCommand, MatchesColumnsByNameAndIgnoresOthers) {
  const std::string model = small_model();
  const std::string plain = file("plain.csv", "a,b,c,d,e\n1,2,3,4,5\n");
  const std::string mixed = file("mixed.csv", "remark,e,d,extra,c,b,a\nhello,5,4,,3,2,1\n");
  EXPECT_EQ(run({"predict", model, plain}).out, run({"predict", model, mixed}).out);
}

TEST_F(PredictCommand, IsInterceptPlusProductOfTheModelFile) {
  const std::string name = small_model();
  const Json model = Json::parse(read(name));
  const Outcome outcome = run({"predict", name, file("new.csv", "a,b,c,d,e\n1,2,3,4,5\n"), "--json"});
  double expected = model["intercept"];
  for (int j = 0; j < 5; ++j) expected += model["coefficients"][j].get<double>() * (j + 1);
  constexpr double rounding = 1e-12;  // of six additions of numbers of size 1 to 10
  EXPECT_NEAR(Json::parse(outcome.out)["mean"][0].get<double>(), expected, rounding);
}

TEST_F(PredictCommand, TakesTheOffsetOfTheFitFromTheColumnOfTheSameName) {
  const std::string data = file("n.csv", "e,a,y\n0,1,2\n1,0,3\n2,1,9\n0,0,1\n1,1,4\n2,0,8\n");
  run({"fit", data, "--target", "y", "--offset", "e", "--family", "poisson", "--method", "ridge", "--cv", "2", "-o",
       "m.json"});
  const Outcome as_fitted = run({"predict", "m.json", data});
  EXPECT_EQ(as_fitted.exit_code, 0) << as_fitted.err;
  EXPECT_EQ(as_fitted.out, run({"predict", "m.json", data, "--offset", "e"}).out);
  EXPECT_NE(as_fitted.out, run({"predict", "m.json", data, "--offset", "y"}).out);

  const Outcome without = run({"predict", "m.json", file("less.csv", "a\n1\n")});
  EXPECT_EQ(without.exit_code, 65);
  EXPECT_THAT(without.err, HasSubstr("offset column \"e\" not found"));
}

TEST_F(PredictCommand, TellsTheErrorWhenTheResponseIsThere) {
  EXPECT_THAT(run({"predict", small_model(), "small.csv"}).err, HasSubstr("test error on 40 rows: RMSE"));
  EXPECT_THAT(run({"predict", small_model(), "small.csv", "--quiet"}).err, IsEmpty());
}

TEST_F(PredictCommand, NeedsNoResponse) {
  const Outcome outcome = run({"predict", small_model(), file("new.csv", "a,b,c,d,e\n1,2,3,4,5\n0,0,0,0,0\n")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(lines_of(outcome.out), SizeIs(3));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(PredictCommand, FillsMissingNumbersWithTheTrainingMeans) {
  const std::string name = small_model();
  const Json model = Json::parse(read(name));
  const double mean_of_a = model["feature_means"]["a"];
  const Outcome outcome =
      run({"predict", name, file("gap.csv", "a,b,c,d,e\n,0,0,0,0\n100,0,0,0,0\n"), "--missing", "mean", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("imputed 1 missing value with the column means of the training data"));
  const double expected = model["intercept"].get<double>() + model["coefficients"][0].get<double>() * mean_of_a;
  constexpr double rounding = 1e-12;
  EXPECT_NEAR(Json::parse(outcome.out)["mean"][0].get<double>(), expected, rounding) << "not the file's mean, 100";
}

TEST_F(PredictCommand, SaysThatAnOlderModelHasNoTrainingMeans) {
  Json model = Json::parse(read(small_model()));
  model.erase("feature_means");
  model.erase("feature_spreads");
  const std::string older = file("older.json", model.dump());
  const Outcome outcome =
      run({"predict", older, file("gap.csv", "a,b,c,d,e\n,0,0,0,0\n100,0,0,0,0\n"), "--missing", "mean", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err,
              HasSubstr("the column means of this file (the model was written by an older version of tamis"));
  const Json means = Json::parse(outcome.out)["mean"];
  EXPECT_EQ(means[0], means[1]) << "the only other value of the column";
}

TEST_F(PredictCommand, NamesTheClassesOfATextResponse) {
  std::string text = "y,a\n";
  for (int i = 0; i < 40; ++i)
    text += (i % 20 + i % 3 > 10 ? "\"yes, please\"," : "no,") + std::to_string(i % 20) + "\n";
  const std::string data = file("c.csv", text);
  ASSERT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--set", "penalty=0.01", "-o", "m.json"}).exit_code,
            0);
  const Outcome outcome = run({"predict", "m.json", file("new.csv", "a\n0\n19\n")});
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[0], "probability,label");
  EXPECT_THAT(lines[1], testing::EndsWith(",no"));
  EXPECT_THAT(lines[2], testing::EndsWith(",\"yes, please\""));
  EXPECT_THAT(run({"predict", "m.json", data}).err, HasSubstr("% misclassified"));
}

TEST_F(PredictCommand, GivesWholeCountsAsIntervalOfCounts) {
  std::string text = "y,a\n";
  for (int i = 0; i < 30; ++i) text += std::to_string(i % 5 + i / 10) + "," + std::to_string(i) + "\n";
  const std::string data = file("c.csv", text);
  ASSERT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--family", "poisson", "--set", "penalty=0.1", "-o",
                 "m.json"})
                .exit_code,
            0);
  const Json prediction = Json::parse(run({"predict", "m.json", data, "--json"}).out);
  EXPECT_EQ(prediction.size(), 3u);
  for (const Json& bound : prediction["upper"]) EXPECT_EQ(bound.get<double>(), std::floor(bound.get<double>()));
}

using SelectCommand = ProgramTest;

TEST_F(SelectCommand, ListsOneFeaturePerLineWithTabs) {
  const Outcome outcome = run({"select", small_model(), "--top", "2"});
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_THAT(lines[0], testing::StartsWith("a\tNA\t1."));
  EXPECT_THAT(lines[1], testing::StartsWith("b\tNA\t-"));
}

TEST_F(SelectCommand, ListsJsonObjects) {
  const Json list = Json::parse(run({"select", small_model(), "--top", "1", "--json"}).out);
  ASSERT_THAT(list, SizeIs(1));
  EXPECT_EQ(list[0]["feature"], "a");
  EXPECT_TRUE(list[0]["inclusion"].is_null());
  EXPECT_GT(list[0]["coefficient"], 1);
}

TEST_F(SelectCommand, KeepsARateOfFalseDiscoveries) {
  // A model with inclusion probabilities, as any program could write it.
  Json model = Json::parse(read(small_model()));
  model["inclusion"] = {1.0, 0.92, 0.3, 0.0, 0.0};
  const std::string name = file("with.json", model.dump());
  EXPECT_EQ(lines_of(run({"select", name, "--fdr", "0.05"}).out).size(), 2u);
  EXPECT_EQ(lines_of(run({"select", name, "--threshold", "0.95"}).out).size(), 1u);
  EXPECT_EQ(run({"select", small_model(), "--fdr", "0.05"}).exit_code, 64) << "lasso has no probabilities";
}

// y = 2 a + b + noise; "copy" is a in another unit. Two sets: {a, copy} and {b}.
class SelectSets : public ProgramTest {
 protected:
  std::string model() {
    std::string text = "y,a,b,copy,c\n";
    for (int i = 0; i < 60; ++i) {
      const double a = std::sin(1.7 * i), b = std::cos(2.3 * i + 1), c = std::sin(0.9 * i + 2);
      text += fmt::format("{},{},{},{},{}\n", 2 * a + b + 0.2 * std::sin(5.1 * i), a, b, 3 - 2 * a, c);
    }
    const Outcome outcome = run({"fit", file("s.csv", text), "--target", "y", "--method", "gibbs", "-o", "s.json"});
    EXPECT_THAT(outcome.out, HasSubstr("One of these 2 features matters"));
    return "s.json";
  }
};

TEST_F(SelectSets, ListsAMemberPerLineAndSaysEachSetInWords) {
  const Outcome outcome = run({"select", model(), "--sets"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_THAT(lines, SizeIs(3));
  std::vector<std::string> starts;
  for (const std::string& line : lines) starts.push_back(line.substr(0, line.find('\t', 2)));
  EXPECT_THAT(starts, testing::UnorderedElementsAre("1\ta", "1\tcopy", "2\tb"));
  EXPECT_THAT(outcome.err, HasSubstr("set 1: One of these 2 features matters (probability 1.00); the data cannot tell "
                                     "which: their columns are equal: "));
  EXPECT_THAT(run({"select", "s.json", "--sets", "--quiet"}).err, testing::IsEmpty());
}

TEST_F(SelectSets, HasSetsOfAnyLevel) {
  const Json usual = Json::parse(run({"select", model(), "--sets", "--json", "--quiet"}).out);
  ASSERT_THAT(usual, SizeIs(2));
  EXPECT_EQ(usual[0]["size"], 2);
  EXPECT_EQ(usual[0]["purity"], 1);
  const Json stored = Json::parse(read("s.json"));
  EXPECT_EQ(stored["credible_sets"][0]["features"], usual[0]["features"]);
  EXPECT_EQ(Json::parse(run({"select", "s.json", "--sets", "--level", "0.95", "--json", "--quiet"}).out), usual);
  for (const Json& set : Json::parse(run({"select", "s.json", "--sets", "--level", "0.5", "--json", "--quiet"}).out))
    EXPECT_GE(set["probability"], 0.5);
}

TEST_F(SelectSets, RefusesWhatHasNoSetsAndLevelsWithoutThem) {
  const Outcome none = run({"select", small_model(), "--sets"});
  EXPECT_EQ(none.exit_code, 64);
  EXPECT_THAT(none.err, HasSubstr("method lasso draws no models"));
  EXPECT_EQ(run({"select", small_model(), "--level", "0.9"}).exit_code, 64);
  EXPECT_EQ(run({"select", small_model(), "--sets", "--top", "2"}).exit_code, 64);
  EXPECT_EQ(run({"select", model(), "--sets", "--level", "0.4"}).exit_code, 64);
}

TEST_F(SelectCommand, SaysThatARateFromApproximateProbabilitiesIsApproximate) {
  Json model = Json::parse(read(small_model()));
  model["inclusion"] = {1.0, 0.92, 0.3, 0.0, 0.0};
  model["inclusion_kind"] = "approximate";
  EXPECT_THAT(run({"select", file("approximate.json", model.dump()), "--fdr", "0.05"}).err,
              HasSubstr("are approximate"));
}

using MethodsCommand = ProgramTest;

TEST_F(MethodsCommand, ListsTheWholeRegistryAsJson) {
  const Json list = Json::parse(run({"methods", "--json"}).out);
  ASSERT_EQ(list.size(), methods().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i]["name"], methods()[i]->name());
    EXPECT_EQ(list[i]["options"].size(), methods()[i]->fields().size());
  }
}

TEST_F(MethodsCommand, ExplainsOne) {
  EXPECT_THAT(run({"methods", "lasso"}).out, AllOf(HasSubstr("lasso: "), HasSubstr("penalty "), HasSubstr("default ")));
  EXPECT_EQ(run({"methods", "laso"}).exit_code, 64);
}

TEST_F(MethodsCommand, SaysHowManyFeaturesAMethodTakes) {
  EXPECT_THAT(run({"methods", "exact"}).out, HasSubstr("features: at most 20 "));
  EXPECT_EQ(Json::parse(run({"methods", "exact", "--json"}).out)[0]["most_features"], 20);
  EXPECT_TRUE(Json::parse(run({"methods", "lasso", "--json"}).out)[0]["most_features"].is_null());
}

using InfoCommand = ProgramTest;

TEST_F(InfoCommand, ShowsTypesMissingConstantAndDuplicate) {
  const std::string data = file("i.csv", "y,one,two,word,same\n1,5,0.5,u,1\n2,5,,v,2\n3,5,1.5,u,3\n");
  const Outcome outcome = run({"info", data});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("csv, 3 rows x 5 columns"), HasSubstr("missing values: 1"),
                                 HasSubstr("constant columns: 1"), HasSubstr("duplicate columns: 1"),
                                 HasSubstr("duplicate of y"), HasSubstr("2 levels")));
  const Json info = Json::parse(run({"info", data, "--json"}).out);
  EXPECT_EQ(info["rows"], 3);
  EXPECT_EQ(info["column"][4]["duplicate_of"], "y");
}

TEST_F(InfoCommand, AsksForTheHeaderWhenAllNamesAreNumbers) {
  EXPECT_THAT(run({"info", file("bare.csv", "1,2.5\n3,4\n5,6\n")}).out, HasSubstr("all column names are numbers"));
  EXPECT_THAT(run({"info", file("named.csv", "a,2020\n3,4\n")}).out,
              AllOf(testing::Not(HasSubstr("all column names")), HasSubstr("1 row x 2 columns")));
}

TEST_F(InfoCommand, ShowsTheFirstColumnsOfAWideFile) {
  EXPECT_THAT(run({"info", large_csv()}).out, HasSubstr("... and 361 more columns; use --all to list all"));
  EXPECT_THAT(run({"info", large_csv(), "--all"}).out, HasSubstr("\nx399 "));
}

TEST_F(InfoCommand, ShowsOfAModelWhatTheFitPrinted) {
  const std::string data = small_csv(), model = "m.json";
  const Outcome fitted = run({"fit", data, "--target", "y", "--method", "lasso", "-o", model});
  const Outcome outcome = run({"info", model});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, fitted.out);
  EXPECT_EQ(run({"info", model, "--json"}).out, read(model));

  const Outcome factors = run({"factor", data, "--factors", "1", "--prior", "l1", "-o", model});
  EXPECT_EQ(run({"info", model}).out, factors.out);
}

TEST_F(InfoCommand, RefusesJsonThatIsNoModel) {
  const Outcome outcome = run({"info", file("other.json", "\n{\"a\": 1}\n")});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("not a tamis model file: the key 'schema' is missing"));
}

using Help = ProgramTest;

TEST_F(Help, OfEveryCommandTeachesByExampleIn100Columns) {
  for (const char* command :
       {"fit", "predict", "select", "compare", "factor", "report", "simulate", "reproduce", "methods", "info"}) {
    const Outcome outcome = run({command, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("Usage: tamis "), HasSubstr("Examples:\n  tamis "), HasSubstr("Exit codes")));
    for (const std::string& line : lines_of(outcome.out)) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_EQ(run({"help", command}).out, outcome.out);
    EXPECT_THAT(run({"--help"}).out, HasSubstr(std::string("\n  ") + command + " "));
  }
}

TEST_F(Help, WinsOverOtherMistakesOnTheLine) { EXPECT_EQ(run({"fit", "--help"}).exit_code, 0); }

TEST_F(Help, TellsTheVersion) { EXPECT_THAT(run({"--version"}).out, testing::MatchesRegex("tamis [0-9.]+\n")); }

}  // namespace
}  // namespace tamis
