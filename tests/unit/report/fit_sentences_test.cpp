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
  EXPECT_EQ(headline_of(fit), "No feature was found that explains y");
  fit.inclusion = {1, 1, 1, 1, 1};
  fit.target = "";
  EXPECT_EQ(headline_of(fit), "All 5 features are used to explain the response");
}

TEST(FitSentences, SayInWhichDirectionFeaturesWork) {
  EXPECT_THAT(said(sentences_of(example_fit()), Tone::finding), ElementsAre("y rises with a, and falls with b."));
}

TEST(FitSentences, SpeakOfTheProbabilityOfAClass) {
  Fit fit = example_fit();
  fit.family = "bernoulli";
  fit.levels = {"healthy", "ill"};
  EXPECT_THAT(said(sentences_of(fit), Tone::finding),
              ElementsAre("The probability that y is ill rises with a, and falls with b."));
}

TEST(FitSentences, SayHowManyMayBeFalseAndWhichAreInDoubt) {
  EXPECT_THAT(
      certainties(example_fit()),
      ElementsAre("Their inclusion probabilities are 0.900 or more, and 0.1 false ones are expected among them.",
                  "In doubt, with probabilities from 0.1 to 0.5: c.",
                  "At the chosen penalty (0.1) the held-out mean squared error is 2 ± 0.5, without any feature "
                  "9."));
}

TEST(FitSentences, NameTheBestCandidateWhereNothingWasFound) {
  Fit fit = example_fit();
  fit.inclusion = {0.4, 0, 0, 0, 0};
  EXPECT_THAT(certainties(fit), Contains("The most probable feature is a, with an inclusion probability of 0.400."));
}

TEST(FitSentences, InventNoProbabilities) {
  Fit fit = example_fit();
  fit.inclusion.clear();
  EXPECT_THAT(certainties(fit), Contains(HasSubstr("sieve gives no inclusion probabilities")));
  EXPECT_THAT(certainties(fit), Contains("The 95 % interval of 2 of the 3 coefficients leaves out zero."));
}

TEST(FitSentences, HaveNoCautionWithoutReason) { EXPECT_THAT(cautions(example_fit()), IsEmpty()); }

TEST(FitSentences, WarnOfAFitThatDidNotConverge) {
  Fit fit = example_fit();
  fit.status = Status::iteration_limit;
  fit.message = "stopped after 7";
  EXPECT_THAT(cautions(fit),
              ElementsAre("Not converged (iteration limit): stopped after 7. The numbers are the last good "
                          "state, not the solution."));
}

TEST(FitSentences, WarnOfManyFeaturesForFewRows) {
  Fit fit = example_fit();
  fit.samples = 2;
  fit.inclusion = {1, 0, 0, 0, 0};
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("There are 5 features for 2 rows")));
}

TEST(FitSentences, WarnOfCollapse) {
  Fit fit = example_fit();
  fit.samples = 2;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("Collapsed: with 2 features for 2 rows")));
  fit = example_fit();
  fit.noise_variance = 0;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("Collapsed: the noise variance is zero")));
}

TEST(FitSentences, WarnOfChainsThatDoNotAgree) {
  Fit fit = example_fit();
  fit.hyper["largest_rhat"] = 1.2;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("R-hat of 1.2")));
  fit.hyper["largest_rhat"] = 1.01;
  EXPECT_THAT(cautions(fit), IsEmpty());
}

TEST(FitSentences, WarnOfAChoiceAtTheEndOfThePath) {
  Fit fit = example_fit();
  fit.hyper["penalty"] = 0.01;
  EXPECT_THAT(cautions(fit), ElementsAre(HasSubstr("The chosen penalty is the last one that was tried")));
}

TEST(DataSentences, WarnOfCorrelationsAmongTheSelectedAndOfStandIns) {
  DataCheck check;
  check.correlations = {{0, 1, true, 0.95}, {0, 3, false, -0.85}};
  const std::vector<std::string> words = said(data_sentences(example_fit(), check, "new.csv"), Tone::caution);
  EXPECT_THAT(words,
              ElementsAre("Correlated among the selected: a and b (0.95). Their coefficients are hard to tell "
                          "apart.",
                          "1 feature left out is correlated with a selected one by 0.8 or more, most of all d with "
                          "a (-0.85): it may stand in for what it resembles."));
}

TEST(DataSentences, WarnOfDataThatMayBeTheTrainingData) {
  DataCheck check;
  check.residuals.assign(40, 0.0);
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution),
              ElementsAre(HasSubstr("as many rows as the model was fitted to")));
  check.residuals.assign(41, 0.0);
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution), IsEmpty());
}

TEST(DataSentences, WarnOfIntervalsThatAreTooNarrow) {
  DataCheck check;
  check.residuals.assign(30, 0.0);
  check.covered = 0.7;
  EXPECT_THAT(said(data_sentences(example_fit(), check, "new.csv"), Tone::caution),
              ElementsAre(HasSubstr("too sure of its predictions")));
}

}  // namespace
}  // namespace tamis
