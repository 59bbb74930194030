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

  void pull(Index row, double* sum) const {
    for (Index c = 0; c < PullsAhead::side; ++c) sum[c] = static_cast<double>(c);
    for (Index i = row + 1; i < rows; ++i) sum[0] += state_[i];
  }

  void run(PullsAhead& pulls, int times) {
    const PullsAhead::Asking asking(pulls);
    for (int k = 0; k < times; ++k) {
      pulls.begin_sweep();
      for (Index row = 0; row < rows; ++row) {
        const double* sum = pulls.take(row);
        EXPECT_EQ(sum[PullsAhead::side - 1], PullsAhead::side - 1);
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
  PullsAhead pulls(rows, [&](Index row, double* sum) { sweeps.pull(row, sum); });
  std::thread forerunner;
  if (with_forerunner) forerunner = std::thread([&] { pulls.run_ahead(); });
  sweeps.run(pulls, times);
  if (with_forerunner) forerunner.join();
  return sweeps.state();
}

TEST(PullsAhead, AreTheSameWhoeverMakesThem) {
  constexpr int many = 20'000;  // so that both threads take part, and meet at the ends of sweeps
  EXPECT_EQ(after(many, true), after(many, false));
  EXPECT_EQ(after(3, true), after(3, false));
}

TEST(PullsAhead, WhoComesTooLateHasNothingToDo) {
  Sweeps sweeps;
  PullsAhead pulls(rows, [&](Index row, double* sum) { sweeps.pull(row, sum); });
  sweeps.run(pulls, 2);
  pulls.run_ahead();
  EXPECT_EQ(sweeps.state(), after(2, false));
}

}  // namespace
}  // namespace tamis
