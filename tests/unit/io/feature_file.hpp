// A fixture for readers of small files that say something about features by name.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tamis/base/error.hpp"

namespace tamis::io {

/// read(path, features) is the reader under test.
template <auto read_file>
class FeatureFile : public testing::Test {
 protected:
  explicit FeatureFile(std::vector<std::string> features) : features_(std::move(features)) {}
  ~FeatureFile() override { std::filesystem::remove(path_); }

  auto read(const std::string& text) const {
    std::ofstream(path_) << text;
    return read_file(path_, features_);
  }
  std::string refused(const std::string& text) const {
    try {
      read(text);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }

  std::string path_ = testing::TempDir() + fmt::format("tamis-features-{}.csv", ::getpid());
  std::vector<std::string> features_;
};

}  // namespace tamis::io
