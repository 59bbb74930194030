#include "report/scale.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace tamis {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> words;
  for (const Tick& tick : ticks) words.push_back(tick.label);
  return words;
}

TEST(Scale, MapsItsEndsToTheEndsOfThePaper) {
  const Scale scale({-1, 3}, false, 100, 20);
  EXPECT_DOUBLE_EQ(scale(-1), 100);
  EXPECT_DOUBLE_EQ(scale(3), 20);
  EXPECT_DOUBLE_EQ(scale(1), 60);
}

TEST(Scale, GivesEveryDecadeTheSameRoomWhenLogarithmic) {
  const Scale scale({0.01, 100}, true, 0, 400);
  EXPECT_NEAR(scale(0.1), 100, 1e-9);
  EXPECT_NEAR(scale(1), 200, 1e-9);
  EXPECT_NEAR(scale(10), 300, 1e-9);
}

TEST(Scale, DoesNotShowWhatItCannotPlace) {
  const Scale linear({0, 1}, false, 0, 1), logarithmic({0.1, 1}, true, 0, 1);
  EXPECT_TRUE(linear.shows(-5));
  EXPECT_FALSE(linear.shows(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(linear.shows(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(logarithmic.shows(0));
  EXPECT_FALSE(logarithmic.shows(-1));
}

TEST(LinearTicks, AreRoundNumbersInsideTheExtent) {
  EXPECT_THAT(labels(linear_ticks({0, 1}, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(labels(linear_ticks({-37, 12}, 5)), ElementsAre("-30", "-20", "-10", "0", "10"));
  EXPECT_THAT(labels(linear_ticks({0.013, 0.027}, 3)), ElementsAre("0.015", "0.020", "0.025"));
}

TEST(LinearTicks, AreAtLeastTwo) {
  for (const double least : {0.0, 0.9, 3.14, -250.5, 1e7}) {
    for (const double span : {0.001, 0.37, 1.0, 4242.0}) {
      EXPECT_GE(linear_ticks({least, least + span}, 2).size(), 2u) << least << " + " << span;
    }
  }
}

TEST(LinearTicks, AreMultiplesOfTheStepAndNotSums) {
  const std::vector<Tick> ticks = linear_ticks({0, 1}, 10);
  ASSERT_EQ(ticks.size(), 11u);
  for (std::size_t k = 0; k < ticks.size(); ++k) EXPECT_EQ(ticks[k].value, static_cast<double>(k) * 0.1);
}

TEST(LogarithmicTicks, AreDecadesInPlainNumbersNearOne) {
  EXPECT_THAT(labels(logarithmic_ticks({0.01, 100}, 6)), ElementsAre("0.01", "0.1", "1", "10", "100"));
}

TEST(LogarithmicTicks, ArePowersOverManyDecadesAndThenFewer) {
  EXPECT_THAT(labels(logarithmic_ticks({1e-8, 10}, 5)), ElementsAre("10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"));
}

TEST(LogarithmicTicks, DivideADecadeWhenThereIsOnlyOne) {
  EXPECT_THAT(labels(logarithmic_ticks({0.9, 6}, 5)), ElementsAre("1", "2", "5"));
  EXPECT_GE(logarithmic_ticks({1.05, 1.15}, 5).size(), 2u);
}

}  // namespace
}  // namespace tamis
