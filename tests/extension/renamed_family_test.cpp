// Nobody knows a family by its name: the families of tamis, registered once more under other names, give the same bits
// and the same texts, but for the name.
#include <gmock/gmock.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/method_cases.hpp"
#include "tamis/compare/compare.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/report/comparison_text.hpp"
#include "tamis/report/page.hpp"
#include "tamis/report/report.hpp"
#include "tamis/report/text.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {

// As src/family/registry.cpp declares them: the list itself may not be used before all are added.
const Family& gaussian();
const Family& bernoulli();
const Family& poisson();

namespace {

constexpr std::string_view prefix = "other-";

std::string renamed(std::string_view name) { return std::string(prefix) + std::string(name); }

class Renamed final : public Family {
 public:
  explicit Renamed(const Family& inner) : name_(renamed(inner.name())), inner_(inner) {}
  explicit Renamed(std::unique_ptr<const Family> inner) : Renamed(*inner) { owned_ = std::move(inner); }

  const Traits& traits() const override { return traits_; }
  Words words() const override { return inner_.words(); }
  void check(std::span<const double> y, std::span<const double> weights) const override { inner_.check(y, weights); }
  std::string_view complaint(double value) const override { return inner_.complaint(value); }
  double quadratic(std::span<const double> y, std::span<const double> eta_mean, std::span<const double> eta_variance,
                   std::span<double> weights, std::span<double> working) const override {
    return inner_.quadratic(y, eta_mean, eta_variance, weights, working);
  }
  double log_density(double y, double eta) const override { return inner_.log_density(y, eta); }
  double loss(double y, double eta) const override { return inner_.loss(y, eta); }
  void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                   std::span<double> curvature) const override {
    inner_.derivatives(y, eta, residual, curvature);
  }
  double conjugate(double y, double residual) const override { return inner_.conjugate(y, residual); }
  double mean(double eta) const override { return inner_.mean(eta); }
  double link(double mean) const override { return inner_.link(mean); }
  double predicted_mean(double eta) const override { return inner_.predicted_mean(eta); }
  double deviance(double y, double eta) const override { return inner_.deviance(y, eta); }
  Interval interval(double mean, double variance, double level) const override {
    return inner_.interval(mean, variance, level);
  }
  double draw(double eta, double noise_variance, RandomStream& random) const override {
    return inner_.draw(eta, noise_variance, random);
  }
  const Augmentation* augmentation() const override { return inner_.augmentation(); }
  const TiltedMoments* tilted() const override { return inner_.tilted(); }

  std::unique_ptr<const Family> limited(std::optional<double> limit, double largest_cell) const override {
    std::unique_ptr<const Family> made = inner_.limited(limit, largest_cell);
    return made ? std::make_unique<Renamed>(std::move(made)) : nullptr;
  }
  std::optional<double> predictor_limit() const override { return inner_.predictor_limit(); }
  void quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                        std::span<double> residual, std::span<double> weight) const override {
    inner_.quadratic_losses(x, psi, loss, residual, weight);
  }
  void expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision, std::span<double> residual,
                          std::span<double> weight) const override {
    inner_.expected_quadratic(x, psi, noise_precision, residual, weight);
  }
  void expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                            std::span<double> out) const override {
    inner_.expected_log_density(x, psi, noise_precision, out);
  }
  bool log_base(std::span<const double> x, std::span<double> out) const override { return inner_.log_base(x, out); }
  double cell_log_density(double x, double psi, double noise_variance) const override {
    return inner_.cell_log_density(x, psi, noise_variance);
  }
  double predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const override {
    return inner_.predictive_log_density(x, psi, noise_variance);
  }
  Forecast forecast(const NormalBelief& psi, double noise_variance) const override {
    return inner_.forecast(psi, noise_variance);
  }
  std::unique_ptr<const LoadingPrior> loading_prior() const override { return inner_.loading_prior(); }
  double start_predictor(double mean) const override { return inner_.start_predictor(mean); }
  double typical_curvature(double sum, double count) const override { return inner_.typical_curvature(sum, count); }
  double total_log_density(std::span<const double> y, std::span<const double> eta,
                           std::span<const double> weights) const override {
    return inner_.total_log_density(y, eta, weights);
  }

 protected:
  void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const override {
    inner_.losses(y, eta, out);
  }

 private:
  static Traits with_name(Traits traits, std::string_view name) {
    traits.name = name;
    return traits;
  }

  std::string name_;
  const Family& inner_;
  Traits traits_ = with_name(inner_.traits(), name_);
  std::unique_ptr<const Family> owned_;
};

[[maybe_unused]] const bool added = [] {
  static std::deque<Renamed> all;
  for (const Family* each : {&gaussian(), &bernoulli(), &poisson()}) add_family(all.emplace_back(*each));
  return true;
}();

const Family& renamed(const Family& own) { return family(renamed(own.name())); }

// What is tried with families that are there under another name too.
template <class Case>
std::vector<Case> of_tamis(std::vector<Case> cases, const std::function<const Family*(const Case&)>& family_of) {
  const auto is_renamed = [&](const Case& each) {
    return std::ranges::any_of(
        families(), [name = renamed(family_of(each)->name())](const Family* other) { return other->name() == name; });
  };
  std::erase_if(cases, std::not_fn(is_renamed));
  return cases;
}

// A text without the prefix of the names.
std::string plain(std::string text) {
  for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at)) text.erase(at, prefix.size());
  return text;
}

template <class Result>
std::string file_of(Result fit) {
  fit.seconds = 0;
  return plain(to_json(fit));
}

class RenamedMethods : public testing::TestWithParam<contract::MethodCase> {};

TEST_P(RenamedMethods, GiveTheSameModelPredictionsAndReport) {
  const contract::MethodCase& tried = GetParam();
  const contract::Example example = contract::make_example(*tried.family, 40, contract::columns_for(*tried.method, 6));
  contract::Example other = example;
  other.family = &renamed(*tried.family);
  ASSERT_EQ(tried.method->lacks(*other.family), "");
  const auto X = std::make_shared<DenseDesign>(example.X);
  const auto fit = [&](const contract::Example& of) {
    return tried.method->fit(
        of.problem(*X),
        tried.method->is_sampler() ? contract::wide_options(*tried.method) : std::map<std::string, OptionValue>{},
        {.seed = 3, .threads = 1, .folds = 3});
  };
  const Fit own_fit = fit(example), other_fit = fit(other);
  EXPECT_EQ(other_fit.family, renamed(own_fit.family));
  EXPECT_EQ(file_of(other_fit), file_of(own_fit));

  const Prediction own_rows = predict(own_fit, *X), other_rows = predict(other_fit, *X);
  EXPECT_EQ(other_rows.mean, own_rows.mean);
  EXPECT_EQ(other_rows.lower, own_rows.lower);
  EXPECT_EQ(other_rows.upper, own_rows.upper);
  const auto text = [](Fit of) {
    of.seconds = 0;
    return plain(text_report(of));
  };
  EXPECT_EQ(text(other_fit), text(own_fit));
  const auto page = [&](Fit of) {
    of.seconds = 0;
    Page made;
    made.sheets.push_back(report_sheet(ReportedFit{"m.json", of, ReportData{"d.csv", X, example.y, {}}}));
    return plain(to_html(made));
  };
  EXPECT_EQ(page(other_fit), page(own_fit));
}

class RenamedFamilies : public testing::TestWithParam<const Family*> {};

TEST_P(RenamedFamilies, AreComparedInTheSameWords) {
  const contract::Example example = contract::make_example(*GetParam(), 60, 5);
  const DenseDesign X(example.X);
  const auto text = [&](const Family& of) {
    Comparison made =
        compare({.X = X, .y = example.y, .likelihood = of}, {{"lasso"}, {"ridge"}}, 3, {.seed = 2, .threads = 1});
    for (ComparedMethod& each : made.methods) {
      each.seconds = 0;
      for (auto& fold : each.folds) fold.seconds = 0;
    }
    return plain(text_report(made));
  };
  EXPECT_EQ(text(renamed(*GetParam())), text(*GetParam()));
}

TEST_P(RenamedFamilies, GiveTheSameFactorModels) {
  const std::string name(GetParam()->name());
  const Matrix data = two_factor_table(name, 20, 6, 5);
  for (const FactorPrior* prior : factor_priors()) {
    ASSERT_EQ(prior->lacks(*GetParam()), prior->lacks(renamed(*GetParam())));
    if (!prior->lacks(*GetParam()).empty()) continue;
    const auto fit = [&](const std::string& of) {
      FactorProblem problem{.dense = data, .family = of, .factors = 2};
      problem.test_cells = draw_test_cells(problem, 0.1, 1);
      return prior->fit(problem, short_run(prior->name()), {.seed = 1, .threads = 1, .predict_cells = true});
    };
    const FactorResult own_result = fit(name), other = fit(renamed(name));
    EXPECT_EQ(other.fit.family, renamed(name));
    EXPECT_EQ(file_of(other.fit), file_of(own_result.fit)) << prior->name();
    ASSERT_EQ(other.cells.size(), own_result.cells.size());
    for (Index k = 0; k < std::ssize(other.cells); ++k) EXPECT_EQ(other.cells[k].upper, own_result.cells[k].upper);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RenamedMethods,
                         testing::ValuesIn(of_tamis<contract::MethodCase>(
                             contract::method_cases(), [](const auto& each) { return each.family; })),
                         [](const auto& info) { return contract::name_of_case(info.param); });
INSTANTIATE_TEST_SUITE_P(All, RenamedFamilies,
                         testing::ValuesIn(of_tamis<const Family*>(families(), [](const auto& each) { return each; })),
                         [](const auto& info) { return std::string(info.param->name()); });

}  // namespace
}  // namespace tamis
