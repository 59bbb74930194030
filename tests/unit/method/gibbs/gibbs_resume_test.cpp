// A run that is killed again and again and started again each time draws what it would have drawn in one go.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

// Dies at the k-th report, as if the machine had been switched off: nothing is tidied up.
class Killer final : public Observer {
 public:
  explicit Killer(int reports) : left_(reports) {}
  void progress(double, std::string_view) override {
    if (--left_ == 0) throw std::runtime_error("killed");
  }

 private:
  int left_;
};

struct Kind {
  const char* name;
  const char* family;
  Index rows, cols;
  double spike_variance;
};

class GibbsResumes : public testing::TestWithParam<Kind> {
 protected:
  GibbsResumes()
      : example_(make_example(family(GetParam().family), GetParam().rows, GetParam().cols)), design_(example_.X) {
    std::filesystem::remove(path_);
  }
  ~GibbsResumes() override { std::filesystem::remove(path_); }

  Fit fit(Control control, double samples = 600) const {
    const std::map<std::string, OptionValue> options = {
        {"samples", samples}, {"burn_in", 100.0}, {"chains", 3.0}, {"spike_variance", GetParam().spike_variance}};
    return method("gibbs").fit(example_.problem(design_), options, control);
  }

  const std::string path_ = testing::TempDir() + "gibbs_resume_" + GetParam().name + std::to_string(::getpid());
  Example example_;
  DenseDesign design_;
};

void expect_same_draws(const Draws& a, const Draws& b) {
  EXPECT_EQ(a.chains, b.chains);
  EXPECT_EQ(a.samples, b.samples);
  ASSERT_EQ(a.posterior.size(), b.posterior.size());
  for (std::size_t k = 0; k < a.posterior.size(); ++k) {
    EXPECT_TRUE(a.posterior[k].values == b.posterior[k].values) << a.posterior[k].name;
  }
}

TEST_P(GibbsResumes, WithTheSameBits) {
  Draws whole;
  const Fit expected = fit({.threads = 1, .draws = &whole});
  int kills = 0;
  for (int polls_before = 1;; ++polls_before) {
    Killer killer(polls_before);
    Draws draws;
    try {
      // Another number of threads each time does not matter either.
      const Fit found = fit({.threads = 1 + polls_before % 2,
                             .observer = &killer,
                             .checkpoint = path_,
                             .checkpoint_seconds = 0,
                             .draws = &draws});
      EXPECT_EQ(found.coefficients, expected.coefficients);
      EXPECT_EQ(found.inclusion, expected.inclusion);
      EXPECT_EQ(found.hyper, expected.hyper);
      EXPECT_EQ(found.objective, expected.objective);
      EXPECT_EQ(found.message, expected.message);
      expect_same_draws(whole, draws);
      break;
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "killed");
      ++kills;
    }
  }
  EXPECT_GE(kills, 2);
}

TEST_P(GibbsResumes, AFinishedRunGivesItsResultAgain) {
  const Fit first = fit({.checkpoint = path_}), second = fit({.checkpoint = path_});
  EXPECT_EQ(first.coefficients, second.coefficients);
  EXPECT_EQ(first.hyper, second.hyper);
}

TEST_P(GibbsResumes, OtherSamplesSeedOrDataAreAnotherRun) {
  fit({.checkpoint = path_}, 50);
  EXPECT_THROW(fit({.checkpoint = path_}, 51), InvalidInput);
  EXPECT_THROW(fit({.seed = 2, .checkpoint = path_}, 50), InvalidInput);
  example_.X(0, 0) += 1e-9;
  EXPECT_THROW(fit({.checkpoint = path_}, 50), InvalidInput);
}

// X'X, columns of X, and Polya-Gamma variables.
INSTANTIATE_TEST_SUITE_P(Ways, GibbsResumes,
                         testing::Values(Kind{"gram", "gaussian", 40, 8, 0}, Kind{"columns", "gaussian", 6, 20, 0.01},
                                         Kind{"classes", "bernoulli", 40, 6, 0}),
                         [](const auto& info) { return info.param.name; });

TEST(Checkpoints, AreRefusedByMethodsThatDoNotSample) {
  const Example example = make_example(family("gaussian"), 20, 3);
  const DenseDesign design(example.X);
  EXPECT_THROW(method("lasso").fit(example.problem(design), {}, {.checkpoint = "somewhere"}), InvalidOption);
  Draws draws;
  EXPECT_THROW(method("lasso").fit(example.problem(design), {}, {.draws = &draws}), InvalidOption);
}

TEST(Draws, AverageToTheFit) {
  const Example example = make_example(family("gaussian"), 40, 5);
  const DenseDesign design(example.X);
  Draws draws;
  const Fit fit = method("gibbs").fit(example.problem(design), {{"samples", 4000.0}}, {.draws = &draws});
  ASSERT_EQ(draws.posterior[0].name, "coefficients");
  ASSERT_EQ(draws.posterior[0].values.size(), 4u * 4000u * 5u);
  std::vector<double> mean(5, 0.0), in(5, 0.0);
  for (std::size_t k = 0; k < draws.posterior[0].values.size(); ++k) {
    mean[k % 5] += draws.posterior[0].values[k] / 16000;
    in[k % 5] += draws.posterior[1].values[k] / 16000;
  }
  double intercept = 0;
  for (const double b0 : draws.posterior[2].values) intercept += b0 / 16000;
  constexpr double monte_carlo = 0.02;
  EXPECT_THAT(mean, testing::Pointwise(testing::DoubleNear(monte_carlo), fit.coefficients));
  EXPECT_THAT(in, testing::Pointwise(testing::DoubleNear(monte_carlo), fit.inclusion));
  EXPECT_NEAR(intercept, fit.intercept, monte_carlo);
}

}  // namespace
}  // namespace tamis
