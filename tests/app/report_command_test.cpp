#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/program.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ReportCommand : public ProgramTest {
 protected:
  /// A factor model of a small table of 0 and 1 with four columns.
  std::string factor_model() const {
    std::string table = "a,b,c,d\n";
    for (int i = 0; i < 24; ++i) table += i % 2 == 0 ? "1,1,0,0\n" : "0,0,1,1\n";
    file("table.csv", table);
    const Outcome outcome = run({"factor", "table.csv", "--family", "bernoulli", "--factors", "2", "--prior", "vb",
                                 "--holdout", "0.1", "-o", "factor.json", "--quiet"});
    EXPECT_LE(outcome.exit_code, 1) << outcome.err;
    return "factor.json";
  }
};

TEST_F(ReportCommand, WritesAPageThatSaysWhatWasFound) {
  const Outcome outcome = run({"report", small_model(), "-o", "page.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("report written to page.html"));
  EXPECT_THAT(read("page.html"),
              AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("y increases with a, and decreases with b."),
                    HasSubstr("Model details")));
}

TEST_F(ReportCommand, StaysSmall) {
  run({"report", small_model(), "-o", "page.html"});
  constexpr std::size_t promised = 1'500'000;
  EXPECT_LT(read("page.html").size(), promised);
}

TEST_F(ReportCommand, JudgesByDataWhereTheyAreGiven) {
  const Outcome outcome = run({"report", small_model(), "-o", "page.html", "--data", "small.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read("page.html"), AllOf(HasSubstr("On small.csv (40 rows), the root mean squared error is"),
                                       HasSubstr("Residuals"), HasSubstr("as many rows as the training data")));
}

TEST_F(ReportCommand, NeedsNoResponseInTheData) {
  const Outcome outcome =
      run({"report", small_model(), "-o", "page.html", "--data", file("new.csv", "a,b,c,d,e\n1,2,3,4,5\n5,4,3,2,0\n")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("prediction error is not reported"));
  EXPECT_THAT(read("page.html"), Not(HasSubstr("Residuals")));
}

TEST_F(ReportCommand, PutsSeveralModelsSideBySide) {
  small_model();
  run({"fit", "small.csv", "--target", "y", "--method", "vg", "-o", "vg.json", "--quiet"});
  const Outcome outcome = run({"report", "model.json", "vg.json", "-o", "page.html"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read("page.html"), AllOf(HasSubstr("Comparison of 2 models"), HasSubstr("All models select a and b")));
}

TEST_F(ReportCommand, ShowsFactorModelsAsImages) {
  const Outcome outcome = run({"report", factor_model(), "-o", "page.html", "--image", "2x2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read("page.html"), AllOf(HasSubstr("\"kind\":\"images\""), HasSubstr("held-out cells")));
}

TEST_F(ReportCommand, RefusesAnImageOfAnotherSize) {
  const Outcome outcome = run({"report", factor_model(), "-o", "page.html", "--image", "3x3"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("--image 3x3: 9 pixels do not match the 4 columns of factor.json"));
  EXPECT_FALSE(exists("page.html"));
  EXPECT_THAT(run({"report", "factor.json", "-o", "page.html", "--image", "wide"}).err,
              HasSubstr("--image: received 'wide'; expected ROWSxCOLS, such as 6x6"));
}

TEST_F(ReportCommand, RefusesDataForFactorModels) {
  const Outcome outcome = run({"report", factor_model(), "-o", "page.html", "--data", "table.csv"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("--data: applies to regression models only"));
}

TEST_F(ReportCommand, RefusesWhatIsNoModel) {
  const Outcome absent = run({"report", "no.json", "-o", "page.html"});
  EXPECT_EQ(absent.exit_code, 66);
  EXPECT_THAT(absent.err, HasSubstr("no.json: cannot open the model file"));
  const Outcome data = run({"report", small_csv(), "-o", "page.html"});
  EXPECT_EQ(data.exit_code, 65);
  EXPECT_THAT(data.err, HasSubstr("small.csv: not a tamis model file"));
  EXPECT_EQ(run({"report", file("other.json", R"({"schema": "other/1"})"), "-o", "page.html"}).exit_code, 65);
  EXPECT_FALSE(exists("page.html"));
}

TEST_F(ReportCommand, RefusesDataThatLackAFeature) {
  const Outcome outcome =
      run({"report", small_model(), "-o", "page.html", "--data", file("few.csv", "a,b,y\n1,2,3\n")});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("column \"c\", a feature of the model, not found"));
  EXPECT_FALSE(exists("page.html"));
}

TEST_F(ReportCommand, NeedsAModelAndAnOutputThatCanBeWritten) {
  EXPECT_EQ(run({"report", "-o", "page.html"}).exit_code, 64);
  EXPECT_EQ(run({"report", small_model()}).exit_code, 64);
  EXPECT_EQ(run({"report", "model.json", "-o", "no/such/folder/page.html"}).exit_code, 74);
  const Outcome same = run({"report", "model.json", "-o", "model.json"});
  EXPECT_EQ(same.exit_code, 64) << same.err;
}

TEST_F(ReportCommand, KeepsHostileNamesText) {
  const std::string hostile = "</script><script>alert(1)</script>";
  std::string csv = "\"" + hostile + "\",\"<img src=x onerror=alert(2)>\"\n";
  for (int i = 0; i < 12; ++i) csv += std::to_string(i) + "," + std::to_string(2 * i + i % 3) + "\n";
  file("data.csv", csv);
  ASSERT_EQ(run({"fit", "data.csv", "--target", "<img src=x onerror=alert(2)>", "--method", "lasso", "--set",
                 "penalty=0.1", "-o", "<b>model.json", "--quiet"})
                .exit_code,
            0);
  ASSERT_EQ(run({"report", "<b>model.json", "-o", "page.html", "--data", "data.csv"}).exit_code, 0);
  EXPECT_THAT(read("page.html"), AllOf(Not(HasSubstr(hostile)), Not(HasSubstr("<img")), Not(HasSubstr("<b>model"))));
}

}  // namespace
}  // namespace tamis
