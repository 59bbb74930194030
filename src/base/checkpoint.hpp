// Checkpoint and resume. A long run saves its state at intervals; started again with the same file it loads the state
// and continues as if it had not been interrupted. Samplers of src/method and src/factor share this.
//
// State passes through an Archive in one function for both directions, so that writing and reading cannot diverge:
//   void exchange(Archive& archive) { archive(iteration_); archive(coefficients_); }
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis {

/// Numbers to bytes, or back. Doubles keep every bit. Reading never goes beyond the bytes that are there: what does not
/// fit throws InvalidInput.
class Archive {
 public:
  /// For saving.
  Archive() = default;
  /// For loading; `bytes` must outlive it, `where` begins error messages.
  Archive(std::string_view bytes, std::string where) : loading_(true), left_(bytes), where_(std::move(where)) {}

  bool loading() const { return loading_; }
  void operator()(double& value) { raw(&value, sizeof value); }
  void operator()(Index& value) { raw(&value, sizeof value); }
  void operator()(bool& value);
  /// Numbers, or structures of them, that may be copied byte by byte.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(std::vector<T>& values) {
    Index count = values.size();
    (*this)(count);
    if (loading_) values.resize(checked_count(count, sizeof(T)));
    if (!values.empty()) raw(values.data(), values.size() * sizeof(T));
  }
  /// A number that must be the same in both directions (a size); loading another one throws InvalidInput.
  void expect(Index value, std::string_view what);

  /// What was saved.
  const std::string& bytes() const { return saved_; }
  /// After loading: throws InvalidInput if something was left over.
  void finish() const;

 private:
  void raw(void* data, std::size_t size);
  Index checked_count(Index count, Index size) const;
  [[noreturn]] void refuse(std::string_view reason) const;

  bool loading_ = false;
  std::string saved_;
  std::string_view left_;
  std::string where_;
};

/// 64 bits that differ when the data differ: names the run that a checkpoint belongs to. FNV-1a, taken in words.
class Digest {
 public:
  void add(const void* data, std::size_t size);
  void add(double value) { add(&value, sizeof value); }
  void add(std::string_view text);
  template <class Range>
  void add_all(const Range& values) {
    add(static_cast<double>(values.size()));
    for (const auto& value : values) add(value);
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 14695981039346656037ULL;
};

/// The file. It is written beside its place and renamed, so that a kill at any moment leaves the last whole one.
class Checkpoint {
 public:
  /// No file when `path` is empty: then nothing below does anything. `run` names the run: data, options and seed.
  Checkpoint(std::string path, std::uint64_t run, double seconds_between);

  /// Calls `exchange` with the saved state if there is a file. False if not. Throws InvalidInput if the file is broken,
  /// is no checkpoint, or belongs to another run.
  bool load(const std::function<void(Archive&)>& exchange);
  /// Saves if it is time: seconds_between since the last, and never more than a twentieth of the time for saving.
  /// Throws OutputError if it cannot be written.
  void save_if_due(const std::function<void(Archive&)>& exchange);
  void save(const std::function<void(Archive&)>& exchange);

 private:
  using Clock = std::chrono::steady_clock;
  std::string path_;
  std::uint64_t run_;
  double seconds_between_;
  double seconds_to_save_ = 0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace tamis
