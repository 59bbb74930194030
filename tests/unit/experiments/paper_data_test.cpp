// The data sets of the papers' tables.
#include "experiments/laplace/paper_data.hpp"

#include <gmock/gmock.h>

#include <set>

namespace tamis::experiments::laplace {
namespace {

TEST(PaperData, IsRecognizedByItsShape) {
  EXPECT_EQ(paper_data_set(120, 18976), "gse5680");
  EXPECT_EQ(paper_data_set(120, 18975), "gse5680");
  EXPECT_EQ(paper_data_set(121, 18976), "");
  EXPECT_EQ(paper_data_set(72, 3571), "");
}

TEST(PaperData, ShapesAreDifferentAndEveryOneHasAllErrors) {
  std::set<std::string> found;
  for (const PaperDataSet& set : paper_data_sets()) found.insert(paper_data_set(set.rows, set.features));
  EXPECT_EQ(found.size(), 14);
  const std::vector<PaperNumber> numbers = paper_errors("test error");
  EXPECT_EQ(numbers.size(), 14 * 7);
  for (const PaperNumber& number : numbers) {
    EXPECT_TRUE(found.contains(number.place.panel));
    EXPECT_GT(number.value, 0);
  }
}

}  // namespace
}  // namespace tamis::experiments::laplace
