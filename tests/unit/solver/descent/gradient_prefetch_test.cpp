#include "solver/descent/gradient_prefetch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace tamis {
namespace {

constexpr Index rows = 7;

// Row r of a sweep pulls at what the rows behind it were left at by the sweep before, as in coordinate descent.
class Sweeps {
 public:
  Sweeps() : state_(rows, 1.0) {}

  void gradient(Index row, double* sum) const {
    for (Index c = 0; c < GradientPrefetch::side; ++c) sum[c] = static_cast<double>(c);
    for (Index i = row + 1; i < rows; ++i) sum[0] += state_[i];
  }

  void run(GradientPrefetch& prefetch, int times) {
    const GradientPrefetch::Consumer asking(prefetch);
    for (int k = 0; k < times; ++k) {
      prefetch.begin_sweep();
      for (Index row = 0; row < rows; ++row) {
        const double* sum = prefetch.take(row);
        EXPECT_EQ(sum[GradientPrefetch::side - 1], GradientPrefetch::side - 1);
        state_[row] = std::fmod(3 * sum[0] + 1, 1009);  // never at rest
      }
    }
  }

  const std::vector<double>& state() const { return state_; }

 private:
  std::vector<double> state_;
};

std::vector<double> after(int times, bool with_forerunner) {
  Sweeps sweeps;
  GradientPrefetch prefetch(rows, [&](Index row, double* sum) { sweeps.gradient(row, sum); });
  std::thread forerunner;
  if (with_forerunner) forerunner = std::thread([&] { prefetch.run_ahead(); });
  sweeps.run(prefetch, times);
  if (with_forerunner) forerunner.join();
  return sweeps.state();
}

TEST(GradientPrefetch, AreTheSameWhoeverMakesThem) {
  constexpr int many = 20'000;  // so that both threads take part, and meet at the ends of sweeps
  EXPECT_EQ(after(many, true), after(many, false));
  EXPECT_EQ(after(3, true), after(3, false));
}

TEST(GradientPrefetch, WhoComesTooLateHasNothingToDo) {
  Sweeps sweeps;
  GradientPrefetch prefetch(rows, [&](Index row, double* sum) { sweeps.gradient(row, sum); });
  sweeps.run(prefetch, 2);
  prefetch.run_ahead();
  EXPECT_EQ(sweeps.state(), after(2, false));
}

}  // namespace
}  // namespace tamis
