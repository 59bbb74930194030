#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "io/write_npz.hpp"
#include "tamis/base/error.hpp"
#include "tamis/io/components.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

// Three features, and as many rows as a test says.
class ReadComponents : public testing::Test {
 protected:
  ReadComponents() { std::filesystem::create_directory(folder_); }
  ~ReadComponents() override { std::filesystem::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) const { std::ofstream(folder_ + "/" + name) << text; }
  ComponentFile read(Index rows = 2) const { return read_components(folder_, features_, rows); }
  std::string refused(Index rows = 2) const {
    try {
      read(rows);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_ = testing::TempDir() + fmt::format("tamis-components-{}", ::getpid());
  std::vector<std::string> features_ = {"a", "b", "10"};
};

TEST_F(ReadComponents, TellsFactorsFromKernelsByTheirShape) {
  file("low.csv", "u,v\n1,2\n3,4\n5,6\n");
  file("kin.csv", "p,q\n1,0.5\n0.5,1\n");
  file("notes.txt", "not a component");
  const ComponentFile found = read();
  ASSERT_EQ(found.components.size(), 2u);
  EXPECT_EQ(found.components[0].name, "kin");
  EXPECT_TRUE(found.components[0].of_rows);
  EXPECT_EQ(found.components[1].name, "low");
  EXPECT_FALSE(found.components[1].of_rows);
  EXPECT_EQ(found.components[1].values(2, 1), 6);
}

TEST_F(ReadComponents, AsksForAPrefixWhereBothFit) {
  file("same.csv", "p,q,r\n1,0,0\n0,1,0\n0,0,1\n");
  EXPECT_THAT(refused(3), HasSubstr("name it features:same or rows:same"));
  std::filesystem::rename(folder_ + "/same.csv", folder_ + "/rows:same.csv");
  EXPECT_TRUE(read(3).components[0].of_rows);
  std::filesystem::rename(folder_ + "/rows:same.csv", folder_ + "/features:same.csv");
  EXPECT_FALSE(read(3).components[0].of_rows);
  EXPECT_EQ(read(3).components[0].name, "same");
}

TEST_F(ReadComponents, ReadsTheArraysOfAnArchiveAndSurvivesATruncatedOne) {
  io::NpzText made;
  made.add("rows:kin", {2, 2}, std::vector<double>{1, 0.25, 0.25, 1});
  made.add("smooth", {3, 2}, std::vector<double>{1, 2, 3, 4, 5, 6});
  made.add("one", {3}, std::vector<double>{7, 8, 9});
  const std::string bytes = std::move(made).finish();
  file("all.npz", bytes);
  const ComponentFile found = read_components(folder_ + "/all.npz", features_, 2);
  ASSERT_EQ(found.components.size(), 3u);
  EXPECT_EQ(found.components[0].name, "kin");
  EXPECT_EQ(found.components[0].values(0, 1), 0.25);
  EXPECT_EQ(found.components[1].values(1, 0), 3);
  EXPECT_EQ(found.components[2].values.cols, 1);
  for (std::size_t length = 0; length < bytes.size(); length += 7) {
    file("all.npz", bytes.substr(0, length));
    EXPECT_THROW(read_components(folder_ + "/all.npz", features_, 2), InvalidInput) << length;
  }
}

TEST_F(ReadComponents, MatchesRowsToFeaturesByName) {
  file("low.csv", "feature,u\n10,3\na,1\n");
  const ComponentFile found = read();
  EXPECT_EQ(found.components[0].values(0, 0), 1);
  EXPECT_EQ(found.components[0].values(1, 0), 0);
  EXPECT_EQ(found.components[0].values(2, 0), 3);
  file("low.csv", "feature,u\nz,3\n");
  EXPECT_THAT(refused(), HasSubstr("\"z\" is not a feature of the data"));
  file("low.csv", "feature,u\na,3\na,4\n");
  EXPECT_THAT(refused(), HasSubstr("row 2: \"a\" is listed twice"));
}

TEST_F(ReadComponents, RefusesWhatIsNone) {
  EXPECT_THAT(refused(), HasSubstr("there are no arrays"));
  file("low.csv", "u,v\n1,2\n3,4\n5,6\n7,8\n");
  EXPECT_THAT(refused(), HasSubstr("component low has shape 4 x 2; expected 3 rows, one per feature, or a kernel"));
  file("low.csv", "u,v\n1,x\n3,y\n5,z\n");
  EXPECT_THAT(refused(), HasSubstr("column \"v\" is text"));
  file("low.csv", "1,2\n3,4\n5,6\n");
  EXPECT_THAT(refused(), HasSubstr("expected a header"));
  file("low.csv", "");
  EXPECT_NE(refused(), "");
  file("plain", "u,v\n1,2\n");
  EXPECT_THROW(read_components(folder_ + "/plain", features_, 2), InvalidInput);
  EXPECT_THROW(read_components(folder_ + "/absent.npz", features_, 2), MissingFile);
}

}  // namespace
}  // namespace tamis
