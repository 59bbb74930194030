// One fuzzed file, read in every way that a caller may ask for. Refusing it by InvalidInput is right; anything else
// that is thrown, or that a sanitizer sees, is a find.
#pragma once

#include <array>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

#include "io/formats.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::io {

inline Limits small_limits(std::size_t chunk_bytes = std::size_t{1} << 20) {
  return {.unpacked_bytes = std::size_t{1} << 22,
          .empty_dimension = 1 << 12,
          .chunk_bytes = chunk_bytes,
          .verify_checksums = false};
}

inline void require(bool promise) {
  if (!promise) std::abort();
}

/// The numbers of X by column, to see that they are there.
inline std::vector<double> numbers(const Dataset& data) {
  const Design& X = *data.X;
  require(std::ssize(data.features) == X.cols());
  require(data.y.empty() || std::ssize(data.y) == X.rows());
  std::vector<double> out;
  if (X.rows() * X.cols() > (1 << 20)) return out;
  out.resize(X.rows() * X.cols());
  X.gather(X.all(), MatrixView(out.data(), X.rows(), X.cols()));
  for (const double x : out) require(x == x);  // what is missing was filled, dropped or refused
  return out;
}

/// All that reading says: the numbers and names, or the message.
struct Outcome {
  std::string message;
  std::vector<double> values;
  std::vector<std::string> features;
  bool operator==(const Outcome&) const = default;
};

inline Outcome read_in_one_way(const std::string& name, std::string_view bytes, const ReadOptions& options,
                               const Limits& limits) {
  Outcome outcome;
  try {
    const Dataset data = read_source(Source::of_bytes(name, bytes, limits), options);
    outcome.values = numbers(data);
    outcome.features = data.features;
    align(data, std::span<const std::string>(data.features).first(data.features.size() / 2));
  } catch (const InvalidInput& error) {
    outcome.message = error.what();
  }
  return outcome;
}

inline int read_once(const std::string& name, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // One of the ways to ask, by the content: all of them for every input would make each six times as slow.
  const unsigned way = std::accumulate(data, data + size, 0U) % 6;
  ReadOptions options;
  options.missing = std::array{Missing::refuse, Missing::drop, Missing::mean}[way % 3];
  options.needs_target = way >= 3;
  with_threads(1, [&] {
    // Text formats are cut into chunks; where the cuts fall must not matter.
    require(read_in_one_way(name, bytes, options, small_limits()) ==
            read_in_one_way(name, bytes, options, small_limits(16)));
    options.target = "y";
    options.weights = "w";
    read_in_one_way(name, bytes, options, small_limits());
    try {
      inspect_source(Source::of_bytes(name, bytes, small_limits()));
    } catch (const InvalidInput&) {
      return;
    }
  });
  return 0;
}

}  // namespace tamis::io
