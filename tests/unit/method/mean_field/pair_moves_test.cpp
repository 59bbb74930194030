// What two features at a time can do that one at a time cannot, on three columns small enough to check by hand.
#include "method/mean_field/pair_moves.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "tamis/base/random.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

using testing::SizeIs;

constexpr Index rows = 200;
constexpr double correlation = 0.9;

// Two features correlated .9 and one of its own; noise of variance 1.
struct Example {
  explicit Example(std::array<double, 3> weights) : X(rows, 3), y(rows) {
    Matrix z(rows, 3);
    for (Index j = 0; j < 3; ++j) RandomStream(5, 2, static_cast<std::uint64_t>(j)).normals(z.column(j));
    RandomStream(5, 1).normals(y);
    for (Index i = 0; i < rows; ++i) {
      X(i, 0) = z(i, 0);
      X(i, 1) = correlation * z(i, 0) + std::sqrt(1 - correlation * correlation) * z(i, 1);
      X(i, 2) = z(i, 2);
      for (Index j = 0; j < 3; ++j) y[i] += weights[j] * X(i, j);
    }
    const std::vector<double> equal(rows, 1.0 / rows);
    std::vector<double> weighted(y), correlations(3), curvature(3);
    for (double& w : weighted) w /= rows;
    design.transpose_multiply(design.all(), std::span<const double>(weighted), std::span(correlations));
    design.squared_norms(design.all(), equal, curvature);
    field.append(std::vector<Index>{0, 1, 2}, correlations);
    double square = 0;
    for (const double v : y) square += v * v / rows;
    field.set_square(square);
    hyper.prior.log_odds = -8;
    hyper.noise_precision = 1;
    hyper.learn_noise = false;
  }

  bool settle_working_set() {
    for (int sweep = 0; sweep < 200; ++sweep) field.sweep(hyper, {});
    return true;
  }
  double objective() const { return field.free_energy(hyper, {}); }
  bool improve(bool settles = true) {
    return improve_by_pairs(
        field, hyper, rows, [&] { return settle_working_set() && settles; }, [&] { return objective(); });
  }
  std::vector<bool> kept() const {
    std::vector<bool> in;
    for (const double m : field.inclusion()) in.push_back(m > 0.5);
    return in;
  }

  Matrix X;
  std::vector<double> y;
  DenseDesign design{X};
  MeanFieldProblem problem{.X = design,
                           .likelihood = family("gaussian"),
                           .y = y,
                           .offset = {},
                           .weights = std::vector<double>(rows, 1.0 / rows),
                           .samples = rows,
                           .intercept = false,
                           .curvature = {}};
  MeanFieldSweep field{problem, 3};
  MeanFieldParameters hyper;
};

// Alone either gains about n (.1 w)^2 / 2 < 8, together n .2 w^2 / 2 > 16.
TEST(PairMoves, FeaturesThatHideEachOtherEnterTogether) {
  Example example({1, -1, 0});
  example.settle_working_set();
  ASSERT_EQ(example.kept(), (std::vector<bool>{false, false, false}));
  const double before = example.objective();
  EXPECT_TRUE(example.improve());
  EXPECT_EQ(example.kept(), (std::vector<bool>{true, true, false}));
  EXPECT_LT(example.objective(), before - 1);
}

TEST(PairMoves, AFeatureYieldsItsPlaceToTheOneItStoodInFor) {
  Example example({1, 0, 0});
  example.field.move_member(1, 20, 0.8, 0);
  example.hyper.prior.log_odds = -45;  // low enough that the second keeps the first out
  example.settle_working_set();
  ASSERT_EQ(example.kept(), (std::vector<bool>{false, true, false}));
  EXPECT_TRUE(example.improve());
  EXPECT_EQ(example.kept(), (std::vector<bool>{true, false, false}));
}

TEST(PairMoves, TheBestStateOffersNone) {
  Example example({1, 0, 1});
  example.settle_working_set();
  ASSERT_EQ(example.kept(), (std::vector<bool>{true, false, true}));
  EXPECT_THAT(pair_moves(example.field, example.hyper, rows), SizeIs(0));
  EXPECT_FALSE(example.improve());
}

TEST(PairMoves, AMoveThatDoesNotSettleIsTakenBack) {
  Example example({1, -1, 0});
  example.settle_working_set();
  const std::vector<double> before(example.field.coefficients().begin(), example.field.coefficients().end());
  EXPECT_FALSE(example.improve(/*settles=*/false));
  EXPECT_EQ(std::vector<double>(example.field.coefficients().begin(), example.field.coefficients().end()), before);
}

}  // namespace
}  // namespace tamis
