#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/io/binary_samples.hpp"
#include "unit/io/in_memory.hpp"

namespace tamis::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Dataset read_file(const std::string& name) {
  return read_dataset(std::string(TAMIS_TEST_DATA) + "/numpy/" + name, no_target());
}

std::string refused_npy(const std::string& bytes) { return refusal("d.npy", bytes, no_target()); }

const std::string two_by_two = doubles(std::vector<double>{1, 2, 3, 4});

TEST(NpyReader, ReadsWhatNumpyWrites) {
  for (const char* name : {"float64.npy", "float32-fortran.npy", "big-endian.npy"}) {
    const Dataset data = read_file(name);
    EXPECT_THAT(data.features, ElementsAre("x1", "x2")) << name;
    EXPECT_THAT(column(*data.X, 0), ElementsAre(1, 3, 5)) << name;
    EXPECT_THAT(column(*data.X, 1), ElementsAre(2, 4, 6.5)) << name;
  }
  EXPECT_THAT(column(*read_file("int16.npy").X, 1), ElementsAre(-2, 4));
  EXPECT_THAT(column(*read_file("bool.npy").X, 0), ElementsAre(1, 0));
}

TEST(NpyReader, TakesAVectorForOneColumn) {
  EXPECT_THAT(column(*read_file("vector.npy").X, 0), ElementsAre(1.5, 2.5, 3.5));
}

TEST(NpyReader, ReadsLargeArraysOfEitherOrderAlike) {
  const Index rows = 300;
  const Index cols = 150;
  std::vector<double> by_rows;
  std::vector<double> by_columns;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) by_rows.push_back(static_cast<double>(i * 1000 + j));
  }
  for (Index j = 0; j < cols; ++j) {
    for (Index i = 0; i < rows; ++i) by_columns.push_back(static_cast<double>(i * 1000 + j));
  }
  const Dataset a = read_bytes("d.npy", npy_bytes("<f8", "(300, 150)", doubles(by_rows)), no_target());
  const Dataset b = read_bytes("d.npy", npy_bytes("<f8", "(300, 150)", doubles(by_columns), true), no_target());
  for (Index j = 0; j < cols; ++j) {
    EXPECT_EQ(column(*a.X, j), column(*b.X, j));
    EXPECT_EQ(column(*a.X, j)[7], static_cast<double>(7000 + j));
  }
}

TEST(NpyReader, RefusesATenGigabyteClaimInAHundredBytesBeforeTakingMemory) {
  EXPECT_THAT(
      refused_npy(npy_bytes("<f8", "(1250000000, 1)", "12345678")),
      HasSubstr(
          "the header declares 1250000000 x 1 values of 8 bytes each, but 8 bytes follow; is the file truncated?"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(9223372036854775807, 9223372036854775807)", "12345678")),
              HasSubstr("but 8 bytes follow"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(4294967296, 4294967296)", "")), HasSubstr("but 0 bytes follow"));
}

TEST(NpyReader, RefusesTooManyBytesAndShapesThatAreNoMatrix) {
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(1, 2)", two_by_two)),
              HasSubstr("1 x 2 values of 8 bytes each, but 32 bytes follow, 16 too many; save the array again"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(2, 2, 1)", two_by_two)),
              HasSubstr("has shape 2 x 2 x 1; expected a matrix"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "()", "12345678")), HasSubstr("has shape ()"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(0, 2)", "")), HasSubstr("has shape 0 x 2"));
}

TEST(NpyReader, RefusesTypesItCannotRead) {
  EXPECT_THAT(refused_npy(npy_bytes("<c16", "(1, 2)", two_by_two)), HasSubstr("dtype \"<c16\" is not supported"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8x", "(1, 2)", two_by_two)), HasSubstr("dtype \"<f8x\" is not supported"));
  EXPECT_THAT(refused_npy(npy_bytes("<U2", "(2, 2)", two_by_two)), HasSubstr("contains text; expected numbers"));
  EXPECT_THROW(read_file("objects.npy"), InvalidInput);
  EXPECT_THAT(refused_npy(npy_bytes("|O", "(2, 2)", two_by_two)),
              HasSubstr("Python objects, which are not unpickled for safety"));
}

TEST(NpyReader, RefusesBrokenHeaders) {
  EXPECT_THAT(refused_npy("\x93NUMPY"), HasSubstr("the NPY header is missing or truncated"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(2, 2", two_by_two)), HasSubstr("cannot be parsed"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(-2, 2)", two_by_two)), HasSubstr("cannot be parsed"));
  std::string future = npy_bytes("<f8", "(2, 2)", two_by_two);
  future[6] = 9;
  EXPECT_THAT(refused_npy(future), HasSubstr("NPY version 9 is not supported"));
}

TEST(NpyReader, TakesNanForMissingAndRefusesInfinityWithItsPlace) {
  const double nan = std::nan("");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(2, 2)", doubles(std::vector<double>{1, 2, nan, 4}))),
              HasSubstr("row 2, column \"x1\" is missing"));
  EXPECT_THAT(refused_npy(npy_bytes("<f8", "(2, 2)", doubles(std::vector<double>{1, 2, 3, -inf}))),
              HasSubstr("row 2, column 2 is infinite"));
}

TEST(NpzReader, ReadsWhatNumpyWrites) {
  const std::string folder = std::string(TAMIS_TEST_DATA) + "/numpy/";
  const Dataset stored = read_dataset(folder + "stored.npz");
  EXPECT_THAT(stored.features, ElementsAre("größe", "b"));
  EXPECT_THAT(stored.y, ElementsAre(0, 1, 1));
  EXPECT_THAT(column(*stored.X, 1), ElementsAre(2, 4, 6.5));
  const Dataset deflated = read_dataset(folder + "deflated.npz");
  EXPECT_THAT(deflated.levels, ElementsAre("no", "yes"));
  EXPECT_THAT(deflated.y, ElementsAre(1, 0, 1));
  EXPECT_THAT(column(*deflated.X, 0), ElementsAre(1, 3, 5));
}

TEST(NpzReader, ReadsSparseMatricesOfScipy) {
  for (const char* name : {"scipy-csr.npz", "scipy-csc.npz"}) {
    const Dataset data = read_file(name);
    EXPECT_EQ(data.X->stored_per_column(), 1) << name;
    EXPECT_THAT(column(*data.X, 0), ElementsAre(0, 1)) << name;
    EXPECT_THAT(column(*data.X, 1), ElementsAre(2, 0)) << name;
    EXPECT_THAT(column(*data.X, 2), ElementsAre(0, 3.5)) << name;
  }
}

TEST(NpzReader, SaysWhatIsThereWhenThereIsNoMatrix) {
  const std::string array = npy_bytes("<f8", "(2, 2)", two_by_two);
  EXPECT_THAT(refusal("d.npz", zip_bytes({{"a.npy", array}, {"b.npy", array}}, false), no_target()),
              HasSubstr("array X not found; the file contains \"a.npy\", \"b.npy\""));
  const std::string y = npy_bytes("<f8", "(2,)", doubles(std::vector<double>{1, 2}));
  EXPECT_EQ(refusal("d.npz", zip_bytes({{"y.npy", y}}, false)),
            "d.npz: array X not found; the file contains \"y.npy\"; save the matrix as X, for example with "
            "numpy.savez(file, X=X, y=y)");
}

TEST(NpzReader, TakesTheOnlyArrayForTheMatrix) {
  const std::string array = npy_bytes("<f8", "(2, 2)", two_by_two);
  EXPECT_THAT(column(*read_bytes("d.npz", zip_bytes({{"arr_0.npy", array}}, true), no_target()).X, 1),
              ElementsAre(2, 4));
}

TEST(NpzReader, HoldsAResponseFileToo) {
  const std::string path = testing::TempDir() + fmt::format("tamis-response-{}.npz", ::getpid());
  const std::string y = npy_bytes("<f8", "(2,)", doubles(std::vector<double>{5, 6}));
  std::ofstream(path, std::ios::binary) << zip_bytes({{"y.npy", y}}, true);
  ReadOptions options;
  options.response_file = path;
  EXPECT_THAT(read_bytes("d.csv", "a\n1\n2\n", options).y, ElementsAre(5, 6));
  std::filesystem::remove(path);
}

TEST(NumpyReaders, SayThatAFileIsEmpty) {
  EXPECT_THAT(refused_npy(""), HasSubstr("d.npy: the file is empty"));
  EXPECT_THAT(refusal("d.npz", "", no_target()), HasSubstr("d.npz: the file is empty"));
}

TEST(NpzReader, ChecksNamesAndTheLengthOfTheResponse) {
  const std::string array = npy_bytes("<f8", "(2, 2)", two_by_two);
  const auto named = [&](const std::string& names, const std::string& shape) {
    return zip_bytes({{"X.npy", array}, {"feature_names.npy", npy_bytes("|S1", shape, names)}}, true);
  };
  EXPECT_THAT(refusal("d.npz", named("abc", "(3,)"), no_target()),
              HasSubstr("feature_names has length 3, but X has 2 columns"));
  EXPECT_THAT(refusal("d.npz", named("aa", "(2,)"), no_target()), HasSubstr("feature name \"a\" occurs twice"));
  const std::string y = npy_bytes("<f8", "(3,)", doubles(std::vector<double>{1, 2, 3}));
  EXPECT_THAT(refusal("d.npz", zip_bytes({{"X.npy", array}, {"y.npy", y}}, true)),
              HasSubstr("d.npz: X has 2 rows but y has 3 values; expected one value per row: save both again"));
}

TEST(NpzReader, RefusesZipBombsByTheirClaim) {
  const std::string array = npy_bytes("<f8", "(2, 2)", two_by_two);
  EXPECT_THAT(refusal("d.npz", zip_bytes({{"X.npy", array, 4000000000}}, true), no_target()),
              HasSubstr("member \"X.npy\" is declared to decompress from"));
  EXPECT_THAT(refusal("d.npz", zip_bytes({{"X.npy", array, array.size() + 1}}, true), no_target()),
              HasSubstr("does not decompress to the"));
  EXPECT_THAT(refusal("d.npz", zip_bytes({{"X.npy", array, array.size() - 1}}, true), no_target()),
              HasSubstr("does not decompress to the"));
}

TEST(NpzReader, NoticesAWrongChecksum) {
  std::string bytes = zip_bytes({{"X.npy", npy_bytes("<f8", "(2, 2)", two_by_two)}}, false);
  bytes[bytes.find("PK\1\2") - 1] ^= 1;
  EXPECT_THAT(refusal("d.npz", bytes, no_target()), HasSubstr("member \"X.npy\" is corrupt: wrong checksum"));
}

TEST(NpzReader, RefusesSparseMatricesThatAreNotSound) {
  const auto whole = [](const std::vector<std::int64_t>& v) {
    std::string data(v.size() * 8, '\0');
    std::memcpy(data.data(), v.data(), data.size());
    return npy_bytes("<i8", fmt::format("({},)", v.size()), data);
  };
  const auto sparse = [&](const std::vector<std::int64_t>& starts, const std::vector<std::int64_t>& inner) {
    const std::string values = npy_bytes("<f8", "(2,)", doubles(std::vector<double>{1, 2}));
    return zip_bytes({{"format.npy", npy_bytes("|S3", "()", "csc")},
                      {"shape.npy", whole({2, 2})},
                      {"indptr.npy", whole(starts)},
                      {"indices.npy", whole(inner)},
                      {"data.npy", values}},
                     true);
  };
  EXPECT_EQ(refusal("d.npz", sparse({0, 1, 2}, {0, 1}), no_target()), "");
  EXPECT_THAT(refusal("d.npz", sparse({0, 1, 2}, {0, 2}), no_target()),
              HasSubstr("the sparse matrix is invalid: indptr, indices and data are inconsistent"));
  EXPECT_THAT(refusal("d.npz", sparse({0, 3, 2}, {0, 1}), no_target()),
              HasSubstr("the sparse matrix is invalid: indptr, indices and data are inconsistent"));
  EXPECT_THAT(refusal("d.npz", sparse({0, 2}, {0, 1}), no_target()),
              HasSubstr("the sparse matrix is invalid: indptr, indices and data are inconsistent"));
  EXPECT_THAT(refusal("d.npz", sparse({0, 2, 2}, {1, 1}), no_target()), HasSubstr("has duplicate entries"));
}

}  // namespace
}  // namespace tamis::io
