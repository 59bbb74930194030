// Every way in which a model file can be wrong, with the words that the user gets.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "example_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const std::string& text) {
  try {
    from_json(text, "m.json");
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

// The example with one change.
std::string refusal_after(const std::function<void(Json&)>& change) {
  Json model = Json::parse(to_json(example_fit()));
  change(model);
  return refusal_of(model.dump());
}

TEST(ModelFileRefusal, SaysWhereJsonIsBroken) {
  const std::string text = to_json(example_fit());
  EXPECT_THAT(refusal_of(text + "x"), AllOf(StartsWith("m.json: invalid JSON"), HasSubstr("line")));
}

TEST(ModelFileRefusal, SaysThatAFileIsCutOffWhereverThatIs) {
  const std::string text = to_json(example_fit());
  const std::size_t last = text.rfind('}');
  for (std::size_t bytes = 0; bytes <= last; ++bytes) {
    EXPECT_EQ(refusal_of(text.substr(0, bytes)),
              fmt::format("m.json: the model file is truncated after {} bytes; write it again", bytes));
  }
}

TEST(ModelFileRefusal, NamesAForeignSchema) {
  EXPECT_THAT(refusal_of("[1, 2]"), HasSubstr("not a tamis model file"));
  EXPECT_THAT(refusal_of("{}"), HasSubstr("the key 'schema' is missing"));
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.factor/1"; }),
              HasSubstr("schema is 'tamis.factor/1'; expected tamis.fit/2"));
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.fit/1b"; }), HasSubstr("expected tamis.fit/2"));
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.fit/"; }), HasSubstr("expected tamis.fit/2"));
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = 1; }), HasSubstr("'schema' is 1; expected a string"));
}

TEST(ModelFileRefusal, AsksForANewerVersionWhenTheSchemaIsNewer) {
  EXPECT_THAT(refusal_after([](Json& m) { m["schema"] = "tamis.fit/3"; }),
              AllOf(HasSubstr("tamis.fit/3 is newer"), HasSubstr("upgrade tamis")));
}

TEST(ModelFileRefusal, NamesAMissingKey) {
  for (const char* key : {"library_version", "method", "family", "options", "samples", "features", "intercept",
                          "coefficients", "standard_deviations", "inclusion", "noise_variance", "hyper", "objective",
                          "trace", "path", "status", "message", "seconds"}) {
    EXPECT_THAT(refusal_after([&](Json& m) { m.erase(key); }), HasSubstr(fmt::format("'{}' is missing", key)));
  }
}

TEST(ModelFileRefusal, NamesAWrongLength) {
  EXPECT_THAT(refusal_after([](Json& m) { m["coefficients"].push_back(1); }),
              HasSubstr("'coefficients' has 4 entries for 3 features"));
  EXPECT_THAT(refusal_after([](Json& m) { m["inclusion"].erase(0); }), HasSubstr("'inclusion' has 2 entries"));
  EXPECT_THAT(refusal_after([](Json& m) { m["standard_deviations"].erase(0); }),
              HasSubstr("'standard_deviations' has 2 entries"));
  EXPECT_THAT(refusal_after([](Json& m) { m["levels"] = {"one"}; }), HasSubstr("'levels' has 1 entries"));
}

TEST(ModelFileRefusal, NamesAWrongType) {
  EXPECT_THAT(refusal_after([](Json& m) { m["method"] = 3; }), HasSubstr("'method' is 3; expected a string"));
  EXPECT_THAT(refusal_after([](Json& m) { m["features"][1] = 7; }), HasSubstr("'features[1]' is 7; expected a string"));
  EXPECT_THAT(refusal_after([](Json& m) { m["features"] = "a"; }), HasSubstr("expected an array"));
  EXPECT_THAT(refusal_after([](Json& m) { m["options"] = 1; }), HasSubstr("expected an object"));
  EXPECT_THAT(refusal_after([](Json& m) { m["options"]["x"] = Json::array(); }), HasSubstr("'options.x' is []"));
  EXPECT_THAT(refusal_after([](Json& m) { m["hyper"]["x"] = {{"a", 1}}; }), HasSubstr("'hyper.x'"));
  EXPECT_THAT(refusal_after([](Json& m) { m["samples"] = -1; }), HasSubstr("expected a nonnegative integer"));
  EXPECT_THAT(refusal_after([](Json& m) { m["samples"] = 1.5; }), HasSubstr("expected a nonnegative integer"));
  EXPECT_THAT(refusal_after([](Json& m) { m["samples"] = 18446744073709551615u; }), HasSubstr("a nonnegative integer"));
  EXPECT_THAT(refusal_after([](Json& m) { m["trace"][1] = 4; }), HasSubstr("'trace[1]' is 4; expected an object"));
  EXPECT_THAT(refusal_after([](Json& m) { m["trace"][1]["active"] = "two"; }),
              HasSubstr("trace[1]: 'active' is \"two\"; expected a nonnegative integer"));
  EXPECT_THAT(refusal_after([](Json& m) { m["path"][0].erase("value"); }),
              HasSubstr("path[0]: the key 'value' is missing"));
}

TEST(ModelFileRefusal, NamesANumberThatIsNotFinite) {
  EXPECT_THAT(refusal_after([](Json& m) { m["coefficients"][2] = nullptr; }),
              HasSubstr("'coefficients[2]' is null; expected a finite number"));
  EXPECT_THAT(refusal_after([](Json& m) { m["intercept"] = nullptr; }), HasSubstr("'intercept' is null"));
  std::string text = to_json(example_fit());
  text.replace(text.find("12.25"), 5, "1e400");
  EXPECT_THAT(refusal_of(text), AllOf(StartsWith("m.json: invalid JSON"), HasSubstr("1e400")));
  text.replace(text.find("1e400"), 5, "NaN");
  EXPECT_THAT(refusal_of(text), StartsWith("m.json: invalid JSON"));
}

TEST(ModelFileRefusal, NamesANumberOutOfRange) {
  EXPECT_THAT(refusal_after([](Json& m) { m["inclusion"][0] = 1.5; }),
              HasSubstr("'inclusion[0]' is 1.5; expected a probability"));
  EXPECT_THAT(refusal_after([](Json& m) { m["standard_deviations"][2] = -1; }),
              HasSubstr("'standard_deviations[2]' is -1"));
  EXPECT_THAT(refusal_after([](Json& m) { m["noise_variance"] = -1; }), HasSubstr("'noise_variance' is -1"));
}

TEST(ModelFileRefusal, NamesWhatIsWrongWithCredibleSets) {
  const auto set = [](Json& m) -> Json& { return m["credible_sets"][1]; };
  const auto candidates = [](Json& m) -> Json& { return m["set_candidates"]; };
  EXPECT_THAT(refusal_after([&](Json& m) { set(m)["features"][0] = "z"; }),
              HasSubstr("credible_sets[1]: 'z' is not a feature of the model"));
  EXPECT_THAT(refusal_after([&](Json& m) { set(m)["features"] = Json::array(); }), HasSubstr("'features' is empty"));
  EXPECT_THAT(refusal_after([&](Json& m) { set(m)["inclusion"].erase(0); }), HasSubstr("1 entries for 2 features"));
  EXPECT_THAT(refusal_after([&](Json& m) { set(m)["purity"] = 1.5; }), HasSubstr("'purity' is 1.5; expected a number"));
  EXPECT_THAT(refusal_after([&](Json& m) { m["alternatives"][0]["with"] = "z"; }), HasSubstr("'z' is not a feature"));
  EXPECT_THAT(refusal_after([&](Json& m) { m["alternatives"][0]["correlation"] = -2; }), HasSubstr("from -1 to 1"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["models"][0][0] = 3; }),
              HasSubstr("the place 3 among 3 candidates"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["models"][0][0] = -1; }), HasSubstr("the place -1"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["models"][0] = 1; }), HasSubstr("expected an array"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["weights"].erase(0); }),
              HasSubstr("'models' has 2 entries for 1 weights"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["correlations"][0].erase(0); }),
              HasSubstr("two places and a correlation"));
  EXPECT_THAT(refusal_after([&](Json& m) { candidates(m)["correlations"][0][1] = 9; }), HasSubstr("the place 9"));
  EXPECT_THAT(refusal_after([](Json& m) { m["set_candidates"] = 1; }), HasSubstr("expected an object"));
  EXPECT_THAT(refusal_after([](Json& m) { m["inclusion_kind"] = "sure"; }), HasSubstr("received 'sure'"));
}

TEST(ModelFileRefusal, NamesAnUnknownWord) {
  EXPECT_THAT(
      refusal_after([](Json& m) { m["family"] = "gamma"; }),
      AllOf(StartsWith("m.json: "), HasSubstr("received 'gamma'; expected one of gaussian, bernoulli, poisson")));
  EXPECT_THAT(refusal_after([](Json& m) { m["status"] = "happy"; }), HasSubstr("received 'happy'"));
}

TEST(ModelFileRefusal, NamesWhatComesTwice) {
  EXPECT_THAT(refusal_after([](Json& m) { m["features"][1] = "a"; }), HasSubstr("duplicate feature 'a'"));
  std::string text = to_json(example_fit());
  text.insert(2, "\"method\": \"other\",\n");
  EXPECT_THAT(refusal_of(text), HasSubstr("duplicate key 'method'"));
}

TEST(ModelFileRefusal, StopsAtDeepNesting) {
  EXPECT_THAT(refusal_of(std::string(1000000, '[')), HasSubstr("nested deeper"));
}

TEST(ModelFile, IgnoresKeysOfLaterVersions) {
  EXPECT_EQ(refusal_after([](Json& m) { m["curvature"] = {{"kind", "full"}}; }), "accepted");
}

TEST(ModelFile, ReadsTheContractWithoutLaterAdditions) {
  EXPECT_EQ(refusal_after([](Json& m) {
              m.erase("target");
              m.erase("levels");
              m["trace"][0].erase("certificate");
              m["path"][1].erase("certificate");
              m["path"][1].erase("validation_se");
            }),
            "accepted");
}

class ModelOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("fit_test_{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& content) {
    const std::string path = folder_ / "m.json";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(ModelOnDisk, IsReadBackAsItWasSaved) {
  const std::string path = folder_ / "m.json";
  save(example_fit(), path);
  EXPECT_EQ(load(path).coefficients, example_fit().coefficients);
}

TEST_F(ModelOnDisk, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(load(file("\xEF\xBB\xBF" + to_json(example_fit()))).method, "sieve");
}

TEST_F(ModelOnDisk, IsMissedByName) {
  EXPECT_THROW(load(folder_ / "absent.json"), MissingFile);
  EXPECT_THROW(load(folder_), MissingFile);
}

TEST_F(ModelOnDisk, IsRefusedAtTheFirstCharacterOfAnotherFormat) {
  EXPECT_THROW(load(file("")), InvalidInput);
  EXPECT_THROW(load(file("a,b\n1,2\n")), InvalidInput);
  EXPECT_THROW(load("/dev/zero"), InvalidInput);
}

}  // namespace
}  // namespace tamis
