#include "tamis/method/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

const std::vector<Field> some_fields{
    Field::real("penalty", "fixed penalty", {}, 0, 1e300, /*open_minimum=*/true),
    Field::integer("steps", "steps of the grid", 50.0, 1, 1000),
    Field::boolean("anneal", "whether to anneal", false),
    Field::choice("rule", "which point", {"min", "one-se"}, "min"),
};

std::string refusal(const std::map<std::string, OptionValue>& given) {
  try {
    const Options options("toy", some_fields, given);
  } catch (const InvalidOption& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Options, FillsInDefaults) {
  const Options options("toy", some_fields, {});
  EXPECT_FALSE(options.has("penalty"));
  EXPECT_EQ(options.maybe_real("penalty"), std::nullopt);
  EXPECT_EQ(options.integer("steps"), 50);
  EXPECT_FALSE(options.boolean("anneal"));
  EXPECT_EQ(options.text("rule"), "min");
}

TEST(Options, TakesWhatIsGiven) {
  const Options options("toy", some_fields, {{"penalty", 0.25}, {"rule", std::string("one-se")}});
  EXPECT_DOUBLE_EQ(options.real("penalty"), 0.25);
  EXPECT_EQ(options.text("rule"), "one-se");
}

TEST(Options, RefusesAnUnknownNameAndSuggestsTheNearest) {
  EXPECT_THAT(refusal({{"penalti", 1.0}}), HasSubstr("toy has no option 'penalti' (did you mean 'penalty'?)"));
}

TEST(Options, RefusesValuesOutOfRangeWithTheRange) {
  EXPECT_THAT(refusal({{"penalty", 0.0}}), HasSubstr("expected a number > 0"));
  EXPECT_THAT(refusal({{"steps", 0.0}}), HasSubstr("expected an integer from 1 to 1000"));
  EXPECT_THAT(refusal({{"steps", 2.5}}), HasSubstr("received 2.5"));
  EXPECT_THAT(refusal({{"rule", std::string("best")}}), HasSubstr("min | one-se"));
  EXPECT_THAT(refusal({{"anneal", 1.0}}), HasSubstr("true | false"));
}

TEST(ParseOption, ReadsEveryType) {
  EXPECT_EQ(parse_option(some_fields[0], "1e-3"), OptionValue(0.001));
  EXPECT_EQ(parse_option(some_fields[1], "7"), OptionValue(7.0));
  EXPECT_EQ(parse_option(some_fields[2], "true"), OptionValue(true));
  EXPECT_EQ(parse_option(some_fields[3], "one-se"), OptionValue(std::string("one-se")));
}

TEST(ParseOption, RefusesWhatDoesNotRead) {
  EXPECT_THROW(parse_option(some_fields[0], "1,5"), InvalidOption);
  EXPECT_THROW(parse_option(some_fields[0], "nan"), InvalidOption);
  EXPECT_THROW(parse_option(some_fields[1], ""), InvalidOption);
  EXPECT_THROW(parse_option(some_fields[2], "maybe"), InvalidOption);
}

}  // namespace
}  // namespace tamis
