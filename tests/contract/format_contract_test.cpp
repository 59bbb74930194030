// What every file format promises, tried on each that is registered: a matrix comes back as it was written, and broken
// bytes are refused by InvalidInput, never by anything worse.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "io/formats.hpp"
#include "tamis/base/error.hpp"
#include "unit/io/binary_samples.hpp"

namespace tamis::io {
namespace {

// The matrix that every sample holds, by rows; zeros and all digits of a double are in it.
const std::vector<std::vector<double>> rows = {{1.5, 0, -3}, {0, 1.0 / 3.0, 2}, {1e-300, 0, 1e17}, {4, 5, 6}};

struct Sample {
  std::string bytes;
  bool knows_its_size = false;  ///< a shorter file cannot be taken for a whole one
};

std::string csv_sample() {
  std::string text = "x1,x2,x3\r\n";
  for (const auto& r : rows) text += fmt::format("{},\"{}\",{}\r\n", r[0], r[1], r[2]);
  return text;
}

std::string svmlight_sample() {
  std::string text = "# four samples\n";
  for (const auto& r : rows) {
    text += "1 qid:3";
    for (std::size_t j = 0; j < r.size(); ++j) text += r[j] != 0 ? fmt::format(" {}:{}", j + 1, r[j]) : "";
    text += "\n";
  }
  return text;
}

std::string matrix_market_sample() {
  std::string text = "%%MatrixMarket matrix coordinate real general\n% a comment\n4 3 9\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      text += rows[i][j] != 0 ? fmt::format("{} {} {}\n", i + 1, j + 1, rows[i][j]) : "";
  }
  return text;
}

std::string npy_sample() {
  std::vector<double> values;
  for (const auto& r : rows) values.insert(values.end(), r.begin(), r.end());
  return npy_bytes("<f8", "(4, 3)", doubles(values));
}

std::string npz_sample() {
  const std::string names = npy_bytes("|S2", "(3,)", "x1x2x3");
  return zip_bytes({{"X.npy", npy_sample()}, {"feature_names.npy", names}}, true);
}

const std::map<std::string_view, Sample>& samples() {
  static const std::map<std::string_view, Sample> all = {{"csv", {csv_sample()}},
                                                         {"svmlight", {svmlight_sample()}},
                                                         {"matrix-market", {matrix_market_sample()}},
                                                         {"npy", {npy_sample(), true}},
                                                         {"npz", {npz_sample(), true}}};
  return all;
}

Dataset read(const std::string& name, std::string_view bytes) {
  Limits limits;
  limits.unpacked_bytes = std::size_t{1} << 24;
  limits.empty_dimension = 1 << 12;
  limits.chunk_bytes = 16;
  ReadOptions options;
  options.needs_target = false;
  options.missing = Missing::mean;
  return read_source(Source::of_bytes(name, bytes, limits), options);
}

std::vector<std::vector<double>> matrix(const Dataset& data) {
  std::vector<double> values(data.X->rows() * data.X->cols());
  data.X->gather(data.X->all(), MatrixView(values.data(), data.X->rows(), data.X->cols()));
  std::vector<std::vector<double>> out(data.X->rows());
  for (std::size_t k = 0; k < values.size(); ++k) out[k % out.size()].push_back(values[k]);
  return out;
}

class FormatContract : public testing::TestWithParam<std::string_view> {
 protected:
  const Format& format() const {
    for (const auto& f : formats()) {
      if (f.name == GetParam()) return f;
    }
    throw std::logic_error("not registered");
  }
  const Sample& sample() const { return samples().at(GetParam()); }
  std::string file() const { return "sample" + std::string(format().extensions.front()); }
};

TEST_P(FormatContract, ReadsBackTheMatrixThatWasWritten) {
  const Dataset data = read(file(), sample().bytes);
  EXPECT_EQ(matrix(data), rows);
  EXPECT_THAT(data.features, testing::ElementsAre("x1", "x2", "x3"));
}

TEST_P(FormatContract, IsFoundByEachOfItsExtensionsOrItsContent) {
  for (const auto extension : format().extensions) {
    const std::string name = "sample" + std::string(extension);
    EXPECT_EQ(&detect(Source::of_bytes(name, sample().bytes, Limits::of_this_machine())), &format()) << name;
  }
  EXPECT_EQ(&detect(Source::of_bytes("sample", sample().bytes, Limits::of_this_machine())), &format());
}

TEST_P(FormatContract, ReadsAlikeFromGzip) {
  EXPECT_EQ(matrix(read(file() + ".gz", gzip_bytes(sample().bytes))), rows);
}

TEST_P(FormatContract, RefusesOrReadsAFileThatIsCutOffAtAnyByte) {
  for (std::size_t n = 0; n < sample().bytes.size(); ++n) {
    try {
      const auto got = matrix(read(file(), std::string_view(sample().bytes).substr(0, n)));
      if (sample().knows_its_size) {
        EXPECT_EQ(got, rows) << "cut after " << n << " bytes";
      }
      EXPECT_LE(got.size(), rows.size()) << "cut after " << n << " bytes";
    } catch (const InvalidInput& error) {
      EXPECT_STRNE(error.what(), "");
    }
  }
}

// Every byte in turn by every bit, and a random value: about ten thousand broken files per format.
TEST_P(FormatContract, SurvivesAnySingleBrokenByte) {
  std::mt19937 random(1);
  for (std::size_t at = 0; at < sample().bytes.size(); ++at) {
    for (int bit = 0; bit <= 8; ++bit) {
      std::string broken = sample().bytes;
      broken[at] = bit < 8 ? static_cast<char>(broken[at] ^ (1 << bit)) : static_cast<char>(random());
      try {
        const Dataset data = read(file(), broken);
        EXPECT_EQ(std::ssize(data.features), data.X->cols());
      } catch (const InvalidInput& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

TEST_P(FormatContract, RefusesEmptyAndForeignContent) {
  EXPECT_THROW(read(file(), ""), InvalidInput);
  EXPECT_THROW(read(file(), std::string(100, '\0')), InvalidInput);
}

TEST_P(FormatContract, TellsAboutTheFileWhatReadingFinds) {
  const FileInfo info = inspect_source(Source::of_bytes(file(), sample().bytes, Limits::of_this_machine()));
  EXPECT_EQ(info.rows, 4);
  EXPECT_EQ(info.cols, 3);
  EXPECT_EQ(info.missing, 0);
  EXPECT_EQ(info.columns.size(), 3U);
}

std::vector<std::string_view> registered() {
  std::vector<std::string_view> names;
  for (const auto& format : formats()) names.push_back(format.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, FormatContract, testing::ValuesIn(registered()), test_name);

}  // namespace
}  // namespace tamis::io
