// Runs the built program as a user does: as a child process in a folder of its own, watched from outside.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tamis {

/// How a run ended and what it said.
struct Outcome {
  int exit_code = -1;  ///< -1: killed by a signal, or no answer in time
  std::string out;
  std::string err;
};

/// How to start it.
struct Streams {
  std::string out = "";             ///< file for standard output instead of the one that Outcome shows
  bool err_on_terminal = false;     ///< standard error is a terminal (of 90 columns)
  bool out_is_closed_pipe = false;  ///< nobody reads standard output
  bool out_is_closed = false;       ///< there is no standard output
  bool obeys_permissions = false;   ///< even if root runs the tests
  std::size_t memory = 0;           ///< most bytes of address space; 0: no limit
};

/// Whether this machine has pseudo-terminals (a bare container may have none).
bool has_terminals();

/// A program that is running. Killed when it goes out of scope before wait().
class Running {
 public:
  Running(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const Streams& streams);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Waits until standard error contains `words`; false if it ends or a minute passes before.
  bool says(const std::string& words);
  void signal(int number) const;
  /// Waits for the end, a minute at most.
  Outcome wait();

 private:
  bool has_ended();
  void read_terminal();

  pid_t child_ = -1;
  int terminal_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::filesystem::path out_;
  std::filesystem::path err_;
  std::string shown_on_terminal_;
};

/// A test with a temporary folder, in which the program runs.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  Outcome run(const std::vector<std::string>& arguments, const Streams& streams = {}) const;
  /// Writes a file into the folder and returns its name.
  std::string file(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  /// y = 2 a - b + small noise in 40 rows, with further columns c, d, e that mean nothing.
  std::string small_csv() const;
  /// y is the sum of the first 20 of 400 columns, without noise: a lasso path of many points takes long enough to be
  /// interrupted.
  std::string large_csv() const;
  /// Fits a lasso to small_csv() and returns the name of the model.
  std::string small_model() const;

  std::filesystem::path folder_;
};

}  // namespace tamis
