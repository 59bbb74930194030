// Which family a table is taken for when nobody names one.
#include <gmock/gmock.h>

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>

#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

FamilyGuess guess(const Matrix& data) {
  FactorProblem problem;
  problem.dense = data;
  return guess_family(problem);
}

// Every cell from `draw(random, row, column)`.
template <class Draw>
Matrix drawn(Index rows, Index cols, std::uint64_t seed, const Draw& draw) {
  Matrix out(rows, cols);
  RandomStream random(seed);
  for (Index d = 0; d < cols; ++d) {
    for (Index n = 0; n < rows; ++n) out(n, d) = draw(random, n, d);
  }
  return out;
}

double poisson(RandomStream& random, double rate) {
  return boost::random::poisson_distribution<int, double>(rate)(random);
}

// lowest, ..., lowest + steps, most of them in the middle or above as in questionnaires.
Matrix ratings(Index rows, Index cols, int lowest, int steps, std::uint64_t seed) {
  return drawn(rows, cols, seed, [&](RandomStream& random, Index, Index) {
    return lowest + boost::random::binomial_distribution<int, double>(steps, 0.6)(random);
  });
}

TEST(GuessFamilyOfATable, TakesBothZerosAndOnesAloneForBernoulli) {
  EXPECT_EQ(guess(table({{0, 1}, {1, 1}})).family, "bernoulli");
  EXPECT_EQ(guess(table({{0, hole}, {1, 1}})).family, "bernoulli");
  EXPECT_EQ(guess(two_factor_table("bernoulli", 30, 6, 1)).family, "bernoulli") << "a tenth is missing";
  EXPECT_EQ(guess(table({{1, 1}, {1, hole}})).family, "gaussian") << "one class tells nothing";
  EXPECT_EQ(guess(table({{0, 0}, {0, hole}})).family, "gaussian");
}

TEST(GuessFamilyOfATable, TakesCountsForPoissonWithAndWithoutHoles) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double rate : {0.2, 1.0, 3.0, 10.0}) {
      const Matrix counts = drawn(60, 20, seed, [&](RandomStream& random, Index n, Index) {
        return random.uniform01() < 0.3 ? hole : poisson(random, n % 2 == 0 ? rate : 2 * rate);
      });
      EXPECT_EQ(guess(counts).family, "poisson") << rate << ", seed " << seed;
      EXPECT_THAT(guess(counts).because, IsEmpty());
    }
  }
}

TEST(GuessFamilyOfATable, TakesCountsOfOneRateForPoissonNearlyAlways) {
  int taken = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Matrix counts = drawn(100, 10, seed, [](RandomStream& random, Index, Index d) {
      return poisson(random, 0.2 * static_cast<double>(d + 1));
    });
    taken += guess(counts).family == "poisson" ? 1 : 0;
  }
  EXPECT_GE(taken, 97);
}

TEST(GuessFamilyOfATable, DoesNotTakeRatingsForCounts) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(guess(ratings(40, 8, 1, 4, seed)).family, "gaussian");
    EXPECT_THAT(guess(ratings(40, 8, 1, 4, seed)).because, HasSubstr("none of them 0, look like ratings"));
    for (const int steps : {4, 5, 10}) {
      EXPECT_EQ(guess(ratings(40, 8, 0, steps, seed)).family, "gaussian") << "0 to " << steps << ", seed " << seed;
    }
    EXPECT_THAT(guess(ratings(40, 8, 0, 4, seed)).because, HasSubstr("vary less than counts do"));
  }
}

TEST(GuessFamilyOfATable, TakesOneToFiveWithHolesAndExtremesForRatings) {
  const Matrix polarized = drawn(60, 5, 1, [](RandomStream& random, Index, Index) {
    const double u = random.uniform01();
    return u < 0.3 ? hole : u < 0.65 ? 1.0 : 5.0;
  });
  EXPECT_EQ(guess(polarized).family, "gaussian");
}

TEST(GuessFamilyOfATable, DoesNotTakeWholeMeasurementsForCounts) {
  const Matrix ages =
      drawn(60, 4, 1, [](RandomStream& random, Index, Index) { return std::floor(18 + 60 * random.uniform01()); });
  EXPECT_EQ(guess(ages).family, "gaussian");
  EXPECT_THAT(guess(ages).because, HasSubstr("are all far above 0"));
  EXPECT_EQ(guess(table({{-2, 0}, {3, 14}})).family, "gaussian") << "counts are not negative";
  EXPECT_EQ(guess(table({{1e17, 0}, {3e17, 2e17}})).family, "gaussian") << "such doubles have no fractions";
  EXPECT_EQ(guess(table({{7, 7}, {7, 7}})).family, "gaussian") << "constant";
}

TEST(GuessFamilyOfATable, OneFractionAnywhereMakesItGaussian) {
  Matrix data = drawn(60, 10, 1, [](RandomStream& random, Index, Index) { return poisson(random, 2); });
  EXPECT_EQ(guess(data).family, "poisson");
  data(59, 9) = 0.5;
  EXPECT_EQ(guess(data).family, "gaussian");
  EXPECT_THAT(guess(data).because, IsEmpty());
}

TEST(GuessFamilyOfATable, OneColumnOfLargeNumbersDoesNotMakeRatingsCounts) {
  Matrix data = ratings(100, 8, 0, 5, 1);
  for (Index n = 0; n < data.rows(); ++n) data(n, 7) = static_cast<double>(1000 * n);
  EXPECT_EQ(guess(data).family, "gaussian");
}

TEST(GuessFamilyOfATable, SeesZerosThatAreNotStored) {
  SparseColumns ones{.rows = 3, .cols = 2, .starts = {0, 1, 3}, .indices = {1, 0, 2}, .values = {1, 1, 1}};
  FactorProblem problem;
  problem.sparse = &ones;
  EXPECT_EQ(guess_family(problem).family, "bernoulli");
  ones.values = {4, 1, 9};
  EXPECT_EQ(guess_family(problem).family, "poisson");
  ones.values = {4, hole, 1.5};
  EXPECT_EQ(guess_family(problem).family, "gaussian");
  ones.values = {1, hole, 1};
  EXPECT_EQ(guess_family(problem).family, "bernoulli");
}

TEST(GuessFamilyOfATable, OfNothingButHolesIsGaussian) { EXPECT_EQ(guess(table({{hole, hole}})).family, "gaussian"); }

}  // namespace
}  // namespace tamis
