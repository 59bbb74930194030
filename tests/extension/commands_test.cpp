// A program with the toys linked into it: every command knows them, because they are in the lists.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/program.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Toys : public ProgramTest {
 protected:
  // y is 2 a and a little of b; c means nothing.
  std::string toy_table() const {
    return file("small.toy",
                "toy-table 8 4\n"
                "y: 2.1 -2 4.1 -3.9 6 -6.1 8 -8\n"
                "a: 1 -1 2 -2 3 -3 4 -4\n"
                "b: 1 1 1 1 -1 -1 -1 -1.5\n"
                "c: 1 1 -1 -1 1 1 -1 -1\n"
                "end\n");
  }
  std::string toy_model() const {
    const Outcome fitted = run({"fit", toy_table(), "--target", "y", "--method", "toy-screening", "-o", "m.json"});
    EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
    return "m.json";
  }
  // 120 waiting times of mean e^(a - b), as quantiles in a fixed disorder; c means nothing.
  std::string waiting_csv() const {
    std::ostringstream text;
    text << "y,a,b,c\n";
    for (int i = 0; i < 120; ++i) {
      const double a = std::sin(i), b = std::cos(3.0 * i), c = std::sin(7.0 * i + 1);
      const double u = (37 * i % 120 + 0.5) / 120;
      text << -std::exp(a - b) * std::log(u) << "," << a << "," << b << "," << c << "\n";
    }
    return file("waiting.csv", text.str());
  }
  std::string waiting_model(const std::string& method) const {
    const Outcome fitted =
        run({"fit", waiting_csv(), "--target", "y", "--family", "toy-exponential", "--method", method, "-o", "w.json"});
    EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
    return "w.json";
  }
  // 24 rows of positive numbers in two groups of columns; some cells are empty.
  std::string positive_table() const {
    std::ostringstream text;
    text << "a,b,c,d\n";
    for (int n = 0; n < 24; ++n) {
      for (int d = 0; d < 4; ++d) {
        const double level = (d < 2 ? n % 2 : n % 3 == 0) ? 1.5 : -0.5, u = (29 * (4 * n + d) % 96 + 0.5) / 96;
        text << (d > 0 ? "," : "");
        if ((4 * n + d) % 9 != 0) text << -std::exp(level) * std::log(u);
      }
      text << "\n";
    }
    return file("positive.csv", text.str());
  }
};

TEST_F(Toys, MethodsListsTheToyWithItsOptions) {
  EXPECT_THAT(run({"methods"}).out, AllOf(HasSubstr("lasso"), HasSubstr("toy-screening")));
  EXPECT_THAT(run({"methods", "toy-screening"}).out, HasSubstr("threshold"));
  const Json listed = Json::parse(run({"methods", "--json"}).out);
  EXPECT_EQ(listed.size(), Json::parse(run({"methods", "--json", "lasso"}).out).size() + 13);
  EXPECT_EQ(listed.back()["name"], "toy-screening");
}

TEST_F(Toys, FitFindsTheFeatureThatMadeTheResponse) {
  const std::string model = toy_model();
  const Json fit = Json::parse(read(model));
  EXPECT_EQ(fit["method"], "toy-screening");
  EXPECT_EQ(fit["status"], "converged");
  // Its correlation r is 1, less r t^2 / r^2 at a threshold t of 0.2.
  EXPECT_NEAR(fit["coefficients"][0], 2 * (1 - 0.2 * 0.2), 0.03);
  EXPECT_EQ(fit["coefficients"][2], 0);
}

TEST_F(Toys, FitTakesTheOptionOfTheToy) {
  run({"fit", toy_table(), "--target", "y", "--method", "toy-screening", "--set", "threshold=1", "-o", "m.json"});
  const Json fit = Json::parse(read("m.json"));
  EXPECT_EQ(fit["options"]["threshold"], 1);
  EXPECT_EQ(fit["coefficients"], Json({0.0, 0.0, 0.0}));
}

TEST_F(Toys, ModelsOfOneFormatPredictRowsOfAnother) {
  const Outcome from_toy = run({"predict", toy_model(), toy_table(), "--quiet"});
  EXPECT_EQ(from_toy.exit_code, 0) << from_toy.err;
  const std::string csv =
      file("same.csv", "a,b,c\n1,1,1\n-1,1,1\n2,1,-1\n-2,1,-1\n3,-1,1\n-3,-1,1\n4,-1,-1\n-4,-1.5,-1\n");
  EXPECT_EQ(run({"predict", "m.json", csv, "--quiet"}).out, from_toy.out);
}

TEST_F(Toys, SelectKnowsWhatTheToyKept) {
  const Outcome selected = run({"select", toy_model()});
  EXPECT_EQ(selected.exit_code, 0) << selected.err;
  EXPECT_THAT(selected.out, AllOf(HasSubstr("a"), testing::Not(HasSubstr("c,"))));
}

TEST_F(Toys, CompareTriesTheToyLikeAnyOther) {
  const Outcome compared = run({"compare", small_csv(), "--target", "y", "--cv", "3", "--methods",
                                "toy-screening,lasso", "-o", "page.html", "--json"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("toy-screening"));
  EXPECT_THAT(read("page.html"), HasSubstr("toy-screening"));
  EXPECT_THAT(run({"compare", small_csv(), "--target", "y", "--cv", "2", "--quiet"}).out, HasSubstr("toy-screening"));
}

TEST_F(Toys, ReportMakesAPageOfTheToy) {
  const Outcome reported = run({"report", toy_model(), "-o", "page.html"});
  EXPECT_EQ(reported.exit_code, 0) << reported.err;
  EXPECT_THAT(read("page.html"), HasSubstr("toy-screening"));
}

TEST_F(Toys, FitsTheToyFamilyByAMethodThatNeedsNothingOfIt) {
  for (const char* method : {"lasso", "ridge", "toy-screening"}) {
    const Json fit = Json::parse(read(waiting_model(method)));
    EXPECT_EQ(fit["family"], "toy-exponential") << method;
    EXPECT_GT(fit["coefficients"][0], 0.2) << method;
    EXPECT_LT(fit["coefficients"][1], -0.2) << method;
  }
}

TEST_F(Toys, HelpListsTheFamilyAndTheMethodsThatFitIt) {
  EXPECT_THAT(run({"fit", "--help"}).out, HasSubstr("toy-exponential"));
  EXPECT_THAT(run({"factor", "--help"}).out, AllOf(HasSubstr("toy-exponential"), HasSubstr("toy-ridge")));
  EXPECT_THAT(run({"methods", "lasso"}).out, HasSubstr("toy-exponential"));
  EXPECT_THAT(run({"methods", "gibbs"}).out, testing::Not(HasSubstr("toy-exponential")));
}

TEST_F(Toys, MethodsThatNeedMoreOfTheFamilySayWhat) {
  const Outcome refused =
      run({"fit", waiting_csv(), "--target", "y", "--family", "toy-exponential", "--method", "gibbs"});
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("it needs a conditionally gaussian augmentation"), HasSubstr("lasso")));
  const Outcome negative =
      run({"fit", small_csv(), "--target", "y", "--family", "toy-exponential", "--method", "lasso"});
  EXPECT_EQ(negative.exit_code, 65);
  EXPECT_THAT(negative.err, HasSubstr("expects a positive number"));
}

TEST_F(Toys, PredictSelectAndReportKnowTheToyFamily) {
  const std::string model = waiting_model("lasso");
  const Outcome predicted = run({"predict", model, "waiting.csv", "--quiet"});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  const std::vector<std::string> lines = [&] {
    std::vector<std::string> all;
    std::istringstream in(predicted.out);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }();
  ASSERT_EQ(lines.size(), 121u);
  EXPECT_THAT(lines[0], HasSubstr("lower"));
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_GT(std::stod(lines[i]), 0);
  EXPECT_EQ(run({"select", model}).exit_code, 0);
  const Outcome reported = run({"report", model, "--data", "waiting.csv", "-o", "page.html"});
  EXPECT_EQ(reported.exit_code, 0) << reported.err;
  EXPECT_THAT(read("page.html"), AllOf(HasSubstr("toy-exponential"), HasSubstr("mean deviance")));
}

TEST_F(Toys, CompareTriesTheMethodsThatFitTheToyFamily) {
  const Outcome compared = run({"compare", waiting_csv(), "--target", "y", "--family", "toy-exponential", "--cv", "3"});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_THAT(compared.out, AllOf(HasSubstr("lasso"), HasSubstr("toy-screening"), HasSubstr("gibbs was skipped")));
}

TEST_F(Toys, FactorTakesTheToyPriorForEveryFamily) {
  for (const char* family : {"gaussian", "toy-exponential"}) {
    const Outcome fitted = run({"factor", positive_table(), "--factors", "2", "--prior", "toy-ridge", "--family",
                                family, "--holdout", "0.1", "-o", "f.json", "--completed", "done.csv"});
    EXPECT_EQ(fitted.exit_code, 0) << fitted.err;
    const Json model = Json::parse(read("f.json"));
    EXPECT_EQ(model["prior"], "toy-ridge");
    EXPECT_EQ(model["family"], family);
    EXPECT_GT(model["test_cells"], 0);
    EXPECT_TRUE(std::isfinite(model["nlp_bits"].get<double>()));
    EXPECT_THAT(read("done.csv"), testing::Not(HasSubstr(",,")));
  }
  EXPECT_EQ(run({"report", "f.json", "-o", "page.html"}).exit_code, 0);
  EXPECT_THAT(read("page.html"), HasSubstr("toy-ridge"));
}

TEST_F(Toys, FactorTakesTheToyFamilyForThePriorsOfTamis) {
  for (const char* prior : {"l1", "vb", "none"}) {
    const Outcome fitted = run({"factor", positive_table(), "--factors", "2", "--prior", prior, "--family",
                                "toy-exponential", "-o", "f.json"});
    EXPECT_THAT(fitted.exit_code, testing::AnyOf(0, 1)) << fitted.err;
    EXPECT_EQ(Json::parse(read("f.json"))["family"], "toy-exponential");
  }
}

TEST_F(Toys, InfoKnowsTheFormatByItsExtensionAndByItsContent) {
  const std::string named = toy_table();
  const Json by_name = Json::parse(run({"info", named, "--json"}).out);
  EXPECT_EQ(by_name["format"], "toy-table");
  EXPECT_EQ(by_name["rows"], 8);
  EXPECT_EQ(Json::parse(run({"info", file("nameless", read(named)), "--json"}).out)["format"], "toy-table");
}

TEST_F(Toys, InfoDescribesTheirModels) {
  for (const std::string& model : {toy_model(), waiting_model("ridge")}) {
    const Outcome described = run({"info", model});
    EXPECT_EQ(described.exit_code, 0) << described.err;
    EXPECT_THAT(described.out, HasSubstr(model == "m.json" ? "toy-screening" : "toy-exponential"));
  }
}

TEST_F(Toys, MissingCellsOfTheFormatAreSettledAsOfAnyOther) {
  const std::string holes = file("holes.toy", "toy-table 4 2\ny: 1 2 3 4\na: 1 NA 3 4\nend\n");
  const Outcome refused = run({"fit", holes, "--target", "y", "--method", "toy-screening"});
  EXPECT_EQ(refused.exit_code, 65);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("\"a\""), HasSubstr("--missing")));
  EXPECT_EQ(run({"fit", holes, "--target", "y", "--method", "toy-screening", "--missing", "drop"}).exit_code, 0);
}

TEST_F(Toys, WhatTheToysDoNotTakeIsRefusedWithASentence) {
  const auto fit = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"fit", toy_table(), "--target", "y", "--method", "toy-screening"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Outcome beyond = fit({"--set", "threshold=2"});
  EXPECT_EQ(beyond.exit_code, 64);
  EXPECT_THAT(beyond.err, HasSubstr("option threshold: received 2; expected number from 0 to 1"));
  EXPECT_EQ(fit({"--set", "penalty=1"}).exit_code, 64);
  EXPECT_EQ(fit({"--penalty-factors", file("factors.csv", "feature,factor\na,2\n")}).exit_code, 64);
  const Outcome slip = run({"fit", toy_table(), "--target", "y", "--method", "toy-screning"});
  EXPECT_EQ(slip.exit_code, 64);
  EXPECT_THAT(slip.err, HasSubstr("did you mean 'toy-screening'?"));

  const Outcome broken = run({"info", file("broken.toy", "toy-table 2 1\ny: 1 x\nend\n")});
  EXPECT_EQ(broken.exit_code, 65);
  EXPECT_THAT(broken.err, HasSubstr("line 2: expected 2 finite numbers or NA"));
  EXPECT_EQ(run({"info", file("huge.toy", "toy-table 4000000000 4000000000\n")}).exit_code, 65);
}

}  // namespace
}  // namespace tamis
