// Output of the program: results on standard output or in a file, messages on standard error.
// Guarantee  files are written under a temporary name and renamed when complete; a reader who closes the pipe (head) is
//            no error, a full disk is one. Output paths are checked before long work, and never overwrite an input.
// Untrusted  messages may quote names from files: note() replaces unprintable characters.
#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"
#include "tamis/report/printable.hpp"

namespace tamis::app {
namespace {

// False with errno set when not all could be written.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

}  // namespace

void prepare_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // With a standard descriptor closed, the next file opened would take its number, and our words would go into it.
  // Opened for reading only, so that writing results to a closed standard output is still an error.
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) == -1) static_cast<void>(::open("/dev/null", O_RDONLY));
  }
}

void print(std::string_view text) {
  if (write_all(STDOUT_FILENO, text) || errno == EPIPE) return;
  throw OutputError(fmt::format("standard output: {}", std::strerror(errno)));
}

void deliver(const std::string& path, std::string_view content) {
  if (path.empty()) {
    print(content);
  } else {
    write_file_atomically(path, content);
  }
}

void note(bool quiet, std::string_view words) {
  if (!quiet) write_all(STDERR_FILENO, "tamis: " + printable(words) + "\n");
}

void check_writable(const std::string& path) {
  if (path.empty()) return;
  namespace fs = std::filesystem;
  const auto refuse = [&](std::string_view reason) {
    throw OutputError(fmt::format("{}: cannot be written: {}", path, reason));
  };
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse("is a directory; expected a file name");
  if (fs::exists(path, ignored)) {
    if (::access(path.c_str(), W_OK) != 0) refuse(std::strerror(errno));
    if (!fs::is_regular_file(path, ignored)) return;  // a pipe or a device is written in place
  }
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!fs::is_directory(folder, ignored)) refuse(fmt::format("directory {} does not exist", folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(fmt::format("directory {}: {}", folder, std::strerror(errno)));
}

void check_not_input(const std::string& output, const std::string& input) {
  std::error_code ignored;
  if (!output.empty() && std::filesystem::equivalent(output, input, ignored)) {
    throw InvalidOption(
        fmt::format("{}: output would overwrite an input file; choose another name for the output", output));
  }
}

}  // namespace tamis::app
