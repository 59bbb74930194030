// A method whose arithmetic gives out still returns a model that can be saved and read, and does not call it converged.
#include "problem/finite_check.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/numerical_failure.hpp"

namespace tamis {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Returns what it was given, or throws.
class Scripted final : public Method {
 public:
  explicit Scripted(Fit result, bool throws = false) : result_(std::move(result)), throws_(throws) {}
  std::string_view name() const override { return "scripted"; }
  std::string_view summary() const override { return ""; }
  std::vector<Field> fields() const override { return {}; }
  bool has_inclusion() const override { return true; }

 private:
  Fit local_fit(const Problem&, const Options&, const Control&) const override {
    if (throws_) throw NumericalFailure("eigenvalues did not converge");
    return result_;
  }
  Fit result_;
  bool throws_;
};

Fit good() {
  Fit fit;
  fit.intercept = 1;
  fit.coefficients = {2, 0};
  fit.inclusion = {1, 0.2};
  fit.standard_deviations = {0.5, 0.1};
  fit.noise_variance = 3;
  fit.hyper["covariance"] = std::vector<double>{0.25, 0, 0.01};
  fit.message = "done";
  return fit;
}

Fit outcome(const Method& method) {
  static const std::vector<double> values = {1, 2, 4, 3, 5, 1}, y = {3, 5, 9};  // as good() predicts
  const DenseDesign X(ConstMatrixView(values.data(), 3, 2));
  return method.fit({.X = X, .y = y, .likelihood = family("gaussian")});
}

void expect_to_be_read_back(const Fit& fit) { EXPECT_EQ(from_json(to_json(fit)).coefficients, fit.coefficients); }

TEST(SoundFit, LeavesFiniteNumbersAlone) {
  const Fit fit = outcome(Scripted(good()));
  EXPECT_EQ(fit.status, Status::converged);
  EXPECT_EQ(fit.message, "done");
  EXPECT_EQ(fit.standard_deviations, good().standard_deviations);
}

TEST(SoundFit, SetsCoefficientsThatAreNotFiniteToZero) {
  for (const auto& spoil : std::vector<void (*)(Fit&)>{[](Fit& f) { f.coefficients[1] = std::nan(""); },
                                                       [](Fit& f) { f.intercept = -infinity; },
                                                       [](Fit& f) { f.inclusion[0] = std::nan(""); }}) {
    Fit broken = good();
    spoil(broken);
    const Fit fit = outcome(Scripted(broken));
    EXPECT_EQ(fit.status, Status::numerical_failure);
    EXPECT_THAT(fit.message, HasSubstr("were set to 0"));
    EXPECT_EQ(fit.intercept, 0);
    EXPECT_THAT(fit.coefficients, Each(0.0));
    EXPECT_THAT(fit.inclusion, Each(0.0));
    EXPECT_THAT(fit.standard_deviations, IsEmpty());
    expect_to_be_read_back(fit);
  }
}

TEST(SoundFit, LeavesOutVariancesThatAreNotFinite) {
  for (const auto& spoil : std::vector<void (*)(Fit&)>{[](Fit& f) { f.standard_deviations[0] = infinity; },
                                                       [](Fit& f) { f.noise_variance = std::nan(""); },
                                                       [](Fit& f) {
                                                         f.hyper["covariance"] = std::vector<double>{infinity, 0, 1};
                                                       }}) {
    Fit broken = good();
    spoil(broken);
    const Fit fit = outcome(Scripted(broken));
    EXPECT_EQ(fit.status, Status::numerical_failure);
    EXPECT_EQ(fit.coefficients, good().coefficients);
    EXPECT_TRUE(!fit.noise_variance || std::isfinite(*fit.noise_variance));
    EXPECT_FALSE(fit.hyper.contains("covariance") && std::isinf(std::get<1>(fit.hyper.at("covariance"))[0]));
    expect_to_be_read_back(fit);
  }
}

TEST(SoundFit, AnObjectiveThatIsNotFiniteIsAFailure) {
  Fit broken = good();
  broken.objective = infinity;
  EXPECT_EQ(outcome(Scripted(broken)).status, Status::numerical_failure);
}

TEST(SoundFit, ArithmeticThatGivesOutIsAResultNotAnException) {
  const Fit fit = outcome(Scripted({}, /*throws=*/true));
  EXPECT_EQ(fit.status, Status::numerical_failure);
  EXPECT_THAT(fit.message, HasSubstr("eigenvalues did not converge"));
  EXPECT_THAT(fit.coefficients, testing::ElementsAre(0, 0));
  EXPECT_THAT(fit.inclusion, testing::ElementsAre(0, 0));
  expect_to_be_read_back(fit);
}

}  // namespace
}  // namespace tamis
