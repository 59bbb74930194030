#include <gmock/gmock.h>
#include <unistd.h>

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
