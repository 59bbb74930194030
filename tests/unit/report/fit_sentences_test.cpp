#include "report/fit_sentences.hpp"

#include <gmock/gmock.h>

#include "unit/report/example_models.hpp"

namespace tamis {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> said(const std::vector<Sentence>& sentences, Tone tone) {
  std::vector<std::string> words;
  for (const Sentence& sentence : sentences) {
    if (sentence.tone == tone) words.push_back(sentence.words);
  }
  return words;
}
std::vector<std::string> cautions(const Fit& fit) { return said(sentences_of(fit), Tone::caution); }
std::vector<std::string> certainties(const Fit& fit) { return said(sentences_of(fit), Tone::certainty); }

TEST(Headline, CountsWhatWasSelected) {
  Fit fit = example_fit();
  EXPECT_EQ(headline_of(fit), "2 of 5 features explain y");
  fit.inclusion = {1, 0, 0, 0, 0};
  EXPECT_EQ(headline_of(fit), "1 of 5 features explains y");
  fit.inclusion = {0, 0, 0, 0, 0};
  EXPECT_EQ(headline_of(fit), "No features selected for y");
  fit.inclusion = {1, 1, 1, 1, 1};
  fit.target = "";
  EXPECT_EQ(headline_of(fit), "All 5 features are used to explain the response");
}

TEST(FitSentences, SayInWhichDirectionFeaturesWork) {
  EXPECT_THAT(said(sentences_of(example_fit()), Tone::finding),
              ElementsAre("y increases with a, and decreases with b."));
}

TEST(FitSentences, SpeakOfTheProbabilityOfAClass) {
  Fit fit = example_fit();
  fit.family = "bernoulli";
  fit.levels = {"healthy", "ill"};
  EXPECT_THAT(said(sentences_of(fit), Tone::finding),
              ElementsAre("The probability that y is ill increases with a, and decreases with b."));
}

TEST(FitSentences, SayHowManyMayBeFalseAndWhichAreInDoubt) {
  EXPECT_THAT(certainties(example_fit()),
              ElementsAre("Their inclusion probabilities are 0.900 or above; expected number of false selections: 0.1.",
                          "Uncertain features, with inclusion probability between 0.1 and 0.5: c.",
                          "At the chosen penalty (0.1), the held-out mean squared error is 2 (standard error 0.5); "
                          "without features it is 9."));
}

TEST(FitSentences, NameTheBestCandidateWhereNothingWasFound) {
  Fit fit = example_fit();
  fit.inclusion = {0.4, 0, 0, 0, 0};
  EXPECT_THAT(certainties(fit), Contains("a has the highest inclusion probability, 0.400."));
}

TEST(FitSentences, InventNoProbabilities) {
  Fit fit = example_fit();
  fit.inclusion.clear();
  EXPECT_THAT(certainties(fit), Contains(HasSubstr("Method sieve estimates no inclusion probabilities")));
  EXPECT_THAT(certainties(fit), Contains("The 95% interval excludes zero for 2 of the 3 selected coefficients."));
}

TEST(FitSentences, HaveNoCautionWithoutReason) { EXPECT_THAT(cautions(example_fit()), IsEmpty()); }

TEST(FitSentences, WarnOfAFitThatDidNotConverge) {
  Fit fit = example_fit();
  fit.status = Status::iteration_limit;
  fit.message = "stopped after 7";
  EXPECT_THAT(
      cautions(fit),
      ElementsAre("Not converged (iteration limit): stopped after 7. These results are not from a converged fit."));
}

TEST(FitSentences, WarnOfManyFeaturesForFewRows) {
  Fit fit = example_fit();
  fit.samples = 2;
  fit.inclusion = {1, 0, 0, 0, 0};
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("With 5 features and 2 rows, other sets")));
}

TEST(FitSentences, WarnOfCollapse) {
  Fit fit = example_fit();
  fit.samples = 2;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("With 2 features selected and 2 rows the model can interpolate")));
  fit = example_fit();
  fit.noise_variance = 0;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("The noise variance is zero: the model interpolates")));
}

TEST(FitSentences, WarnOfChainsThatDoNotAgree) {
  Fit fit = example_fit();
  fit.hyper["largest_rhat"] = 1.2;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("The largest R-hat is 1.2")));
  fit.hyper["largest_rhat"] = 1.01;
  EXPECT_THAT(cautions(fit), IsEmpty());
}

TEST(FitSentences, WarnOfAChoiceAtTheEndOfThePath) {
  Fit fit = example_fit();
  fit.hyper["penalty"] = 0.01;
  EXPECT_THAT(cautions(fit),
              ElementsAre(HasSubstr("The chosen penalty is at the end of the grid; consider extending the path.")));
}

TEST(DataSentences, WarnOfCorrelationsAmongTheSelectedAndOfStandIns) {
  DataCheck check;
  check.correlations = {{0, 1, true, 0.95}, {0, 3, false, -0.85}};
  const std::vector<std::string> words = said(data_sentences(example_fit(), check, "new.csv"), Tone::caution);
  EXPECT_THAT(
      words,
      ElementsAre("Correlated selected features: a and b (0.95). Their separate effects are hard to distinguish.",
                  "1 unselected feature is correlated with a selected feature (absolute correlation 0.8 or above), "
                  "most strongly d with a (-0.85), and may substitute for it."));
}

TEST(DataSentences, WarnOfDataThatMayBeTheTrainingData) {
  DataCheck check;
  check.residuals.assign(40, 0.0);
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution),
              ElementsAre(HasSubstr("as many rows as the training data")));
  check.residuals.assign(41, 0.0);
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution), IsEmpty());
}

TEST(DataSentences, WarnOfIntervalsThatAreTooNarrow) {
  DataCheck check;
  check.residuals.assign(30, 0.0);
  check.covered = 0.7;
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution),
              ElementsAre(HasSubstr("predictions are overconfident")));
}

}  // namespace
}  // namespace tamis
