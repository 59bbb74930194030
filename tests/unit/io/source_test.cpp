#include "io/source.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tamis/io/write_csv.hpp"
#include "unit/io/binary_samples.hpp"
#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Source, UnpacksGzipOfOneOrSeveralMembers) {
  const std::string two = gzip_bytes("a,b\n1,2\n") + gzip_bytes("3,4\n");
  EXPECT_THAT(column(*read_bytes("d.csv.gz", two, no_target()).X, 1), ElementsAre(2, 4));
  EXPECT_EQ(read_bytes("d.svm.gz", gzip_bytes("1\n2 1:5\n")).format, "svmlight");
}

TEST(Source, RefusesAGzipFileThatIsCutOffAtAnyByte) {
  const std::string whole = gzip_bytes("a,b\n1,2\n3,4\n");
  for (std::size_t n = 2; n < whole.size(); ++n) {
    EXPECT_THAT(refusal("d.csv.gz", std::string_view(whole).substr(0, n), no_target()),
                HasSubstr("the gzip file is truncated"))
        << n;
  }
}

TEST(Source, RefusesABrokenGzipFile) {
  std::string broken = gzip_bytes("a,b\n1,2\n3,4\n");
  broken[broken.size() - 6] ^= 1;
  EXPECT_THAT(refusal("d.csv.gz", broken, no_target()),
              testing::AllOf(HasSubstr("the gzip file is corrupt after"), HasSubstr("; copy or download it again")));
}

TEST(Source, ToleratesZerosAfterAGzipFile) {
  const std::string padded = gzip_bytes("a,b\n1,2\n") + gzip_bytes("3,4\n") + std::string(512, '\0');
  EXPECT_THAT(column(*read_bytes("d.csv.gz", padded, no_target()).X, 1), ElementsAre(2, 4));
}

TEST(Source, RefusesOtherBytesAfterAGzipFile) {
  const std::string whole = gzip_bytes("a,b\n1,2\n");
  for (const std::string& junk : {std::string("junk"), std::string("\0\0\0k", 4), std::string("\x1fxyz")}) {
    EXPECT_EQ(refusal("d.csv.gz", whole + junk, no_target()),
              "d.csv.gz: 4 bytes of other data follow the gzip data; decompress the file with gunzip, which ignores "
              "them, and read the result");
  }
  EXPECT_THAT(refusal("d.csv.gz", whole + "\x1f", no_target()), HasSubstr("the gzip file is truncated"));
}

TEST(Source, RefusesAGzipBomb) {
  Limits limits;
  limits.unpacked_bytes = 1 << 20;
  const std::string bomb = gzip_bytes(std::string(1 << 21, 'a'));
  try {
    Source::of_bytes("d.csv.gz", bomb, limits);
    FAIL() << "read two megabytes against a limit of one";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("decompresses to more than 1048576 bytes"));
  }
}

TEST(Source, SaysWhyAFileCannotBeOpened) {
  const auto reason = [](const std::string& path) -> std::string {
    try {
      read_dataset(path);
    } catch (const MissingFile& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(reason("/nowhere/d.csv"), HasSubstr("/nowhere/d.csv: cannot be opened: No such file or directory"));
  EXPECT_THAT(reason(testing::TempDir()), HasSubstr("is a directory; expected a file"));
}

TEST(Source, RefusesBinaryContentOfNoKnownFormat) {
  EXPECT_THAT(refusal("d.bin", std::string("\0\1\2", 3), no_target()),
              HasSubstr("expected one of: csv, svmlight, matrix-market, npy, npz"));
}

class FileOnDisk : public testing::Test {
 protected:
  ~FileOnDisk() override { std::filesystem::remove(path_); }
  std::string path_ = testing::TempDir() + fmt::format("tamis-io-{}.csv", ::getpid());
};

TEST_F(FileOnDisk, WrittenByUsReadsBackTheSameBits) {
  Matrix values(3, 2);
  values(0, 0) = 0.1;
  values(1, 0) = -1e-300;
  values(2, 0) = 12345678901234567.0;
  values(0, 1) = 1.0 / 3.0;
  values(1, 1) = 2;
  values(2, 1) = 5e-324;
  const std::vector<std::string> names = {"plain", "with, comma and \"quotes\"\nand a newline "};
  write_csv(path_, names, values);
  const Dataset data = read_dataset(path_, no_target());
  EXPECT_EQ(data.features, names);
  for (Index j = 0; j < 2; ++j) {
    EXPECT_THAT(column(*data.X, j), ElementsAre(values(0, j), values(1, j), values(2, j)));
  }
}

TEST_F(FileOnDisk, IsReadThroughAMappingThatLetsPagesGo) {
  std::ofstream out(path_);
  out << "x,y\n";
  const Index n = 300000;
  for (Index i = 0; i < n; ++i) out << i << ',' << 2 * i << '\n';
  out.close();
  const Dataset data = read_dataset(path_, with_target("y"));
  ASSERT_EQ(data.X->rows(), n);
  EXPECT_EQ(data.y.back(), 2.0 * (n - 1));
  EXPECT_EQ(column(*data.X, 0)[200000], 200000);
}

TEST_F(FileOnDisk, IsRefusedWhenItChangesWhileItIsRead) {
  std::ofstream(path_) << "x,y\n1,2\n";
  const Source source = Source::open(path_);
  EXPECT_NO_THROW(source.refuse_if_changed());
  std::ofstream(path_, std::ios::app) << "3,4\n";
  try {
    read_source(source, with_target("y"));
    FAIL() << "a file that grew was read";
  } catch (const InvalidInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("changed while it was being read"));
  }
}

TEST_F(FileOnDisk, MayBeReplacedWhileItIsRead) {
  std::ofstream(path_) << "x,y\n1,2\n";
  const Source source = Source::open(path_);
  std::filesystem::remove(path_);
  std::ofstream(path_) << "quite another file\n";
  EXPECT_EQ(read_source(source, with_target("y")).y, std::vector{2.0});
}

TEST_F(FileOnDisk, MayBeAPipe) {
  ASSERT_EQ(std::system(fmt::format("mkfifo {0} && (printf 'a,b\\n1,2\\n' > {0} &)", path_).c_str()), 0);
  EXPECT_THAT(read_dataset(path_, no_target()).features, ElementsAre("a", "b"));
}

TEST(CsvText, LeavesMissingNumbersEmpty) {
  CsvText table;
  table.cell("a").cell(std::nan("")).cell(1.5);
  table.end_row();
  EXPECT_EQ(table.text(), "a,,1.5\n");
}

}  // namespace
}  // namespace tamis::io
