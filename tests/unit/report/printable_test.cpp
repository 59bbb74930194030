#include "tamis/report/printable.hpp"

#include <gtest/gtest.h>

namespace tamis {
namespace {

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable("age [years]"), "age [years]");
  EXPECT_EQ(printable("gr\xC3\xB6\xC3\x9F"
                      "e"),
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

TEST(Printable, SpellsOutWhatWouldMoveTheCursorOrPaintTheScreen) {
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\x9b2J")
      << "the one-character form of escape [";
}

TEST(Printable, SpellsOutDirectionAndZeroWidthMarks) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\\u202eb");
  EXPECT_EQ(printable("\xE2\x80\x8B"), "\\u200b");
}

TEST(Printable, SpellsOutBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf") << "overlong form";
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82") << "cut short";
}

TEST(DisplayWidth, CountsWideAndCombiningCharacters) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\xE5\xB9\xB4\xE9\xBD\xA2"), 4) << "two ideographs";
  EXPECT_EQ(display_width("e\xCC\x81"), 1) << "e with a combining accent";
}

TEST(Fitted, PadsAndCutsToTheWidth) {
  EXPECT_EQ(fitted("ab", 4), "ab  ");
  EXPECT_EQ(fitted("abcdef", 5), "ab...");
  EXPECT_EQ(fitted("abcdef", 6), "abcdef");
  EXPECT_EQ(fitted("abcdef", 2), "..");
  EXPECT_EQ(fitted("abcdef", 0), "");
}

TEST(Fitted, NeverCutsACharacterInTwo) {
  // Three ideographs take six columns; two columns remain beside the mark, which one ideograph fills.
  EXPECT_EQ(fitted("\xE5\xB9\xB4\xE9\xBD\xA2\xE5\xB9\xB4", 5), "\xE5\xB9\xB4...");
  EXPECT_EQ(fitted("\xE5\xB9\xB4\xE9\xBD\xA2\xE5\xB9\xB4", 4), "... ");
}

}  // namespace
}  // namespace tamis
