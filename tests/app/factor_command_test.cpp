#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// 30 rows of six columns in two groups; every seventh cell is empty.
std::string grouped_table() {
  std::ostringstream out;
  out << "a,b,c,d,e,f\n";
  for (int n = 0; n < 30; ++n) {
    for (int d = 0; d < 6; ++d) {
      const bool empty = (n * 6 + d) % 7 == 0;
      const int value = d < 3 ? n % 2 : n % 3 == 0 ? 1 : 0;
      out << (d > 0 ? "," : "") << (empty ? "" : std::to_string(value));
    }
    out << "\n";
  }
  return out.str();
}

class FactorCommand : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    file("table.csv", grouped_table());
  }
  Outcome factor(std::vector<std::string> more) {
    std::vector<std::string> words = {"factor", "table.csv", "--factors", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
};

const std::vector<std::string> short_chains = {"--set", "chains=2", "--set", "samples=40", "--set", "burn_in=20"};

std::vector<std::string> with_short_chains(std::vector<std::string> words) {
  words.insert(words.end(), short_chains.begin(), short_chains.end());
  return words;
}

TEST_F(FactorCommand, WritesAModelWithTheSchemaAndTheFactors) {
  const Outcome outcome = factor(with_short_chains({"-o", "m.json", "--holdout", "0.1"}));
  EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 1)) << outcome.err;
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(model["schema"], "tamis.factor/1");
  EXPECT_EQ(model["family"], "bernoulli") << "guessed";
  EXPECT_EQ(model["prior"], "spike-slab");
  EXPECT_EQ(model["loadings"].size(), 2U);
  EXPECT_EQ(model["loadings"][0].size(), 6U);
  EXPECT_EQ(model["scores"].size(), 30U);
  EXPECT_EQ(model["inclusion"].size(), 30U);
  EXPECT_GT(model["nlp_bits"].get<double>(), 0);
  EXPECT_GE(model["rhat"].get<double>(), 1);
  EXPECT_THAT(outcome.out, HasSubstr("largest loadings"));
}

TEST_F(FactorCommand, FillsInTheHolesAndKeepsTheRest) {
  ASSERT_THAT(factor(with_short_chains({"--completed", "done.csv", "--intervals", "cells.csv"})).exit_code,
              testing::AnyOf(0, 1));
  std::istringstream before(grouped_table()), after(read("done.csv"));
  std::string old_line, new_line;
  while (std::getline(before, old_line)) {
    ASSERT_TRUE(std::getline(after, new_line));
    std::istringstream old_cells(old_line + ","), new_cells(new_line + ",");
    for (std::string old_cell, new_cell; std::getline(old_cells, old_cell, ',');) {
      ASSERT_TRUE(std::getline(new_cells, new_cell, ','));
      EXPECT_FALSE(new_cell.empty());
      EXPECT_TRUE(old_cell.empty() || old_cell == new_cell) << old_cell << " became " << new_cell;
    }
  }
  EXPECT_THAT(read("cells.csv"), HasSubstr("row,column,mean,sd,lower,upper\n1,a,"));
}

TEST_F(FactorCommand, ScoresTheTestCellsOfAFile) {
  file("cells.csv", "row,column,value\n1,a,1\n2,f,0\n");
  ASSERT_THAT(factor(with_short_chains({"--test-cells", "cells.csv", "-o", "m.json"})).exit_code, testing::AnyOf(0, 1));
  EXPECT_EQ(Json::parse(read("m.json"))["test_cells"], 2);
}

TEST_F(FactorCommand, RefusesATestCellOutsideTheData) {
  file("cells.csv", "row,column,value\n31,a,1\n");
  const Outcome outcome = factor({"--test-cells", "cells.csv"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("row 31"));
  file("cells.csv", "row,column,value\n3,z,1\n");
  EXPECT_THAT(factor({"--test-cells", "cells.csv"}).err, HasSubstr("\"z\" is not a column of the data"));
}

TEST_F(FactorCommand, RefusesATextColumnByItsName) {
  file("table.csv", "name,a,b\nx,1,0\ny,0,1\nz,1,1\n");
  const Outcome outcome = factor({});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("column \"name\" is text"));
  EXPECT_THAT(factor(with_short_chains({"--exclude", "name"})).err, Not(HasSubstr("text")));
}

TEST_F(FactorCommand, RefusesAnUnknownPriorAndOptionBeforeReading) {
  EXPECT_EQ(factor({"--prior", "spike"}).exit_code, 64);
  EXPECT_EQ(factor({"--set", "sample=3"}).exit_code, 64);
  EXPECT_EQ(run({"factor", "table.csv", "--factors", "two"}).exit_code, 64);
  EXPECT_EQ(run({"factor", "absent.csv", "--factors", "2"}).exit_code, 66);
}

TEST_F(FactorCommand, RefusesTwoOutputsOfOneName) {
  const Outcome outcome = factor({"-o", "one", "--completed", "./one"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("two outputs have this name"));
}

TEST_F(FactorCommand, RefusesAShareThatIsNoNumber) { EXPECT_EQ(factor({"--holdout", "nan"}).exit_code, 64); }

TEST_F(FactorCommand, ChoosesFromAListOfFactorCounts) {
  const Outcome outcome = run({"factor", "table.csv", "--factors", "1,2", "--prior", "vb", "-o", "m.json"});
  EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 1)) << outcome.err;
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(model["search"].size(), 2U);
  EXPECT_THAT(outcome.out, HasSubstr("1 factor: held-out NLP"));
}

// 100 images of 36 pixels, of which each takes .55 to .8 bits.
TEST_F(FactorCommand, ChoosesOnATenthOfTheOtherCellsWhateverShareIsHeldOut) {
  ASSERT_EQ(run({"simulate", "factor.block-images", "--quiet", "-o", "blocks"}).exit_code, 0);
  for (const double share : {0.05, 0.1, 0.2, 0.3}) {
    for (const char* seed : {"1", "2"}) {
      const Outcome outcome = run({"factor", "blocks.train.csv", "--factors", "2,4", "--prior", "vb", "--set",
                                   "starts=1", "--holdout", std::to_string(share), "--seed", seed, "-o", "m.json"});
      ASSERT_THAT(outcome.exit_code, testing::AnyOf(0, 1)) << outcome.err;
      const Json model = Json::parse(read("m.json"));
      EXPECT_EQ(model["test_cells"], std::lround(share * 3600));
      for (const Json& point : model["search"]) {
        EXPECT_NEAR(point["nlp_bits"].get<double>() / (0.1 * (1 - share) * 3600), 0.7, 0.3) << share;
      }
    }
  }
}

TEST_F(FactorCommand, GuessesTheFamilyFromTheTableAndSaysSo) {
  const auto guess = [&](const std::string& table, std::vector<std::string> more = {}) {
    file("guess.csv", table);
    std::vector<std::string> words = {"factor", "guess.csv", "--factors", "1", "--prior", "vb", "-o", "m.json"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_THAT(outcome.exit_code, testing::AnyOf(0, 1)) << outcome.err;
    return Json::parse(read("m.json"))["family"].get<std::string>() + ": " + outcome.err;
  };
  const std::string counts = "a,b,c\n0,3,\n5,0,1\n12,,2\n0,1,7\n";
  EXPECT_THAT(guess(counts),
              HasSubstr("poisson: tamis: family poisson (guessed from the table; use --family to override)"));
  EXPECT_THAT(guess("a,b,c\n0,1,\n1,0,1\n1,,0\n0,1,0\n"),
              HasSubstr("bernoulli: tamis: family bernoulli (guessed from the table; use --family to override)"));
  EXPECT_THAT(guess("a,b,c\n0,3,\n5,0,1\n12,,2.5\n0,1,7\n"),
              HasSubstr("gaussian: tamis: family gaussian (guessed from the table; use --family to override)"));
  EXPECT_THAT(
      guess("a,b,c\n1,3,\n5,2,1\n4,,2\n3,1,5\n"),
      HasSubstr("gaussian: tamis: family gaussian (guessed from the table, whose integers, none of them 0, look "
                "like ratings; use --family to override)"));
  EXPECT_THAT(guess(counts, {"--family", "gaussian"}), AllOf(HasSubstr("gaussian: "), Not(HasSubstr("guessed"))));
  EXPECT_THAT(guess(counts, {"--quiet"}), AllOf(HasSubstr("poisson: "), Not(HasSubstr("guessed"))));
}

TEST_F(FactorCommand, NamesAColumnWithoutAnyValue) {
  file("hollow.csv", "a,b,c\n1,,2\n3,,5\n2,,1\n");
  const auto fit = [&](const std::string& more) {
    return run({"factor", "hollow.csv", "--factors", "1", "--prior", "vb", more}).err;
  };
  EXPECT_THAT(fit("--no-standardize"), HasSubstr("column \"b\" has no observed values"));
  EXPECT_THAT(fit("--exclude=b"), Not(HasSubstr("no observed values")));
}

TEST_F(FactorCommand, KeepsWhatWasDrawnWhenItIsInterrupted) {
  Running running(folder_,
                  {"factor", "table.csv", "--factors", "2", "--progress", "always", "--set", "samples=10000000",
                   "--set", "burn_in=10", "-o", "m.json"},
                  {});
  ASSERT_TRUE(running.says("sampling"));
  running.signal(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json model = Json::parse(read("m.json"));
  EXPECT_EQ(model["status"], "cancelled");
  EXPECT_EQ(model["scores"].size(), 30U);
}

}  // namespace
}  // namespace tamis
