// Mistakes that a sampler of this kind can hide, planted one at a time in what a chain samples from: the comparison
// with the sound chain, which enumeration vouches for, must see each of them.
#include <gmock/gmock.h>

#include <cmath>

#include "contract/method_cases.hpp"
#include "method/bvs/run.hpp"
#include "method/bvs/summary.hpp"

namespace tamis {
namespace {

using contract::Example;
using contract::make_example;

enum class Mistake { none, missing_jacobian, stale_column, forgotten_shrinkage };

// Passes everything on but for the mistake.
class Flawed final : public Target {
 public:
  Flawed(std::unique_ptr<Target> sound, Mistake mistake) : sound_(std::move(sound)), mistake_(mistake) {}

  NormalEquations equations() override {
    NormalEquations data = sound_->equations();
    if (mistake_ == Mistake::stale_column) {  // X'y of one feature from before its column was changed
      correlation_.assign(data.correlation.begin(), data.correlation.end());
      correlation_[1] = correlation_[0];
      data.correlation = correlation_;
    }
    return data;
  }
  OddsTerms terms(const ActiveModel& model, Index counted) const override {
    OddsTerms terms = sound_->terms(model, counted);
    if (mistake_ == Mistake::forgotten_shrinkage) terms.slab *= 0.8;
    return terms;
  }
  MomentTerms moments(const ActiveModel& model) const override { return sound_->moments(model); }
  double scale() const override { return sound_->scale(); }
  void set_scale(double g) override { sound_->set_scale(g); }
  double log_scale_density(const ActiveModel& model) const override {
    const double jacobian = mistake_ == Mistake::missing_jacobian ? std::log(sound_->scale()) : 0.0;
    return sound_->log_scale_density(model) - jacobian;
  }
  double log_scale_prior() const override { return sound_->log_scale_prior(); }
  double scale_quantile(double probability) const override { return sound_->scale_quantile(probability); }
  double log_likelihood(const ActiveModel& model) const override { return sound_->log_likelihood(model); }
  DrawnModel draw(const ActiveModel& model, RandomStream& random) const override { return sound_->draw(model, random); }
  void exchange(Archive& archive) override { sound_->exchange(archive); }

 private:
  std::unique_ptr<Target> sound_;
  Mistake mistake_;
  std::vector<double> correlation_;
};

InclusionSummary sample(Mistake mistake, std::uint64_t seed) {
  const Example example = make_example(family("gaussian"), 30, 7, 1, 0.3);
  const DenseDesign X(example.X);
  const Problem problem = example.problem(X);
  const ScaledProblem scaled(problem);
  const BvsPrior prior{SizePrior::log_uniform(1, 3, 7, most_in_model(scaled)), {}, false, 0};
  const GaussianData data(scaled, prior, {});
  const BvsPlan plan{.chains = 16, .most_steps = 8000, .precision = 1e-9, .seed = seed};
  std::vector<std::unique_ptr<Target>> targets;
  for (Index c = 0; c < plan.chains; ++c) {
    targets.push_back(std::make_unique<Flawed>(gaussian_target(data), mistake));
  }
  Checkpoint none({}, 0, 0);
  BvsRun run(std::move(targets), prior, scaled.features(), plan, none);
  run.run();
  return summarize_inclusion(run.chains());
}

// Largest difference in standard errors.
double distance(const InclusionSummary& a, const InclusionSummary& b) {
  double largest = 0;
  for (Index j = 0; j < std::ssize(a.inclusion); ++j) {
    const double error = std::hypot(a.error[j], b.error[j], 1e-4);
    largest = std::max(largest, std::abs(a.inclusion[j] - b.inclusion[j]) / error);
  }
  return largest;
}

TEST(BvsMistakes, AreSeenWhenPlanted) {
  const InclusionSummary sound = sample(Mistake::none, 1);
  EXPECT_LT(distance(sound, sample(Mistake::none, 2)), 4);
  for (const Mistake mistake : {Mistake::missing_jacobian, Mistake::stale_column, Mistake::forgotten_shrinkage}) {
    EXPECT_GT(distance(sound, sample(mistake, 2)), 6) << static_cast<int>(mistake);
  }
}

}  // namespace
}  // namespace tamis
