#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "experiments/designs.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using SimulateCommand = ProgramTest;

TEST_F(SimulateCommand, ListsEveryDesign) {
  const Outcome outcome = run({"simulate", "--list"});
  EXPECT_EQ(outcome.exit_code, 0);
  const Json list = Json::parse(run({"simulate", "--list", "--json"}).out);
  const auto designs = experiments::simulation_designs();
  ASSERT_EQ(list.size(), designs.size());
  for (std::size_t i = 0; i < designs.size(); ++i) {
    EXPECT_EQ(list[i]["name"], designs[i].name);
    EXPECT_THAT(outcome.out, HasSubstr(designs[i].name + " ("));
  }
}

TEST_F(SimulateCommand, WritesTheSetsAndTheTruth) {
  const Outcome outcome = run({"simulate", "vg.example1", "--seed", "3", "-o", "demo"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(read("demo.train.csv"), StartsWith("y,x1,x2,"));
  EXPECT_TRUE(exists("demo.validation.csv"));
  EXPECT_TRUE(exists("demo.test.csv"));
  EXPECT_EQ(Json::parse(read("demo.truth.json"))["seed"], 3);
}

TEST_F(SimulateCommand, GivesTheSameFilesForTheSameSeed) {
  run({"simulate", "vg.example1", "--seed", "3", "-o", "one"});
  run({"simulate", "vg.example1", "--seed", "3", "-o", "two", "--threads", "1"});
  run({"simulate", "vg.example1", "--seed", "4", "-o", "other"});
  EXPECT_EQ(read("one.train.csv"), read("two.train.csv"));
  EXPECT_NE(read("one.train.csv"), read("other.train.csv"));
}

TEST_F(SimulateCommand, WritesDataThatFitReads) {
  ASSERT_EQ(run({"simulate", "vg.example1", "-o", "demo"}).exit_code, 0);
  const Outcome outcome = run(
      {"fit", "demo.train.csv", "--target", "y", "--method", "lasso", "--validation", "demo.validation.csv", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["features"][0], "x1");
}

TEST_F(SimulateCommand, WritesASparseDesignAsSvmlightWithAllItsEntries) {
  const Outcome outcome = run({"simulate", "bench.d", "-o", "s", "--set", "n=60", "--set", "p=300"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto simulation = experiments::simulate("bench.d", 1, {{"n", 60}, {"p", 300}});
  const Json info = Json::parse(run({"info", "s.train.svm", "--json"}).out);
  EXPECT_EQ(info["format"], "svmlight");
  EXPECT_EQ(info["rows"], simulation.train.rows());
  EXPECT_EQ(info["stored"], simulation.train.sparse->values.size());
}

TEST_F(SimulateCommand, ChangesAParameter) {
  ASSERT_EQ(run({"simulate", "vg.example1", "-o", "demo", "--set", "p=7"}).exit_code, 0);
  EXPECT_THAT(read("demo.train.csv"), StartsWith("y,x1,x2,x3,x4,x5,x6,x7\n"));
}

TEST_F(SimulateCommand, RefusesWhatItDoesNotKnow) {
  const Outcome design = run({"simulate", "vg.exmple1", "-o", "demo"});
  EXPECT_EQ(design.exit_code, 64);
  EXPECT_THAT(design.err, HasSubstr("vg.example1"));
  EXPECT_EQ(run({"simulate", "vg.example1", "-o", "demo", "--set", "bogus=1"}).exit_code, 64);
  EXPECT_EQ(run({"simulate", "vg.example1", "-o", "demo", "--set", "p=many"}).exit_code, 64);
  EXPECT_EQ(run({"simulate", "vg.example1", "-o", "demo", "--set", "p=7", "--set", "p=8"}).exit_code, 64) << "twice";
  EXPECT_EQ(run({"simulate", "vg.example1", "-o", "demo", "--seed", "-3"}).exit_code, 64);
  EXPECT_EQ(run({"simulate", "vg.example1"}).exit_code, 64) << "no prefix";
  EXPECT_EQ(run({"simulate", "-o", "demo"}).exit_code, 64) << "no design";
  EXPECT_EQ(run({"simulate", "vg.example1", "-o", "nowhere/demo"}).exit_code, 74);
}

}  // namespace
}  // namespace tamis
