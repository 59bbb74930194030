#include "base/crew.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

using testing::Each;

// Adds one to each of `values`.
void add_one(std::vector<int>& values) {
  crew_for(static_cast<Index>(values.size()), [entries = values.data()](Index begin, Index end) noexcept {
    for (Index i = begin; i < end; ++i) ++entries[i];
  });
}

TEST(CrewFor, CoversEveryRangeOnce) {
  constexpr int loops = 50000;
  for (const int threads : {1, 2}) {
    with_threads(threads, [] {
      for (const std::size_t count : {0, 1, 2, 7, 100}) {
        std::vector<int> values(count);
        with_crew([&] {
          for (int loop = 0; loop < loops; ++loop) add_one(values);
        });
        EXPECT_THAT(values, Each(loops));
      }
    });
  }
}

TEST(CrewFor, IsAParallelForWithoutACrew) {
  std::vector<int> values(1000);
  add_one(values);
  EXPECT_THAT(values, Each(1));
}

TEST(CrewFor, ALoopReadsWhatTheOneBeforeItWrote) {
  with_threads(2, [] {
    std::vector<int> values(64, 1);
    with_crew([&] {
      for (int loop = 1; loop < 20000; ++loop) {
        // Entries change hands with every loop.
        crew_for(64, [entries = values.data(), loop](Index begin, Index end) noexcept {
          for (Index i = begin; i < end; ++i) ++entries[(i + loop * 32) % 64];
        });
        ASSERT_EQ(std::accumulate(values.begin(), values.end(), 0), 64 * (loop + 1));
      }
    });
  });
}

TEST(WithCrew, HasTwoThreadsAtWork) {
  if (available_threads() < 2) GTEST_SKIP() << "one core";
  with_threads(2, [] {
    with_crew([] {
      std::vector<std::thread::id> who(2);
      // A member who comes late misses the first loops.
      while (who[0] == who[1]) {
        crew_for(2, [out = who.data()](Index begin, Index end) noexcept {
          for (Index i = begin; i < end; ++i) out[i] = std::this_thread::get_id();
        });
      }
    });
  });
}

TEST(WithCrew, ThrowsWhatTheWorkThrewAndGoesOnAfterwards) {
  with_threads(2, [] {
    for (int round = 0; round < 200; ++round) {
      EXPECT_THROW(with_crew([] { throw std::runtime_error("work"); }), std::runtime_error);
      std::vector<int> values(10);
      with_crew([&] { add_one(values); });
      EXPECT_THAT(values, Each(1));
    }
  });
}

TEST(WithCrew, SeveralAtOnceDoNotWaitForEachOther) {
  with_threads(2, [] {
    parallel_for(40, 1, [](Index, Index) {
      std::vector<int> values(10);
      for (int crew = 0; crew < 20; ++crew) {
        with_crew([&] {
          for (int loop = 0; loop < 5; ++loop) add_one(values);
          with_crew([&] { add_one(values); });
        });
      }
      EXPECT_THAT(values, Each(20 * 6));
    });
  });
}

TEST(WithCrew, AParallelForInsideIsNotShared) {
  with_threads(2, [] {
    with_crew([] {
      const std::thread::id leader = std::this_thread::get_id();
      parallel_for(100, 1, [&](Index, Index) { EXPECT_EQ(std::this_thread::get_id(), leader); });
    });
  });
}

}  // namespace
}  // namespace tamis
