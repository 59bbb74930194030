// What every file format promises, tried on each that is registered: a matrix comes back as it was written, and broken
// bytes are refused by InvalidInput, never by anything worse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "contract/format_samples.hpp"
#include "io/formats.hpp"
#include "tamis/base/error.hpp"
#include "unit/io/binary_samples.hpp"

namespace tamis::io {
namespace {

using contract::format_samples;
using contract::FormatSample;

const std::vector<std::vector<double>>& rows = contract::sample_rows();

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
  const FormatSample& sample() const { return format_samples().at(GetParam()); }
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
