#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"
#include "tamis/fit/factor_fit.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

FactorFit example() {
  FactorFit fit;
  fit.library_version = "1.2.3";
  fit.family = "gaussian";
  fit.prior = "spike-slab";
  fit.options = {{"seed", 1.0}, {"samples", std::monostate{}}};
  fit.factors = 2;
  fit.rows = 3;
  fit.columns = {"a", "b"};
  fit.loadings = Matrix(2, 2);
  fit.loadings(0, 1) = 0.1;
  fit.scores = Matrix(3, 2);
  fit.scores(2, 1) = 0.5;
  fit.inclusion = Matrix(3, 2);
  fit.inclusion(2, 1) = 0.25;
  fit.factor_rates = {0.5, 0.25};
  fit.score_penalty = 0.75;
  fit.largest_log_rate = 3.5;
  fit.test_cells = 4;
  fit.nlp_bits = 8;
  fit.rmse = 0.75;
  fit.search = {{1, 9, 0.9}, {2, 8, 0.8}};
  fit.trace = {{.iteration = 1, .objective = -3}};
  fit.status = Status::iteration_limit;
  fit.message = "not yet";
  fit.seconds = 0.5;
  return fit;
}

std::string refusal_after(const std::function<void(Json&)>& change) {
  Json model = Json::parse(to_json(example()));
  change(model);
  try {
    factor_from_json(model.dump(), "m.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FactorModelFile, ReadsBackAsItWasWritten) {
  EXPECT_EQ(to_json(factor_from_json(to_json(example()))), to_json(example()));
}

// Long ones are written in pieces of about a megabyte.
TEST(FactorModelFile, IsTheSameInOnePieceAndInMany) {
  FactorFit fit = example();
  fit.rows = 100'000;
  fit.scores = Matrix(fit.rows, 2);
  fit.inclusion = Matrix(fit.rows, 2);
  for (Index n = 0; n < fit.rows; ++n) fit.scores(n, n % 2) = static_cast<double>(n) / 7;
  const std::string path = testing::TempDir() + "long-factor-" + std::to_string(::getpid()) + ".json";
  save(fit, path);
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  ASSERT_GT(written.str().size(), std::size_t{1} << 20);
  EXPECT_TRUE(written.str() == to_json(fit)) << "too long to be shown";
}

TEST(FactorModelFile, OfAnOlderVersionHasNoPenalty) {
  Json model = Json::parse(to_json(example()));
  model.erase("score_penalty");
  EXPECT_FALSE(factor_from_json(model.dump()).score_penalty.has_value());
  EXPECT_EQ(factor_from_json(to_json(example())).score_penalty, 0.75);
}

TEST(FactorModelFile, MayHaveNoInclusion) {
  FactorFit fit = example();
  fit.inclusion = Matrix();
  EXPECT_EQ(factor_from_json(to_json(fit)).inclusion.rows(), 0);
}

TEST(FactorModelFile, RefusesShapesThatDoNotAgree) {
  EXPECT_EQ(refusal_after([](Json& m) { m["rows"] = 4; }), "m.json: 'scores' has 3 rows; expected 4");
  EXPECT_EQ(refusal_after([](Json& m) { m["loadings"][1].push_back(7); }),
            "m.json: 'loadings[1]' has 3 entries; expected 2");
  EXPECT_EQ(refusal_after([](Json& m) { m["factor_rates"] = {1}; }),
            "m.json: 'factor_rates' has 1 entries; expected 2 or 0");
}

TEST(FactorModelFile, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refusal_after([](Json& m) { m["scores"][0][0] = "x"; }),
            "m.json: 'scores[0]' is \"x\"; expected a finite number");
}

TEST(FactorModelFile, RefusesAnotherSchemaAndAnotherFamily) {
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.fit/1"; }), HasSubstr("expected tamis.factor/1"));
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.factor/2"; }), HasSubstr("upgrade tamis"));
  EXPECT_THAT(refusal_after([](Json& m) { m["family"] = "gamma"; }), HasSubstr("gamma"));
}

TEST(LoadModel, TellsTheTwoKindsApart) {
  const std::string path = testing::TempDir() + "load_model_tells_the_two_kinds_apart.json";
  save(example(), path);
  EXPECT_TRUE(std::holds_alternative<FactorFit>(load_model(path)));
  Fit fit;
  fit.family = "gaussian";
  fit.features = {"a"};
  fit.coefficients = {1};
  save(fit, path);
  EXPECT_THAT(std::get<Fit>(load_model(path)).features, ElementsAre("a"));
  write_file_atomically(path, "{\"schema\": \"other/1\"}");
  EXPECT_THROW(load_model(path), InvalidInput);
  std::remove(path.c_str());
  EXPECT_THROW(load_model(path), MissingFile);
}

}  // namespace
}  // namespace tamis
