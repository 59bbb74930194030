// Writes a file so that a reader, or a crash at any moment, sees the old content or the new, never a part.
//
// Algorithm  1 write everything to a new file beside the target (same folder, so that rename does not cross devices)
//            2 copy the permissions of an existing target, fsync, close
//            3 rename over the target, which POSIX makes atomic
// Guaranteed after return the content is complete under the target's name; on an error the target is unchanged and the
//            temporary file is removed.
// Not        the folder is not synced: after a power failure the old content may be back. Hard links to the old file
//            keep the old content, and a new file belongs to the writing user.
// Links are followed (the target is replaced, not the link); pipes and devices are written directly.
#include "tamis/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

[[noreturn]] void fail(const std::string& path, int reason) {
  throw OutputError(fmt::format("{}: cannot be written: {}", path, std::strerror(reason)));
}

// A failing close() is a failing write: network file systems may report a full disk only then.
class OutputFile {
 public:
  OutputFile(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {}
  ~OutputFile() {
    if (number_ >= 0) ::close(number_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool is_open() const { return number_ >= 0; }
  /// 0, or the reason.
  int write(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t done = ::write(number_, content.data(), content.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return errno;
      content.remove_prefix(done);
    }
    return 0;
  }
  int flush() const { return ::fsync(number_) == 0 ? 0 : errno; }
  int set_mode(mode_t mode) const { return ::fchmod(number_, mode) == 0 ? 0 : errno; }
  int close() {
    const int result = ::close(number_);
    number_ = -1;
    return result == 0 ? 0 : errno;
  }

 private:
  int number_;
};

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.{}-{}.tmp", path, ::getpid(), counter++);
}

// The file behind a symbolic link: that one is replaced, and the link stays.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  std::free(real);
  return result;
}

// 0, or errno of the first failed write; pieces after it are discarded.
int write_pieces(const OutputFile& file, const std::function<void(const FilePiece&)>& fill) {
  int trouble = 0;
  fill([&](std::string_view piece) {
    if (trouble == 0) trouble = file.write(piece);
  });
  return trouble;
}

// Removes the temporary file unless it has become the target.
struct Leftover {
  const std::string& path;
  bool renamed = false;
  explicit Leftover(const std::string& temporary) : path(temporary) {}
  ~Leftover() {
    if (!renamed) ::unlink(path.c_str());
  }
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
};

}  // namespace

void write_file_atomically(const std::string& path, std::string_view content) {
  write_file_atomically(path, [&](const FilePiece& append) { append(content); });
}

void write_file_atomically(const std::string& path, const std::function<void(const FilePiece&)>& fill) {
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {  // a pipe or a device has no neighbor to rename
    OutputFile device(path, 0);
    if (!device.is_open()) fail(path, errno);
    int trouble = write_pieces(device, fill);
    if (trouble == 0) trouble = device.close();
    if (trouble != 0) fail(path, trouble);
    return;
  }
  const std::string target = exists ? resolved(path) : path;
  // rename() needs permission for the folder only: a write-protected file must be refused explicitly.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(path, errno);
  const std::string temporary = temporary_name(target);
  OutputFile file(temporary, O_CREAT | O_EXCL);
  if (!file.is_open()) fail(path, errno);
  Leftover leftover(temporary);
  int trouble = write_pieces(file, fill);
  if (trouble == 0 && exists) trouble = file.set_mode(status.st_mode & 07777);
  if (trouble == 0) trouble = file.flush();
  if (trouble == 0) trouble = file.close();
  if (trouble == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) trouble = errno;
  if (trouble != 0) fail(path, trouble);
  leftover.renamed = true;
}

}  // namespace tamis
