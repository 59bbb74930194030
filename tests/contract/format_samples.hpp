// The same matrix in every file format, for the contract tests. A new format is one line in format_samples.cpp, or a
// file of another folder that calls add_format_sample().
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tamis::contract {

/// The matrix that every sample holds, by rows, under the names x1, x2, x3; zeros and all digits of a double are in it.
const std::vector<std::vector<double>>& sample_rows();

struct FormatSample {
  std::string bytes;
  bool knows_its_size = false;  ///< a shorter file cannot be taken for a whole one
};

/// By the name of the format.
const std::map<std::string_view, FormatSample>& format_samples();
/// Adds a sample before the tests run: from the initializer of a namespace-scope object.
const FormatSample& add_format_sample(std::string_view format, FormatSample sample);

}  // namespace tamis::contract
