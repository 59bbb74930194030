// Numbers of X that no method can work with are named, wherever they stand and however X is stored.
#include "problem/feature_checks.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr Index n = 6;

struct Data {
  Matrix X{n, 3};
  std::vector<double> y = {1, 0, 2, 5, 3, 4};
  std::vector<double> weights = {};

  Data() {
    for (Index j = 0; j < 3; ++j) {
      for (Index i = 0; i < n; ++i) X(i, j) = std::sin(static_cast<double>(1 + i + 7 * j));
    }
  }
  void scale(Index j, double by) {
    for (double& x : X.column(j)) x *= by;
  }

  // The sentence with which the features are refused, or "" if they are not.
  std::string refusal_of(const Design& design) const {
    const Problem problem{.X = design, .y = y, .likelihood = family("gaussian"), .weights = weights};
    try {
      check_features(problem, column_moments(design, weights));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }
  std::string refusal() const { return refusal_of(DenseDesign(X)); }
};

TEST(CheckFeatures, TakesEverythingInBetween) {
  Data data;
  data.scale(0, 0.99 * largest_feature);
  data.scale(1, 1.1 * smallest_feature);
  data.scale(2, 0);
  EXPECT_EQ(data.refusal(), "");
}

TEST(CheckFeatures, NamesTheFirstEntryThatIsTooLarge) {
  for (const double size : {1e101, -1e155, 1e200, 1e308}) {
    Data data;
    data.X(3, 1) = data.X(4, 1) = data.X(2, 2) = size;
    EXPECT_THAT(data.refusal(), AllOf(HasSubstr("X: row 4, column 2 ('x2') is "), HasSubstr("above 1e+100 overflow"),
                                      HasSubstr("rescale the column")))
        << size;
  }
}

TEST(CheckFeatures, NamesAColumnWhoseEntriesAreAllTooSmall) {
  for (const double size : {1e-101, 1e-155, 1e-165, 1e-200, 5e-324}) {
    Data data;
    data.scale(1, 0);
    data.X(2, 1) = data.X(4, 1) = size;
    EXPECT_THAT(data.refusal(), AllOf(HasSubstr("X: row 3, column 2 ('x2') is "), HasSubstr("below 1e-100 underflow"),
                                      HasSubstr("rescale the column")))
        << size;
    data.X(0, 1) = 1e-90;  // one entry that can be squared is enough: beside it the others are nothing
    EXPECT_EQ(data.refusal(), "") << size;
  }
}

TEST(CheckFeatures, LooksAtRowsThatDoNotCount) {
  Data data;
  data.weights = {1, 1, 0, 2, 1, 0};
  EXPECT_EQ(data.refusal(), "");
  data.X(5, 0) = 1e200;
  EXPECT_THAT(data.refusal(), HasSubstr("X: row 6, column 1"));
}

TEST(CheckFeatures, FindsALightRowsEntry) {
  Data data;
  data.weights = {1e6, 1e6, 1e6, 1e-6, 1e6, 1e6};
  data.X(3, 1) = 1e101;
  EXPECT_THAT(data.refusal(), HasSubstr("X: row 4, column 2"));
}

TEST(CheckFeatures, FindsTheSameInEveryKindOfMatrix) {
  const SparseDesign huge({.rows = n, .cols = 2, .starts = {0, 0, 2}, .indices = {1, 4}, .values = {1, 1e120}});
  EXPECT_THAT(Data().refusal_of(huge), HasSubstr("X: row 5, column 2"));
  const SparseDesign tiny({.rows = n, .cols = 2, .starts = {0, 0, 2}, .indices = {1, 4}, .values = {1e-180, 0}});
  EXPECT_THAT(Data().refusal_of(tiny), HasSubstr("X: row 2, column 2"));
  Data data;
  data.X(1, 2) = 1e120;
  const DenseDesign dense(data.X);
  EXPECT_THAT(data.refusal_of(RowSubsetDesign(dense, {0, 2, 1, 3, 4, 5})), HasSubstr("X: row 3, column 3"));
}

}  // namespace
}  // namespace tamis
