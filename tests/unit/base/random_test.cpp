#include "tamis/base/random.hpp"

#include <Random123/philox.h>
#include <gmock/gmock.h>

#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <numeric>
#include <set>

namespace tamis {
namespace {

using testing::Each;
using testing::ElementsAre;

std::vector<double> normals(RandomStream stream, std::size_t count) {
  std::vector<double> values(count);
  stream.normals(values);
  return values;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

// The vectors are those that Random123 ships as kat_vectors (philox4x64, 10 rounds).
TEST(RandomStream, StartsWithTheKnownAnswerOfPhilox) {
  RandomStream stream(0, 0, 0, 0);
  EXPECT_EQ(stream(), 0x16554d9eca36314cu);
  EXPECT_EQ(stream(), 0xdb20fe9d672d0fdcu);
  EXPECT_EQ(stream(), 0xd7e772cee186176bu);
  EXPECT_EQ(stream(), 0x7e68b68aec7ba23bu);
}

TEST(RandomStream, PhiloxOfThisMachineGivesTheKnownAnswerForPi) {
  const r123::Philox4x64::ctr_type counter = {
      {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u}};
  const r123::Philox4x64::key_type key = {{0x452821e638d01377u, 0xbe5466cf34e90c6cu}};
  EXPECT_THAT(r123::Philox4x64()(counter, key),
              ElementsAre(0xa528f45403e61d95u, 0x38c72dbd566e9788u, 0xa5a1610e72fd18b5u, 0x57bd43b5e52b7fe6u));
}

TEST(RandomStream, KeyAndCounterAreTheFourParts) {
  RandomStream stream(11, 22, 33, 44);
  stream(), stream(), stream(), stream();  // the fifth number opens the block of counter 1
  const auto expected = r123::Philox4x64()({{1, 33, 44, 0}}, {{11, 22}});
  EXPECT_EQ(stream(), expected[0]);
}

TEST(RandomStream, SameKeySameNumbers) {
  EXPECT_EQ(normals(RandomStream(7, 1, 2, 3), 100), normals(RandomStream(7, 1, 2, 3), 100));
}

TEST(RandomStream, ACopyContinuesLikeItsOriginal) {
  RandomStream original(5);
  original();
  RandomStream copy = original;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(copy(), original());
}

TEST(RandomStream, NeighboringStreamsAreUncorrelated) {
  const std::size_t count = 100000;
  const double tolerance = 5 / std::sqrt(static_cast<double>(count));  // five standard errors
  const auto reference = normals(RandomStream(1, 1, 1, 1), count);
  for (const RandomStream& other : {RandomStream(2, 1, 1, 1), RandomStream(1, 2, 1, 1), RandomStream(1, 1, 2, 1),
                                    RandomStream(1, 1, 1, 2), RandomStream(1, 1, 1, 0)}) {
    EXPECT_NEAR(correlation(reference, normals(other, count)), 0, tolerance);
  }
}

TEST(RandomStream, NormalsHaveTheMomentsOfANormal) {
  const std::size_t count = 400000;
  const auto draws = normals(RandomStream(3), count);
  double power[5] = {};
  double beyond_two = 0;
  for (const double x : draws) {
    double value = 1;
    for (double& sum : power) sum += value, value *= x;
    beyond_two += std::abs(x) > 1.959963984540054;
  }
  // Standard errors of the k-th sample moment: sqrt((E x^2k - (E x^k)^2) / count); five of them.
  const double unit = 5 / std::sqrt(static_cast<double>(count));
  EXPECT_NEAR(power[1] / count, 0, unit * 1);
  EXPECT_NEAR(power[2] / count, 1, unit * std::sqrt(2));
  EXPECT_NEAR(power[3] / count, 0, unit * std::sqrt(15));
  EXPECT_NEAR(power[4] / count, 3, unit * std::sqrt(96));
  EXPECT_NEAR(beyond_two / count, 0.05, unit * std::sqrt(0.05 * 0.95));
}

TEST(RandomStream, ManyNormalsAreTheSameAsOneByOne) {
  RandomStream one_by_one(9);
  for (const double value : normals(RandomStream(9), 50)) EXPECT_EQ(value, one_by_one.normal());
}

TEST(RandomStream, UniformsStayBelowOneAndFillTheInterval) {
  RandomStream stream(4);
  const int count = 200000;
  double sum = 0, sum_of_squares = 0, largest = 0, smallest = 1;
  for (int i = 0; i < count; ++i) {
    const double u = stream.uniform01();
    sum += u, sum_of_squares += u * u;
    largest = std::max(largest, u), smallest = std::min(smallest, u);
  }
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 0.9999);
  EXPECT_GE(smallest, 0);
  EXPECT_LT(smallest, 0.0001);
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(sum_of_squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
}

TEST(RandomStream, DrawsForTheDistributionsOfBoost) {
  RandomStream stream(6);
  boost::random::gamma_distribution<double> gamma(3.0, 2.0);
  double sum = 0;
  const int count = 20000;
  for (int i = 0; i < count; ++i) sum += gamma(stream);
  EXPECT_NEAR(sum / count, 6.0, 5 * std::sqrt(12.0 / count));
}

TEST(RandomStream, IndicesAreUniform) {
  RandomStream stream(8);
  std::vector<double> seen(5);
  const int count = 50000;
  for (int i = 0; i < count; ++i) seen[stream.index(5)] += 1.0 / count;
  EXPECT_THAT(seen, Each(testing::DoubleNear(0.2, 5 * std::sqrt(0.2 * 0.8 / count))));
}

TEST(RandomStream, APermutationHasEachNumberOnceAndForgetsItsOrder) {
  const auto order = RandomStream(10).permutation(1000);
  EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), 1000u);
  Index at_home = 0;
  for (Index k = 0; k < 1000; ++k) at_home += order[k] == k;
  EXPECT_LT(at_home, 10);  // one is expected
}

TEST(RandomStream, ASampleIsSortedAndEveryNumberIsAsLikely) {
  std::vector<double> chosen(10);
  const int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    const auto sample = RandomStream(12, 0, static_cast<std::uint64_t>(round)).sample(10, 3);
    ASSERT_EQ(sample.size(), 3u);
    ASSERT_LT(sample[0], sample[1]);
    ASSERT_LT(sample[1], sample[2]);
    for (const Index k : sample) chosen[k] += 1.0 / rounds;
  }
  EXPECT_THAT(chosen, Each(testing::DoubleNear(0.3, 5 * std::sqrt(0.3 * 0.7 / rounds))));
}

TEST(RandomStream, ASampleOfAllIsAll) { EXPECT_THAT(RandomStream(1).sample(4, 4), ElementsAre(0, 1, 2, 3)); }

}  // namespace
}  // namespace tamis
