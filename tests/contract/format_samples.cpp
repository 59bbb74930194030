#include "contract/format_samples.hpp"

#include <fmt/format.h>

#include <utility>

#include "unit/io/binary_samples.hpp"

namespace tamis::contract {
namespace {

using io::doubles;
using io::npy_bytes;
using io::zip_bytes;

std::string csv_sample() {
  std::string text = "x1,x2,x3\r\n";
  for (const auto& r : sample_rows()) text += fmt::format("{},\"{}\",{}\r\n", r[0], r[1], r[2]);
  return text;
}

std::string svmlight_sample() {
  std::string text = "# four samples\n";
  for (const auto& r : sample_rows()) {
    text += "1 qid:3";
    for (std::size_t j = 0; j < r.size(); ++j) text += r[j] != 0 ? fmt::format(" {}:{}", j + 1, r[j]) : "";
    text += "\n";
  }
  return text;
}

std::string matrix_market_sample() {
  std::string text = "%%MatrixMarket matrix coordinate real general\n% a comment\n4 3 9\n";
  const auto& rows = sample_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      text += rows[i][j] != 0 ? fmt::format("{} {} {}\n", i + 1, j + 1, rows[i][j]) : "";
  }
  return text;
}

std::string npy_sample() {
  std::vector<double> values;
  for (const auto& r : sample_rows()) values.insert(values.end(), r.begin(), r.end());
  return npy_bytes("<f8", "(4, 3)", doubles(values));
}

std::string npz_sample() {
  const std::string names = npy_bytes("|S2", "(3,)", "x1x2x3");
  return zip_bytes({{"X.npy", npy_sample()}, {"feature_names.npy", names}}, true);
}

std::map<std::string_view, FormatSample>& samples() {
  static std::map<std::string_view, FormatSample> all = {{"csv", {csv_sample()}},
                                                         {"svmlight", {svmlight_sample()}},
                                                         {"matrix-market", {matrix_market_sample()}},
                                                         {"npy", {npy_sample(), true}},
                                                         {"npz", {npz_sample(), true}}};
  return all;
}

}  // namespace

const std::vector<std::vector<double>>& sample_rows() {
  static const std::vector<std::vector<double>> rows = {{1.5, 0, -3}, {0, 1.0 / 3.0, 2}, {1e-300, 0, 1e17}, {4, 5, 6}};
  return rows;
}

const std::map<std::string_view, FormatSample>& format_samples() { return samples(); }

const FormatSample& add_format_sample(std::string_view format, FormatSample sample) {
  return samples()[format] = std::move(sample);
}

}  // namespace tamis::contract
