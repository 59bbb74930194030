#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "experiments/reproduce/experiment.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using ReproduceCommand = ProgramTest;

TEST_F(ReproduceCommand, ListsEveryExperiment) {
  const Outcome outcome = run({"reproduce", "--list"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json list = Json::parse(run({"reproduce", "--list", "--json"}).out);
  ASSERT_EQ(list.size(), experiments::experiments().size());
  for (const Json& each : list) EXPECT_THAT(outcome.out, HasSubstr(each["name"].get<std::string>() + " ("));
}

TEST_F(ReproduceCommand, PrintsTheRowsOfThePapers) {
  const Outcome outcome = run({"reproduce", "--rows"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("**"), HasSubstr("| Fig. 12 | `tamis reproduce vg.fig12` |")));
}

TEST_F(ReproduceCommand, Is64ForAnUnknownNameWithTheNearest) {
  const Outcome outcome = run({"reproduce", "vg.figg1"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("'vg.figg1'"), HasSubstr("did you mean 'vg.fig1'?")));
}

TEST_F(ReproduceCommand, Is64WithoutAName) { EXPECT_EQ(run({"reproduce"}).exit_code, 64); }

TEST_F(ReproduceCommand, Is64ForReplicatesOfACalculation) {
  const Outcome outcome = run({"reproduce", "vg.fig1", "--replicates", "2"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("calculation"));
}

TEST_F(ReproduceCommand, Is64ForDataThatNobodyReads) {
  EXPECT_EQ(run({"reproduce", "vg.fig1", "--data", small_csv()}).exit_code, 64);
}

TEST_F(ReproduceCommand, WritesNumbersAndPicture) {
  const Outcome outcome = run({"reproduce", "vg.fig1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(StartsWith("vg.fig1: "), HasSubstr("-34.657")));
  EXPECT_THAT(read("vg.fig1.csv"), StartsWith("panel,x,method,measure,replicate,value\n"));
  EXPECT_THAT(read("vg.fig1.summary.csv"), StartsWith("panel,x,method,measure,replicates,mean,"));
  EXPECT_THAT(read("vg.fig1.svg"), StartsWith("<svg "));
}

TEST_F(ReproduceCommand, MakesTheFolderThatItWritesTo) {
  ASSERT_EQ(run({"reproduce", "vg.fig2", "-o", "out", "--quiet"}).exit_code, 0);
  EXPECT_TRUE(exists("out/vg.fig2.svg"));
}

TEST_F(ReproduceCommand, Is74BeforeTheWorkWhenItCannotWrite) {
  file("taken", "");
  const Outcome outcome = run({"reproduce", "vg.fig2", "-o", "taken"});
  EXPECT_EQ(outcome.exit_code, 74);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_EQ(run({"reproduce", "vg.fig2", "-o", "no/such/folder"}).exit_code, 74);
}

TEST_F(ReproduceCommand, ShowsOursBesideThePaperAndEveryReplicateInTheFile) {
  const Outcome outcome = run({"reproduce", "vg.table1", "--replicates", "2", "--seed", "5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("2 replicates (seeds 5 to 6)"), HasSubstr("1.01 +- 0.10")));
  EXPECT_THAT(read("vg.table1.csv"), AllOf(HasSubstr(",,vg,test error,1,"), HasSubstr(",,vg,test error,2,")));
  EXPECT_FALSE(exists("vg.table1.svg")) << "a table has no picture";
}

TEST_F(ReproduceCommand, GivesTheSameFilesForAnyNumberOfThreads) {
  run({"reproduce", "vg.table2", "--replicates", "4", "--threads", "1", "-o", "one"});
  run({"reproduce", "vg.table2", "--replicates", "4", "--threads", "2", "-o", "two"});
  EXPECT_EQ(read("one/vg.table2.csv"), read("two/vg.table2.csv"));
  EXPECT_EQ(read("one/vg.table2.summary.csv"), read("two/vg.table2.summary.csv"));
}

TEST_F(ReproduceCommand, EndsWithWhatIsFinishedWhenInterrupted) {
  Running running(folder_,
                  {"reproduce", "vg.table1", "--replicates", "1000000", "--progress", "always", "--threads", "1"}, {});
  ASSERT_TRUE(running.says("%"));
  running.signal(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("cancelled after "));
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("test error"), HasSubstr("of 1000000 runs that finished")));
  EXPECT_THAT(read("vg.table1.csv"), HasSubstr(",,vg,test error,1,"));
}

TEST_F(ReproduceCommand, AsksForTheDataThatItNeeds) {
  const Outcome outcome = run({"reproduce", "vg.table4"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--data FILE"), HasSubstr("medv")));
  EXPECT_EQ(run({"reproduce", "vg.table4", "--data", "absent.csv"}).exit_code, 66);
  EXPECT_EQ(run({"reproduce", "vg.table4", "--data", small_csv()}).exit_code, 65) << "no column medv";
}

TEST_F(ReproduceCommand, RunsOnTheDataThatItIsGiven) {
  std::string csv = "medv,rm,age\n";
  for (int i = 0; i < 30; ++i) csv += fmt::format("{},{},{}\n", 2 * i + i % 3, i, i * i % 7);
  const std::string data = file("houses.csv", csv);
  const Outcome outcome = run({"reproduce", "vg.table4", "--data", data, "--replicates", "3"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("error, soft starts"), HasSubstr("0.237 [0.0010, 0.454]")));
  EXPECT_EQ(run({"reproduce", "vg.fig7", "--data", data, "--replicates", "2"}).exit_code, 0);
  EXPECT_TRUE(exists("vg.fig7.svg"));
}

TEST_F(ReproduceCommand, PrintsJson) {
  const Outcome outcome = run({"reproduce", "vg.fig2", "--json", "--quiet"});
  EXPECT_THAT(outcome.err, IsEmpty());
  const Json object = Json::parse(outcome.out);
  EXPECT_EQ(object["name"], "vg.fig2");
  EXPECT_EQ(object["status"], "complete");
  EXPECT_FALSE(object["findings"].empty());
}

}  // namespace
}  // namespace tamis
