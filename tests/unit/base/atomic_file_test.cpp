#include "tamis/base/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  AtomicFile() { fs::create_directories(folder_); }
  ~AtomicFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string content(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string failure(const std::string& path) {
    try {
      write_file_atomically(path, "content");
    } catch (const OutputError& error) {
      return error.what();
    }
    return "";
  }

 private:
  std::string folder_ = testing::TempDir() + "tamis-atomic-" + std::to_string(::getpid());
};

TEST_F(AtomicFile, WritesANewFileAndLeavesNothingElse) {
  write_file_atomically(path("a"), "hello");
  EXPECT_EQ(content(path("a")), "hello");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, TakesItsContentInPieces) {
  write_file_atomically(path("a"), [](const FilePiece& append) {
    append("hel");
    append("lo");
  });
  EXPECT_EQ(content(path("a")), "hello");
}

TEST_F(AtomicFile, StaysAsItWasWhenItsPiecesEndInAnError) {
  write_file_atomically(path("a"), "old");
  const auto broken = [](const FilePiece& append) {
    append("new");
    throw InvalidInput("no more");
  };
  EXPECT_THROW(write_file_atomically(path("a"), broken), InvalidInput);
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, ReplacesAnOldFileAndKeepsItsPermissions) {
  write_file_atomically(path("a"), "a longer old content");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(path("a"), "new");
  EXPECT_EQ(content(path("a")), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFile, FollowsTheUmaskForANewFile) {
  const mode_t before = ::umask(027);
  write_file_atomically(path("a"), "x");
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("a")).permissions()), 0640U);
}

TEST_F(AtomicFile, ReplacesWhatALinkPointsTo) {
  write_file_atomically(path("a"), "old");
  fs::create_symlink(path("a"), path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("a")), "new");
}

TEST_F(AtomicFile, SaysWhyAFolderThatIsNotThereCannotBeWrittenTo) {
  EXPECT_EQ(failure(path("nowhere/a")), path("nowhere/a") + ": cannot be written: No such file or directory");
}

TEST_F(AtomicFile, RefusesAFolderAsTarget) { EXPECT_THAT(failure(path("")), HasSubstr("Is a directory")); }

TEST_F(AtomicFile, SaysThatADeviceIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this machine has no /dev/full";
  EXPECT_THAT(failure("/dev/full"), HasSubstr("/dev/full: cannot be written: No space left on device"));
}

// A limit on file size stands for a full disk.
TEST_F(AtomicFile, KeepsTheOldFileAndNoTemporaryOneWhenSpaceRunsOut) {
  write_file_atomically(path("a"), "old");
  const auto in_a_child = [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit tiny;
    tiny.rlim_cur = tiny.rlim_max = 4;
    ::setrlimit(RLIMIT_FSIZE, &tiny);
    const bool right = failure(path("a")).find("File too large") != std::string::npos;
    ::_exit(right && files() == 1 && content(path("a")) == "old" ? 0 : 1);
  };
  EXPECT_EXIT(in_a_child(), testing::ExitedWithCode(0), "");
}

TEST_F(AtomicFile, WritesStraightIntoAPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  write_file_atomically(path("pipe"), "through");
  std::string got(16, '\0');
  got.resize(std::max<ssize_t>(0, ::read(reader, got.data(), got.size())));
  ::close(reader);
  EXPECT_EQ(got, "through");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace tamis
