#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "experiments/designs.hpp"
#include "experiments/reproduce/curves.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "experiments/reproduce/views.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"

namespace tamis::experiments {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Draws a few numbers from the seed: what a study looks like, in microseconds.
void measure_something(const Trial& trial, Recorder& record) {
  RandomStream numbers(trial.seed);
  double sum = std::isnan(trial.setting.x) ? 0 : trial.setting.x;
  for (int k = 0; k < 1000; ++k) sum += numbers.normal() / 1000;
  record.add("ours", "size", sum);
  record.add("other", "size", 2 * sum);
}

Experiment small_study() {
  return {.name = "test.study",
          .title = "a study",
          .source = "nobody",
          .shows = "sums",
          .replicates = 4,
          .settings = {{.panel = "a", .x = 1}, {.panel = "a", .x = 10}},
          .measure = measure_something,
          .paper = {{{"a", 1, "ours", "size"}, 1.0, 0.1, 25}}};
}

Experiment small_table() {
  Experiment table = small_study();
  table.settings = {{}};
  table.paper = {{{"", no_coordinate, "ours", "size"}, 5.0, 0.1, 25}};
  return table;
}

TEST(Statistic, HasMeanErrorMedianAndEnds) {
  const Statistic s = summarize({4, 1, 2, 5});
  EXPECT_EQ(s.count, 4);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.standard_error, std::sqrt(10.0 / 3 / 4));
  EXPECT_DOUBLE_EQ(s.median, 3);
  EXPECT_EQ(s.least, 1);
  EXPECT_EQ(s.most, 5);
}

TEST(Statistic, HasTheCentralNinetyFivePercent) {
  std::vector<double> values;
  for (int k = 0; k <= 40; ++k) values.push_back(k);
  EXPECT_DOUBLE_EQ(summarize(values).low, 1);
  EXPECT_DOUBLE_EQ(summarize(values).high, 39);
}

TEST(Statistic, HasNoErrorWithOneValue) { EXPECT_TRUE(std::isnan(summarize({4}).standard_error)); }

TEST(Distance, IsInStandardErrorsOfTheDifference) {
  Row row{.place = {}, .ours = summarize({1, 3}), .paper = PaperNumber{{}, 5, 4, 4}};
  EXPECT_DOUBLE_EQ(row.distance(), (2 - 5) / std::hypot(1.0, 2.0));
  row.paper->deviation = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(row.distance()));
}

TEST(Run, GivesTheSameResultsForAnyNumberOfThreads) {
  const Results one = run(small_study(), {.replicates = 40, .threads = 1});
  const Results four = run(small_study(), {.replicates = 40, .threads = 4});
  EXPECT_EQ(observations_csv(one), observations_csv(four));
  EXPECT_EQ(summary_csv(one), summary_csv(four));
  EXPECT_EQ(one.finished, 80);
}

TEST(Run, SeedsReplicatesOneAfterTheOther) {
  const Results first = run(small_study(), {.replicates = 3, .seed = 7});
  const Results later = run(small_study(), {.replicates = 2, .seed = 8});
  EXPECT_EQ(first.observations[4].value, later.observations[0].value);
  EXPECT_EQ(first.observations[4].replicate, 2);
  EXPECT_NE(first.observations[0].value, first.observations[4].value);
}

TEST(Run, KeepsThePaperNumbersBesideOurs) {
  const Results results = run(small_study(), {});
  const Row* row = results.find("a", 1, "ours", "size");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->ours.count, 4);
  ASSERT_TRUE(row->paper.has_value());
  EXPECT_EQ(row->paper->value, 1.0);
  EXPECT_FALSE(results.find("a", 10, "ours", "size")->paper.has_value());
}

TEST(Run, TellsProgressUpToTheEnd) {
  class Watcher final : public Observer {
   public:
    void progress(double fraction, std::string_view) override { seen.push_back(fraction); }
    std::vector<double> seen;
  } watcher;
  run(small_study(), {.replicates = 2, .observer = &watcher});
  EXPECT_THAT(watcher.seen, ElementsAre(0.25, 0.5, 0.75, 1));
}

TEST(Run, EndsEarlyWithWhatIsFinished) {
  class Impatient final : public Observer {
   public:
    void progress(double fraction, std::string_view) override { enough = fraction > 0.4; }
    bool cancelled() override { return enough; }
    bool enough = false;
  } impatient;
  const Results results = run(small_study(), {.replicates = 10, .threads = 1, .observer = &impatient});
  EXPECT_FALSE(results.complete());
  EXPECT_EQ(results.finished, 9);
  EXPECT_EQ(results.trials, 20);
  EXPECT_EQ(results.find("a", 1, "ours", "size")->ours.count, 5);
  EXPECT_THAT(text_view(small_study(), results), HasSubstr("results above are from the 9 of 20 runs that finished"));
}

TEST(Run, PassesAnExceptionOn) {
  Experiment broken = small_study();
  broken.measure = [](const Trial&, Recorder&) { throw InvalidInput("no such thing"); };
  EXPECT_THROW(run(broken, {.replicates = 50}), InvalidInput);
}

TEST(Run, RefusesReplicatesWhereThereAreNone) {
  Experiment calculation = small_study();
  calculation.replication = Replication::calculation;
  EXPECT_THROW(run(calculation, {.replicates = 2}), InvalidOption);
  EXPECT_EQ(run(calculation, {}).replicates, 1);
}

TEST(Run, AsksForTheDataThatItNeeds) {
  Experiment hungry = small_study();
  hungry.data = "the houses";
  EXPECT_THROW(run(hungry, {}), InvalidOption);
}

TEST(Recorder, CountsFitsThatDidNotConverge) {
  Experiment study = small_study();
  study.measure = [](const Trial& trial, Recorder& record) { record.ended("ours", trial.seed != 1); };
  const Results results = run(study, {.replicates = 3});
  EXPECT_EQ(results.endings.at("ours").fits, 6);
  EXPECT_EQ(results.endings.at("ours").unfinished, 2);
  EXPECT_THAT(text_view(study, results), HasSubstr("ours: 2 of 6 fits did not converge"));
}

TEST(Curve, RisesInXAndCarriesStandardErrors) {
  Experiment study = small_study();
  std::reverse(study.settings.begin(), study.settings.end());
  const Series series = curve(run(study, {.replicates = 5}), "a", "ours", "size");
  EXPECT_THAT(series.x, ElementsAre(1, 10));
  ASSERT_EQ(series.lower.size(), 2u);
  EXPECT_LT(series.lower[0], series.y[0]);
  EXPECT_GT(series.upper[0], series.y[0]);
}

TEST(Curve, HasNoErrorBarsForASingleRun) {
  EXPECT_TRUE(curve(run(small_study(), {.replicates = 1}), "a", "ours", "size").lower.empty());
}

TEST(ObservationsCsv, HasOneLinePerNumber) {
  const std::string csv = observations_csv(run(small_study(), {.replicates = 2}));
  EXPECT_THAT(csv, StartsWith("panel,x,method,measure,replicate,value\na,1,ours,size,1,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2 * 2);
}

TEST(ObservationsCsv, LeavesXEmptyInTables) {
  EXPECT_THAT(observations_csv(run(small_table(), {.replicates = 1})), HasSubstr("\n,,ours,size,1,"));
}

TEST(SummaryCsv, HasThePaperNumbers) {
  EXPECT_THAT(summary_csv(run(small_study(), {})), HasSubstr(",mean,1,0.1,25\n"));
}

TEST(TextView, MarksWhatDiffersAndCountsIt) {
  const std::string text = text_view(small_table(), run(small_table(), {}));
  EXPECT_THAT(text, AllOf(HasSubstr("5.00 +- 0.10"), HasSubstr("differs"),
                          HasSubstr("0 of 1 means with a known standard error lie within 3 standard errors")));
}

TEST(TextView, ShowsCurvesAsAGrid) {
  const std::string text = text_view(small_study(), run(small_study(), {}));
  EXPECT_THAT(text,
              AllOf(HasSubstr("\na: size\n x  ours"), HasSubstr("\n10  "), HasSubstr("4 replicates (seeds 1 to 4)")));
}

TEST(TextView, SaysWhetherAClaimHolds) {
  Experiment study = small_study();
  study.check_claims = [](const Results&) {
    return std::vector<Finding>{{"the sky is blue", "it is", true}, {"the sea is dry", "it is not", false}};
  };
  const std::string text = text_view(study, run(study, {}));
  EXPECT_THAT(text, AllOf(HasSubstr("holds           the sky is blue"), HasSubstr("does not hold   the sea is dry")));
}

TEST(JsonView, HasEverything) {
  const nlohmann::json object = nlohmann::json::parse(json_view(small_study(), run(small_study(), {.seed = 3})));
  EXPECT_EQ(object["name"], "test.study");
  EXPECT_EQ(object["status"], "complete");
  EXPECT_EQ(object["seed"], 3);
  EXPECT_EQ(object["rows"].size(), 4u);
  EXPECT_EQ(object["rows"][0]["paper"]["value"], 1.0);
  EXPECT_TRUE(object["rows"][1]["paper"].is_null());
}

TEST(ExperimentList, NamesTheNearestOfAnUnknownName) {
  try {
    experiment("vg.fig11x");
    FAIL() << "it should have been refused";
  } catch (const InvalidOption& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'vg.fig11x'"), HasSubstr("did you mean 'vg.fig1")));
  }
}

TEST(ExperimentList, DescribesEveryExperimentOnce) {
  std::vector<std::string> names;
  for (const Experiment& each : experiments()) {
    EXPECT_THAT(names, Not(testing::Contains(each.name)));
    names.push_back(each.name);
    EXPECT_FALSE(each.title.empty() || each.source.empty() || each.shows.empty()) << each.name;
    EXPECT_FALSE(each.settings.empty()) << each.name;
    const bool is_figure = each.name.find("fig") != std::string::npos;
    EXPECT_TRUE(each.picture || !is_figure) << each.name;
    EXPECT_EQ(each.data.empty(), each.target.empty()) << each.name;
    EXPECT_EQ(each.replication != Replication::study, each.replicates == 1) << each.name;
  }
}

// For the experiments that read a file.
Dataset made_up_data() {
  static const Matrix X = simulate("vg.example1", 1, {{"p", 4}}).train.X;
  const std::span<const double> first = X.column(0);
  Dataset data;
  data.X = std::make_shared<DenseDesign>(X);
  data.features = {"a", "b", "c", "d"};
  data.y.assign(first.begin(), first.end());
  data.target = "y";
  return data;
}

class EveryExperiment : public testing::TestWithParam<std::string> {};

// What a run that was cut short leaves: the views, verdicts and pictures must live with missing points.
TEST_P(EveryExperiment, IsShownEvenIfOnlyOneRunWasFinished) {
  Experiment cut = experiment(GetParam());
#ifdef __SANITIZE_ADDRESS__
  if (cut.name.starts_with("factor.") || cut.name.starts_with("flas.")) {
    GTEST_SKIP() << "long chains, too slow under sanitizers; their methods have tests of their own";
  }
#endif
  cut.settings.resize(1);
  if (cut.name == "flas.table1-synthetic") cut.settings[0].parameters = {{"p", 400}};  // 19,000 take their time
  const Dataset data = made_up_data();
  const Results results = run(cut, {.replicates = 1, .data = cut.data.empty() ? nullptr : &data});
  EXPECT_EQ(results.finished, 1);
  EXPECT_FALSE(results.rows.empty());
  EXPECT_THAT(text_view(cut, results), StartsWith(cut.name + ": "));
  EXPECT_THAT(json_view(cut, results), StartsWith("{"));
  const std::string svg = cut.picture ? to_svg(cut.picture(results)) : "<svg";
  EXPECT_THAT(svg, AllOf(StartsWith("<svg"), Not(HasSubstr("nan"))));
}

TEST_P(EveryExperiment, DrawsFromDesignsThatExist) {
  for (const Setting& setting : experiment(GetParam()).settings) {
    if (setting.design.empty()) continue;
    const auto designs = simulation_designs();
    const auto design = std::find_if(designs.begin(), designs.end(),
                                     [&](const SimulationDesign& each) { return each.name == setting.design; });
    ASSERT_NE(design, designs.end()) << setting.design;
    for (const auto& [name, value] : setting.parameters) {
      EXPECT_TRUE(std::any_of(design->parameters.begin(), design->parameters.end(),
                              [&, &wanted = name](const DesignParameter& each) { return each.name == wanted; }))
          << setting.design << " " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(List, EveryExperiment, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Experiment& each : experiments()) names.push_back(each.name);
                           return names;
                         }()),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace tamis::experiments
