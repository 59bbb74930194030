#include "tamis/report/text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Fit small_fit() {
  Fit fit;
  fit.method = "sieve";
  fit.family = "gaussian";
  fit.target = "yield";
  fit.samples = 40;
  fit.features = {"rain", "soil", "wind"};
  fit.intercept = 1.5;
  fit.coefficients = {0.25, 0.0, -2.0};
  fit.noise_variance = 4;
  fit.status = Status::converged;
  fit.message = "duality gap 1e-9 after 7 sweeps";
  return fit;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(TextReport, SaysWhatWasFittedToWhat) {
  EXPECT_THAT(text_report(small_fit()), AllOf(HasSubstr("sieve (gaussian), 40 rows x 3 features, target yield"),
                                              HasSubstr("2 features selected, intercept 1.5, noise sd 2"),
                                              HasSubstr("converged: duality gap 1e-9 after 7 sweeps")));
}

TEST(TextReport, ListsTheStrongestFirstAndLeavesOutZeros) {
  const std::string text = text_report(small_fit());
  EXPECT_LT(text.find("wind"), text.find("rain"));
  EXPECT_THAT(text, Not(HasSubstr("soil")));
}

TEST(TextReport, ShowsOnlyColumnsThatTheMethodDefines) {
  Fit fit = small_fit();
  EXPECT_THAT(text_report(fit), AllOf(Not(HasSubstr("inclusion")), Not(HasSubstr("97.5%"))));
  fit.inclusion = {0.75, 0.1, 1.0};
  fit.standard_deviations = {0.1, 0.2, 0.5};
  EXPECT_THAT(text_report(fit), AllOf(HasSubstr("inclusion"), HasSubstr("0.750"), HasSubstr("97.5%"),
                                      HasSubstr("-2.98"), HasSubstr("-1.02")));
}

TEST(TextReport, CountsWhatItLeavesOut) {
  Fit fit = small_fit();
  fit.features.clear();
  fit.coefficients.clear();
  for (int j = 0; j < 42; ++j) {
    fit.features.push_back(fmt::format("f{}", j));
    fit.coefficients.push_back(100 - j);
  }
  EXPECT_THAT(text_report(fit), AllOf(HasSubstr("\nand 12 more\n"), HasSubstr("f29"), Not(HasSubstr("f30"))));
}

TEST(TextReport, SaysWhenNothingWasSelected) {
  Fit fit = small_fit();
  fit.coefficients = {0, 0, 0};
  EXPECT_THAT(text_report(fit), HasSubstr("No features selected."));
  fit.inclusion = {0.1, 0.3, 0.2};
  fit.coefficients = {0.1, 0.1, 0.1};
  EXPECT_THAT(text_report(fit), HasSubstr("soil has the highest inclusion probability (0.300)"));
}

TEST(TextReport, SaysWhenItDidNotConverge) {
  Fit fit = small_fit();
  fit.status = Status::cancelled;
  EXPECT_THAT(text_report(fit), HasSubstr("not converged (cancelled)"));
}

TEST(TextReport, ShowsNoNumbersOfAFitThatFailed) {
  Fit fit = small_fit();
  ASSERT_THAT(text_report(fit), HasSubstr("rain"));
  fit.status = Status::numerical_failure;
  fit.message = "the sites diverged";
  EXPECT_THAT(text_report(fit), AllOf(HasSubstr("not converged (numerical_failure): the sites diverged"),
                                      Not(HasSubstr("rain")), Not(HasSubstr("selected"))));
}

TEST(TextReport, BreaksALongMessageIntoLines) {
  Fit fit = small_fit();
  fit.message =
      "the duality gap is 1e-3 after 1000 sweeps, more than the tolerance 1e-7 allows, for two columns are nearly "
      "equal";
  const std::vector<std::string> lines = lines_of(text_report(fit));
  for (const std::string& line : lines) EXPECT_LE(display_width(line), 100) << line;
  EXPECT_THAT(lines[lines.size() - 2], HasSubstr("converged: the duality gap"));
  EXPECT_THAT(lines.back(), HasSubstr("nearly equal (0 s)"));
}

TEST(TextReport, NamesTheClassesOfATextResponse) {
  Fit fit = small_fit();
  fit.levels = {"healthy", "ill"};
  EXPECT_THAT(text_report(fit), HasSubstr("target yield (healthy = 0, ill = 1)"));
}

TEST(TextReport, StaysAlignedAndSafeWithHostileNames) {
  Fit fit = small_fit();
  fit.features = {"two\nlines\x1b[31m", "soil", std::string(300, 'w')};
  fit.target = std::string(500, 't');
  fit.inclusion = {1, 0, 1};
  fit.standard_deviations = {123456.789, 0, 1e-5};
  const std::string text = text_report(fit);
  EXPECT_THAT(text, AllOf(HasSubstr("two\\nlines\\x1b[31m"), Not(HasSubstr("\x1b"))));
  for (const std::string& line : lines_of(text)) EXPECT_LE(display_width(line), 100) << line;
}

TEST(TextReport, AlignsColumnsUnderWideCharacters) {
  Fit fit = small_fit();
  fit.features = {"\xE5\xB9\xB4\xE9\xBD\xA2", "soil", "age"};
  const std::vector<std::string> lines = lines_of(text_report(fit));
  // Lines 3 to 5: title and two rows; their right edges meet.
  EXPECT_EQ(display_width(lines[3]), display_width(lines[4]));
  EXPECT_EQ(display_width(lines[3]), display_width(lines[5]));
}

}  // namespace
}  // namespace tamis
