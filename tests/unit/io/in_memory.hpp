// Reading from memory, for tests: no files, and messages caught as text.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tamis/base/error.hpp"

namespace tamis::io {

inline Dataset read_bytes(const std::string& name, std::string_view bytes, const ReadOptions& options = {}) {
  return read_source(Source::of_bytes(name, bytes, Limits::of_this_machine()), options);
}

/// Everything is a feature: what prediction sees.
inline ReadOptions no_target() {
  ReadOptions options;
  options.needs_target = false;
  return options;
}

inline ReadOptions with_target(std::string target, Missing missing = Missing::refuse) {
  ReadOptions options;
  options.target = std::move(target);
  options.missing = missing;
  return options;
}

inline std::vector<double> column(const Design& X, Index j) {
  std::vector<double> out(X.rows());
  X.gather(Columns::range(j, 1), MatrixView(std::span<double>(out)));
  return out;
}

/// The message with which `name` is refused; "" if it is read.
inline std::string refusal(const std::string& name, std::string_view bytes, const ReadOptions& options = {}) {
  try {
    read_bytes(name, bytes, options);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

}  // namespace tamis::io
