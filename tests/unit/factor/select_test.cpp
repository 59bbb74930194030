// Cells held out, the choice among numbers of factors, and tables at the edge of what can be fitted.
#include <gmock/gmock.h>

#include "factor/model/cells.hpp"
#include "tamis/base/error.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

FactorProblem problem_of(const Matrix& data) {
  FactorProblem problem;
  problem.dense = data;
  return problem;
}

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(DrawTestCells, SparesOneCellOfATinyTable) {
  const Matrix data = table({{1, hole}, {hole, 2}});
  const std::vector<TestCell> cells = draw_test_cells(problem_of(data), 0.05, 1);
  ASSERT_EQ(cells.size(), 1U);
  EXPECT_EQ(cells[0].value, data(cells[0].row, cells[0].column));
}

TEST(DrawTestCells, RefusesToHideTheOnlyCell) {
  const Matrix data = table({{1, hole}, {hole, hole}});
  EXPECT_THROW(draw_test_cells(problem_of(data), 0.05, 1), InvalidInput);
}

TEST(FactorList, IsCheckedBeforeAnyWork) {
  const Matrix data = two_factor_table("gaussian", 10, 4, 1);
  const auto message = [&](const std::vector<Index>& factors) {
    return refusal([&] { fit_best_factors(factor_prior("vb"), problem_of(data), factors, {}, {}); });
  };
  EXPECT_THAT(message({2, 4, 2}), HasSubstr("2 is listed twice"));
  EXPECT_THAT(message({2, 0}), HasSubstr("received 0"));
  EXPECT_THAT(message({}), HasSubstr("empty"));
}

// Stops when the first number of factors has been tried for a while.
class StopsSoon final : public Observer {
 public:
  void progress(double, std::string_view phase) override {
    ++calls_;
    phase_ = phase;
  }
  bool cancelled() override { return calls_ > 20; }
  std::string phase_;

 private:
  int calls_ = 0;
};

TEST(FactorList, KeepsWhatWasDrawnWhenItIsStopped) {
  const Matrix data = two_factor_table("gaussian", 20, 6, 1);
  StopsSoon observer;
  const FactorFit fit = fit_best_factors(factor_prior("spike-slab"), problem_of(data), {1, 2}, {{"burn_in", 5.0}},
                                         {.threads = 1, .observer = &observer})
                            .fit;
  EXPECT_EQ(fit.status, Status::cancelled);
  EXPECT_EQ(fit.factors, 1);
  EXPECT_THAT(fit.message, HasSubstr("cancelled after 1 of 2 numbers of factors"));
  EXPECT_THAT(fit.message, HasSubstr("16 draws of 1 chain ")) << "chains that had not begun add nothing";
  EXPECT_EQ(observer.phase_, "1 factors: sampling");
  EXPECT_FALSE(fit.nlp_bits) << "no test cells were asked for";
}

TEST(FactorChainsStopped, InTheBurnInSaySo) {
  const Matrix data = two_factor_table("gaussian", 20, 6, 1);
  StopsSoon observer;
  const FactorFit fit =
      factor_prior("spike-slab").fit(problem_of(data), {{"burn_in", 200.0}}, {.threads = 1, .observer = &observer}).fit;
  EXPECT_THAT(fit.message, HasSubstr("during its burn-in of 200 sweeps"));
  EXPECT_TRUE(std::isfinite(fit.loadings(0, 0)));
}

TEST(FactorCells, ThatWouldOverflowAreRefused) {
  const Matrix data = table({{1e120, 0}, {1, 2}});
  EXPECT_THAT(refusal([&] { factor::Cells cells(problem_of(data)); }), HasSubstr("above 1e100"));
}

TEST(FactorCells, OfTinySizeAreScaledAndConstantOnesAreNot) {
  const Matrix data = table({{1e-200, 0.1, 3}, {3e-200, 0.1, 3}, {2e-200, 0.1, 3}});
  const factor::Cells cells(problem_of(data));
  EXPECT_NEAR(cells.scale(0) / 1e-200, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_EQ(cells.scale(1), 1) << "0.1 deviates from its mean by rounding";
  EXPECT_EQ(cells.scale(2), 1);
}

}  // namespace
}  // namespace tamis
