#include "tamis/io/write_draws.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "io/npy_array.hpp"
#include "io/zip_archive.hpp"
#include "unit/io/in_memory.hpp"

namespace tamis {
namespace {

const Draws example{
    .chains = 2,
    .samples = 2,
    .features = {"dose", "größe"},
    .posterior = {{"coefficients", 2, true, {1, 2, 3, 4, 5, 6, 7, 0.1 + 0.2}}, {"intercept", 1, false, {1, 2, 3, 4}}},
    .statistics = {{"size", 1, false, {0, 1, 2, 2}}}};

std::string written(const std::string& name) {
  const std::string path = testing::TempDir() + name;
  write_draws(path, example);
  std::ifstream file(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(file)), {});
  std::filesystem::remove(path);
  return content;
}

TEST(WriteDraws, JsonHoldsTheArgumentsOfArvizFromDict) {
  const auto json = nlohmann::json::parse(written("draws.json"));
  EXPECT_EQ(json["posterior"]["coefficients"].dump(), "[[[1,2],[3,4]],[[5,6],[7,0.30000000000000004]]]");
  EXPECT_EQ(json["posterior"]["intercept"].dump(), "[[1,2],[3,4]]");
  EXPECT_EQ(json["sample_stats"]["size"].dump(), "[[0,1],[2,2]]");
  EXPECT_EQ(json["coords"]["feature"], (std::vector<std::string>{"dose", "größe"}));
  EXPECT_EQ(json["dims"].dump(), R"({"coefficients":["feature"]})");
}

TEST(WriteDraws, NpzIsReadBackByOurOwnReader) {
  const std::string bytes = written("draws.npz");
  const io::Source source = io::Source::of_bytes("draws.npz", bytes, io::Limits::of_this_machine());
  const io::ZipArchive archive(source);
  EXPECT_THAT(archive.names(),
              testing::ElementsAre("coefficients.npy", "intercept.npy", "size.npy", "feature_names.npy"));
  std::string unpacked;
  const io::NpyArray coefficients(source, "coefficients", archive.read("coefficients.npy", unpacked));
  EXPECT_THAT(coefficients.shape(), testing::ElementsAre(2, 2, 2));
  const io::NpyArray size(source, "size", archive.read("size.npy", unpacked));
  EXPECT_THAT(size.shape(), testing::ElementsAre(2, 2));
  const io::DenseStorage values = size.to_matrix();
  EXPECT_THAT(std::vector<double>(values.col(0), values.col(0) + 4), testing::ElementsAre(0, 2, 1, 2)) << "by column";
  const io::NpyArray names(source, "feature_names", archive.read("feature_names.npy", unpacked));
  EXPECT_EQ(names.to_texts(), example.features);
}

}  // namespace
}  // namespace tamis
