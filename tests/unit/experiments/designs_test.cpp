#include "experiments/designs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/family/family.hpp"

namespace tamis::experiments {
namespace {

using testing::HasSubstr;

// The large ones are made small: what is tested is that they run and keep their shape.
std::map<std::string, double> small(const SimulationDesign& design) {
  std::map<std::string, double> changed;
  for (const DesignParameter& parameter : design.parameters) {
    if (parameter.name == "n" && parameter.fallback > 300) changed["n"] = 120;
    if (parameter.name == "test") changed["test"] = 60;
    if (parameter.name == "p" && parameter.fallback > 1000) changed["p"] = 400;
    if (parameter.name == "factors" && parameter.fallback > 100) changed["factors"] = 30;
  }
  return changed;
}

std::vector<double> values(const SimulatedSet& set) {
  std::vector<double> all = set.sparse ? set.sparse->values : std::vector<double>();
  for (Index j = 0; j < set.X.cols(); ++j) all.insert(all.end(), set.X.column(j).begin(), set.X.column(j).end());
  for (Index t = 0; t < set.y.cols(); ++t) all.insert(all.end(), set.y.column(t).begin(), set.y.column(t).end());
  return all;
}

class EveryDesign : public testing::TestWithParam<SimulationDesign> {
 protected:
  Simulation draw(std::uint64_t seed) const { return simulate(GetParam().name, seed, small(GetParam())); }
};

TEST_P(EveryDesign, SaysWhatItIs) {
  EXPECT_FALSE(GetParam().summary.empty());
  EXPECT_FALSE(GetParam().paper.empty());
  EXPECT_NO_THROW(family(GetParam().family));
  for (const DesignParameter& parameter : GetParam().parameters) {
    EXPECT_FALSE(parameter.meaning.empty()) << parameter.name;
    EXPECT_GE(parameter.fallback, parameter.minimum) << parameter.name;
    EXPECT_LE(parameter.fallback, parameter.maximum) << parameter.name;
  }
}

TEST_P(EveryDesign, HasMatchingShapes) {
  const Simulation drawn = draw(1);
  ASSERT_GT(drawn.train.rows(), 0);
  EXPECT_EQ(drawn.feature_names.size(), drawn.train.cols());
  EXPECT_EQ(drawn.response_names.size(), drawn.train.y.cols());
  for (const SimulatedSet* set : {&drawn.train, &drawn.validation, &drawn.test}) {
    if (set->empty()) continue;
    EXPECT_EQ(set->cols(), drawn.train.cols());
    EXPECT_EQ(set->y.rows(), drawn.train.y.cols() > 0 ? set->rows() : 0);
    for (const double value : values(*set)) ASSERT_TRUE(std::isfinite(value));
  }
}

TEST_P(EveryDesign, HasAResponseThatItsFamilyAllows) {
  const Simulation drawn = draw(2);
  if (drawn.train.y.cols() == 0) {
    for (Index j = 0; j < drawn.train.X.cols(); ++j) {
      const auto column = drawn.train.X.column(j);
      if (!response_varies(column, {})) continue;
      EXPECT_NO_THROW(family(drawn.family).check(column, {}));
    }
  }
  for (Index t = 0; t < drawn.train.y.cols(); ++t) {
    EXPECT_NO_THROW(family(drawn.family).check(drawn.train.y.column(t), {}));
  }
}

TEST_P(EveryDesign, IsReproducibleAndChangesWithTheSeed) {
  EXPECT_EQ(values(draw(3).train), values(draw(3).train));
  EXPECT_EQ(truth_json(draw(3)), truth_json(draw(3)));
  EXPECT_NE(values(draw(3).train), values(draw(4).train));
}

TEST_P(EveryDesign, DoesNotDependOnTheThreads) {
  Simulation one, many;
  with_threads(1, [&] { one = draw(5); });
  with_threads(4, [&] { many = draw(5); });
  EXPECT_EQ(values(one.train), values(many.train));
  EXPECT_EQ(values(one.test), values(many.test));
}

TEST_P(EveryDesign, DrawsItsSetsIndependently) {
  const Simulation drawn = draw(6);
  if (drawn.train.y.cols() == 0) {  // factor models hold out cells, not rows
    EXPECT_TRUE(drawn.validation.empty() && drawn.test.empty());
    return;
  }
  ASSERT_FALSE(drawn.test.empty());
  const auto train = drawn.train.y.column(0), test = drawn.test.y.column(0);
  const std::size_t shared = std::min(train.size(), test.size());
  EXPECT_FALSE(std::equal(train.begin(), train.begin() + static_cast<std::ptrdiff_t>(shared), test.begin()));
}

TEST_P(EveryDesign, NamesTheSupportOfItsCoefficients) {
  const Simulation drawn = draw(7);
  std::vector<Index> nonzero;
  for (Index j = 0; j < drawn.truth.coefficients.rows(); ++j) {
    bool any = false;
    for (Index t = 0; t < drawn.truth.coefficients.cols(); ++t) any = any || drawn.truth.coefficients(j, t) != 0;
    if (any) nonzero.push_back(j);
  }
  EXPECT_EQ(drawn.truth.support, nonzero);
}

TEST_P(EveryDesign, TellsItsTruthAsJson) {
  const Simulation drawn = draw(8);
  const std::string text = truth_json(drawn);
  const auto truth = nlohmann::json::parse(text);
  EXPECT_EQ(truth["schema"], "tamis.truth/1");
  EXPECT_EQ(truth["design"], GetParam().name);
  EXPECT_EQ(truth["seed"], 8);
  EXPECT_EQ(truth["samples"]["train"], drawn.train.rows());
  EXPECT_EQ(truth["parameters"].size(), GetParam().parameters.size());
  if (drawn.train.y.cols() > 0) {
    EXPECT_EQ(truth["support"].size(), drawn.truth.support.size());
  } else {
    EXPECT_EQ(truth["loadings"].size(), drawn.truth.loadings.rows());
  }
  // One line for each key, and the two braces.
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), static_cast<std::ptrdiff_t>(truth.size()) + 2);
}

INSTANTIATE_TEST_SUITE_P(All, EveryDesign, testing::ValuesIn(simulation_designs()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(SimulationDesigns, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const SimulationDesign& design : simulation_designs())
    EXPECT_TRUE(names.insert(design.name).second) << design.name;
  for (const char* expected : {"vg.example1",
                               "vg.example2",
                               "vg.example3a",
                               "vg.example3b",
                               "vg.noise",
                               "vg.samples",
                               "vg.scaling",
                               "vg.genotypes",
                               "bm.k2",
                               "bm.k10",
                               "bm.k30",
                               "bm.k50",
                               "bm.k100",
                               "flas.regression-n60",
                               "flas.classification-n120",
                               "ard.recovery",
                               "factor.block-images",
                               "factor.patches",
                               "factor.attributes",
                               "factor.counts",
                               "bench.a",
                               "bench.d"}) {
    EXPECT_EQ(names.count(expected), 1u) << expected;
  }
}

std::string refusal(std::string_view design, const std::map<std::string, double>& parameters) {
  try {
    simulate(design, 1, parameters);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Simulate, RefusesAnUnknownDesignWithTheNames) {
  EXPECT_THAT(refusal("vg.example9", {}), HasSubstr("unknown design 'vg.example9'; available designs: vg.example1"));
}

TEST(Simulate, RefusesAnUnknownParameterWithTheNames) {
  EXPECT_EQ(refusal("bm.k2", {{"m", 3}}),
            "bm.k2: unknown parameter 'm'; its parameters are pairs, test_pairs, noise_variance");
}

TEST(Simulate, RefusesValuesOutOfRange) {
  EXPECT_EQ(refusal("vg.example1", {{"n", 0}}),
            "vg.example1: n is 0; expected an integer from 1 to 100000000 (training samples)");
  EXPECT_THAT(refusal("vg.example1", {{"n", 1.5}}), HasSubstr("n is 1.5; expected an integer"));
  EXPECT_THAT(refusal("vg.example1", {{"noise_variance", -1}}),
              HasSubstr("noise_variance is -1; expected a number from 0"));
  EXPECT_THAT(refusal("vg.example1", {{"noise_variance", std::nan("")}}), HasSubstr("noise_variance is nan"));
  EXPECT_THAT(refusal("vg.example2", {{"p", 20}}), HasSubstr("p is 20; expected an integer from 50"));
}

TEST(TruthJson, HoldsTheCoefficientsByFeature) {
  const auto truth = nlohmann::json::parse(truth_json(simulate("vg.example3a", 1, {{"n", 3}})));
  EXPECT_EQ(truth["coefficients"], nlohmann::json({2.0, 3.0, 0.0}));
  EXPECT_EQ(truth["support"], nlohmann::json({"x1", "x2"}));
  EXPECT_EQ(truth["noise_variance"], 1.0);
}

TEST(TruthJson, HoldsAListForEachResponse) {
  const auto truth = nlohmann::json::parse(truth_json(simulate("ard.responses", 1, {{"responses", 2}})));
  EXPECT_EQ(truth["coefficients"].size(), 2u);
  EXPECT_EQ(truth["coefficients"][1].size(), 100u);
  EXPECT_EQ(truth["responses"], nlohmann::json({"y1", "y2"}));
}

}  // namespace
}  // namespace tamis::experiments
