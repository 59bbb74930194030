// A bvs run that is killed again and again and started again each time ends with the same bits.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "contract/method_cases.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

// Dies at the k-th report, as if the machine had been switched off.
class Killer final : public Observer {
 public:
  explicit Killer(int reports) : left_(reports) {}
  void progress(double, std::string_view) override {
    if (--left_ == 0) throw std::runtime_error("killed");
  }

 private:
  int left_;
};

class Canceller final : public Observer {
 public:
  bool cancelled() override { return ++polls_ == 3; }

 private:
  int polls_ = 0;
};

struct Kind {
  const char* name;
  const char* family;
  std::map<std::string, OptionValue> options;
};

class BvsResumes : public testing::TestWithParam<Kind> {
 protected:
  BvsResumes() : example_(make_example(family(GetParam().family), 40, 12)), design_(example_.X) {
    std::filesystem::remove(path_);
  }
  ~BvsResumes() override { std::filesystem::remove(path_); }

  Fit fit(Control control, double steps = 900) const {
    std::map<std::string, OptionValue> options = GetParam().options;
    options["max_steps"] = steps;
    options["precision"] = 1e-9;
    options["chains"] = 3.0;
    return method("bvs").fit(example_.problem(design_), options, control);
  }

  const std::string path_ = testing::TempDir() + "bvs_resume_" + GetParam().name + std::to_string(::getpid());
  Example example_;
  DenseDesign design_;
};

void expect_equal(const Fit& a, const Fit& b) {
  EXPECT_EQ(a.coefficients, b.coefficients);
  EXPECT_EQ(a.standard_deviations, b.standard_deviations);
  EXPECT_EQ(a.inclusion, b.inclusion);
  EXPECT_EQ(a.hyper, b.hyper);
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.draws.models.weights, b.draws.models.weights);
  EXPECT_EQ(a.draws.models.features, b.draws.models.features);
  EXPECT_EQ(a.draws.coefficients, b.draws.coefficients);
  EXPECT_EQ(a.draws.intercepts, b.draws.intercepts);
}

TEST_P(BvsResumes, WithTheSameBits) {
  Draws whole;
  const Fit expected = fit({.threads = 1, .draws = &whole});
  int kills = 0;
  for (int patience = 1;; ++patience) {
    Killer killer(patience);
    Draws draws;
    try {
      const Fit found = fit({.threads = 1 + patience % 2,
                             .observer = &killer,
                             .checkpoint = path_,
                             .checkpoint_seconds = 0,
                             .draws = &draws});
      expect_equal(found, expected);
      ASSERT_EQ(draws.posterior.size(), whole.posterior.size());
      for (Index k = 0; k < std::ssize(whole.posterior); ++k) {
        EXPECT_EQ(draws.posterior[k].values, whole.posterior[k].values);
      }
      break;
    } catch (const std::runtime_error& error) {
      ASSERT_STREQ(error.what(), "killed");
      ++kills;
    }
  }
  EXPECT_GE(kills, 2);
}

TEST_P(BvsResumes, AFinishedRunGivesItsResultAgain) {
  expect_equal(fit({.checkpoint = path_}, 300), fit({.checkpoint = path_}, 300));
}

TEST_P(BvsResumes, ACancelledRunGoesOnToTheSameBits) {
  const Fit expected = fit({});
  Canceller canceller;
  const Fit cancelled = fit({.observer = &canceller, .checkpoint = path_});
  EXPECT_EQ(cancelled.status, Status::cancelled);
  expect_equal(fit({.checkpoint = path_}), expected);
}

TEST_P(BvsResumes, AnotherSeedIsAnotherRun) {
  fit({.checkpoint = path_}, 50);
  EXPECT_THROW(fit({.seed = 2, .checkpoint = path_}, 50), InvalidInput);
}

INSTANTIATE_TEST_SUITE_P(Ways, BvsResumes,
                         testing::Values(Kind{"hyper_g", "gaussian", {}},
                                         Kind{"independent", "gaussian", {{"slab", std::string("independent")}}},
                                         Kind{"scores", "gaussian", {{"response", std::string("normal-scores")}}},
                                         Kind{"classes", "bernoulli", {}}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tamis
