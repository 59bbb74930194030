#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "example_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool same_bits(double a, double b) { return a == b && std::signbit(a) == std::signbit(b); }

TEST(ModelFile, KeepsEveryField) {
  const Fit fit = example_fit();
  const Fit again = from_json(to_json(fit));
  EXPECT_EQ(again.schema, "tamis.fit/2");
  EXPECT_EQ(again.library_version, fit.library_version);
  EXPECT_EQ(again.method, fit.method);
  EXPECT_EQ(again.family, fit.family);
  EXPECT_EQ(again.options, fit.options);
  EXPECT_EQ(again.target, fit.target);
  EXPECT_EQ(again.levels, fit.levels);
  EXPECT_EQ(again.offset, fit.offset);
  EXPECT_EQ(again.samples, fit.samples);
  EXPECT_EQ(again.features, fit.features);
  EXPECT_EQ(again.intercept, fit.intercept);
  EXPECT_EQ(again.coefficients, fit.coefficients);
  EXPECT_EQ(again.standard_deviations, fit.standard_deviations);
  EXPECT_EQ(again.inclusion, fit.inclusion);
  EXPECT_EQ(again.noise_variance, fit.noise_variance);
  EXPECT_EQ(again.hyper, fit.hyper);
  EXPECT_EQ(again.objective, fit.objective);
  EXPECT_EQ(again.status, fit.status);
  EXPECT_EQ(again.message, fit.message);
  EXPECT_EQ(again.seconds, fit.seconds);
}

TEST(ModelFile, KeepsMeansAndSpreadsOfTheFeaturesThatPlayAPart) {
  const std::string text = to_json(example_fit());
  EXPECT_THAT(text, HasSubstr("\"feature_means\": {\"a\":10.0,\"c\":-0.5}"));
  const Fit again = from_json(text);
  EXPECT_THAT(again.feature_means, ElementsAre(10.0, testing::IsNan(), -0.5));
  EXPECT_THAT(again.feature_spreads, ElementsAre(2.5, testing::IsNan(), 0.75));
}

TEST(ModelFile, OfAnOlderVersionHasNoMeansAndLoads) {
  Fit fit = example_fit();
  fit.feature_means.clear();
  fit.feature_spreads.clear();
  const std::string text = to_json(fit);
  EXPECT_THAT(text, testing::Not(HasSubstr("feature_means")));
  EXPECT_TRUE(from_json(text).feature_means.empty());
}

TEST(ModelFile, KeepsWhatIsSaidOfTheCertaintyOfTheSelection) {
  const Fit fit = example_fit();
  const std::string text = to_json(fit);
  EXPECT_THAT(text, HasSubstr("\"inclusion_kind\": \"posterior\""));
  EXPECT_THAT(text,
              HasSubstr("{\"features\":[\"a\",\"b\"],\"inclusion\":[0.9,0.0],\"probability\":0.96,\"purity\":0.75,"
                        "\"size\":2,\"correlation\":[1.0,0.75]}"));
  EXPECT_THAT(text, HasSubstr("[{\"feature\":\"b\",\"with\":\"a\",\"correlation\":-0.85}]"));
  const Fit again = from_json(text);
  EXPECT_EQ(again.inclusion_kind, InclusionKind::posterior);
  ASSERT_EQ(again.credible_sets.size(), 2u);
  EXPECT_EQ(again.credible_sets[1].features, fit.credible_sets[1].features);
  EXPECT_EQ(again.credible_sets[1].inclusion, fit.credible_sets[1].inclusion);
  EXPECT_EQ(again.credible_sets[1].correlation, fit.credible_sets[1].correlation);
  EXPECT_EQ(again.credible_sets[1].probability, 0.96);
  EXPECT_EQ(again.credible_sets[1].purity, 0.75);
  ASSERT_EQ(again.alternatives.size(), 1u);
  EXPECT_EQ(again.alternatives[0].feature, 1);
  EXPECT_EQ(again.alternatives[0].with, 0);
  EXPECT_EQ(again.alternatives[0].correlation, -0.85);
  EXPECT_EQ(to_json(again), text);
}

TEST(ModelFile, HasTheSetsOfAnyLevel) {
  const Fit again = from_json(to_json(example_fit()));
  const std::vector<CredibleSet> sets = credible_sets(again.set_candidates, 0.97);
  ASSERT_EQ(sets.size(), 1u) << "a and b together are in 96 % of the draws";
  EXPECT_EQ(sets[0].features, std::vector<Index>{2});
  EXPECT_EQ(credible_sets(again.set_candidates, 0.96).size(), 2u);
}

// Schema 1, whose methods are known.
TEST(ModelFile, OfAnOlderVersionHasTheKindOfItsMethod) {
  const auto older = [](const char* method) {
    nlohmann::json model = nlohmann::json::parse(to_json(example_fit()));
    model["schema"] = "tamis.fit/1";
    model["method"] = method;
    for (const char* key : {"inclusion_kind", "inclusion_error", "credible_sets", "alternatives", "set_candidates"})
      model.erase(key);
    return from_json(model.dump());
  };
  EXPECT_EQ(older("gibbs").inclusion_kind, InclusionKind::posterior);
  EXPECT_EQ(older("exact").inclusion_kind, InclusionKind::posterior);
  for (const char* method : {"vg", "pmf", "ard", "flas", "ep"})
    EXPECT_EQ(older(method).inclusion_kind, InclusionKind::approximate);
  EXPECT_EQ(older("sieve").inclusion_kind, InclusionKind::unknown);
  EXPECT_TRUE(older("gibbs").credible_sets.empty());
  const Fit masked = older("bm");
  EXPECT_EQ(masked.inclusion_kind, InclusionKind::none);
  EXPECT_TRUE(masked.inclusion.empty());
  EXPECT_EQ(std::get<std::vector<double>>(masked.hyper.at("mask_rate")), example_fit().inclusion);
}

TEST(ModelFile, KeepsTraceAndPath) {
  const Fit again = from_json(to_json(example_fit()));
  ASSERT_EQ(again.trace.size(), 2u);
  EXPECT_EQ(again.trace[1].iteration, 2);
  EXPECT_EQ(again.trace[1].objective, 12.25);
  EXPECT_EQ(again.trace[1].change, 0.01);
  EXPECT_EQ(again.trace[1].active, 2);
  EXPECT_EQ(again.trace[1].certificate, 1e-9);
  ASSERT_EQ(again.path.size(), 2u);
  EXPECT_FALSE(again.path[0].validation_error.has_value());
  EXPECT_EQ(again.path[1].value, 0.1);
  EXPECT_EQ(again.path[1].validation_error, 1.5);
  EXPECT_EQ(again.path[1].validation_se, 0.2);
  EXPECT_EQ(again.path[1].active, 2);
}

TEST(ModelFile, KeepsTheBitsOfEveryNumber) {
  Fit fit = example_fit();
  fit.credible_sets.clear();
  fit.set_candidates = {};
  fit.alternatives.clear();
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  fit.feature_means.clear();
  fit.feature_spreads.clear();
  fit.coefficients = {0.1 + 0.2,
                      std::numeric_limits<double>::denorm_min(),
                      std::numeric_limits<double>::max(),
                      std::nextafter(1.0, 2.0),
                      -0.0,
                      1e22,
                      123456789012345678.0,
                      -1.0 / 3};
  fit.features.clear();
  for (std::size_t j = 0; j < fit.coefficients.size(); ++j) fit.features.push_back(fmt::format("f{}", j));
  const Fit again = from_json(to_json(fit));
  for (std::size_t j = 0; j < fit.coefficients.size(); ++j) {
    EXPECT_TRUE(same_bits(again.coefficients[j], fit.coefficients[j])) << fit.coefficients[j];
  }
}

TEST(ModelFile, KeepsMonteCarloErrorsThatHaveOneEntryPerFeature) {
  Fit fit = example_fit();
  fit.inclusion_error.assign(fit.features.size(), 0.0125);
  EXPECT_EQ(from_json(to_json(fit)).inclusion_error, fit.inclusion_error);
  fit.inclusion_error.push_back(0);
  EXPECT_THROW(from_json(to_json(fit)), InvalidInput);
}

TEST(ModelFile, HasOneLinePerKeyInTheOrderOfTheContract) {
  std::istringstream lines(to_json(example_fit()));
  std::vector<std::string> keys;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('"')) keys.push_back(line.substr(1, line.find('"', 1) - 1));
  }
  EXPECT_THAT(keys, ElementsAre("schema", "library_version", "method", "family", "options", "samples", "features",
                                "intercept", "coefficients", "standard_deviations", "inclusion", "noise_variance",
                                "hyper", "objective", "trace", "path", "status", "message", "seconds", "target",
                                "levels", "inclusion_kind", "inclusion_error", "credible_sets", "alternatives",
                                "offset", "feature_means", "feature_spreads", "set_candidates"));
}

TEST(ModelFile, WritesNullForWhatIsNotFinite) {
  Fit fit = example_fit();
  fit.objective = std::numeric_limits<double>::infinity();
  fit.hyper["gamma"] = std::nan("");
  fit.trace[0].change = std::nan("");
  const std::string text = to_json(fit);
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_TRUE(parsed["objective"].is_null());
  EXPECT_TRUE(parsed["hyper"]["gamma"].is_null());
  EXPECT_TRUE(parsed["trace"][0]["change"].is_null());
  EXPECT_TRUE(std::isnan(from_json(text).objective));
}

TEST(ModelFile, WritesNullForUnknownNoise) {
  Fit fit = example_fit();
  fit.noise_variance.reset();
  EXPECT_THAT(to_json(fit), HasSubstr("\"noise_variance\": null"));
  EXPECT_FALSE(from_json(to_json(fit)).noise_variance.has_value());
}

TEST(ModelFile, WritesWholeOptionsAsWholeNumbers) {
  Fit fit = example_fit();
  fit.options = {{"folds", 10.0}, {"penalty", 0.5}, {"zero", -0.0}, {"huge", 1e300}};
  EXPECT_THAT(to_json(fit), HasSubstr(R"({"folds":10,"huge":1e+300,"penalty":0.5,"zero":-0.0})"));
  EXPECT_EQ(from_json(to_json(fit)).options, fit.options);
}

TEST(ModelFile, KeepsHostileNames) {
  Fit fit = example_fit();
  fit.features = {"quote \" and \\ back", "new\nline \x1b[31m",
                  "gr\xC3\xB6\xC3\x9F"
                  "e \xF0\x9F\x94\xAC"};
  EXPECT_EQ(from_json(to_json(fit)).features, fit.features);
}

TEST(ModelFile, IsStillJsonWhenANameIsNotUtf8) {
  Fit fit = example_fit();
  fit.features[0] = "caf\xE9";
  EXPECT_TRUE(nlohmann::json::accept(to_json(fit)));
}

TEST(ModelFile, KeepsTheLevelsOfATextResponse) {
  Fit fit = example_fit();
  fit.levels = {"no", "yes"};
  EXPECT_THAT(from_json(to_json(fit)).levels, ElementsAre("no", "yes"));
}

TEST(ModelFile, KeepsAnEmptyModel) {
  Fit fit = example_fit();
  fit.credible_sets.clear();
  fit.set_candidates = {};
  fit.alternatives.clear();
  fit.features.clear();
  fit.coefficients.clear();
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  EXPECT_TRUE(from_json(to_json(fit)).features.empty());
}

TEST(Status, HasOneNamePerWayToEnd) {
  for (const Status status :
       {Status::converged, Status::iteration_limit, Status::stalled, Status::numerical_failure, Status::cancelled}) {
    EXPECT_EQ(status_of(name_of(status)), status);
  }
}

}  // namespace
}  // namespace tamis
