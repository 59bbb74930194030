#include "tamis/base/parallel.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tamis {
namespace {

using std::chrono::milliseconds;

// Every piece of a loop of `count` is done once.
void share_and_count(Index count) {
  std::vector<std::atomic<int>> times(count);
  parallel_for(count, 1, [&](Index piece, Index) { times[piece].fetch_add(1); });
  for (const auto& done : times) ASSERT_EQ(done.load(), 1);
}

TEST(ParallelFor, EveryPieceOfEveryLoopIsDoneOnce) {
  for (const int threads : {1, 2}) {
    with_threads(threads, [] {
      for (int loop = 1; loop <= 20000; ++loop) share_and_count(7);
    });
  }
}

TEST(ParallelFor, EveryPieceOfANestedLoopIsDoneOnce) {
  with_threads(2, [] {
    for (int loop = 1; loop <= 200; ++loop) {
      parallel_for(5, 1, [](Index, Index) { parallel_for(3, 1, [](Index, Index) { share_and_count(4); }); });
    }
  });
}

TEST(ParallelFor, HasAllCoresOutsideWithThreads) { share_and_count(1000); }

TEST(ParallelFor, CutsByTheGrain) {
  with_threads(2, [] {
    std::vector<std::atomic<Index>> ends(3);
    parallel_for(10, 4, [&](Index begin, Index end) { ends[begin / 4] = end; });
    EXPECT_EQ(ends[0], 4);
    EXPECT_EQ(ends[1], 8);
    EXPECT_EQ(ends[2], 10);
  });
}

TEST(ParallelFor, NothingToShareIsNothingToWaitFor) {
  int calls = 0;
  with_threads(2, [&] { parallel_for(0, 1, [&](Index, Index) { ++calls; }); });
  EXPECT_EQ(calls, 0);
}

TEST(ParallelFor, WhatHelpersWroteIsSeen) {
  with_threads(2, [] {
    std::vector<double> values(1000);
    for (int loop = 0; loop < 100; ++loop) {
      parallel_for(1000, 100, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) values[i] += 1;
      });
    }
    double sum = 0;
    for (const double value : values) sum += value;
    EXPECT_EQ(sum, 1e5);
  });
}

TEST(ParallelFor, HelpersWakeAfterALongPause) {
  if (available_threads() < 2) GTEST_SKIP() << "one core";
  with_threads(2, [] {
    for (int loop = 0; loop < 3; ++loop) {
      std::this_thread::sleep_for(milliseconds(20));  // longer than anybody looks for work
      std::atomic<int> present{0};
      // Each piece waits for the other: one thread alone would never come out.
      parallel_for(2, 1, [&](Index, Index) {
        present.fetch_add(1);
        while (present.load() < 2) std::this_thread::yield();
      });
    }
  });
}

TEST(ParallelFor, ThrowsWhatAPieceThrewAndGoesOnAfterwards) {
  for (const int threads : {1, 2}) {
    with_threads(threads, [] {
      for (int loop = 0; loop < 500; ++loop) {
        EXPECT_THROW(parallel_for(20, 1,
                                  [&](Index piece, Index) {
                                    if (piece == loop % 20) throw std::runtime_error("piece");
                                  }),
                     std::runtime_error);
        share_and_count(5);
      }
    });
  }
}

TEST(WithThreads, ThrowsWhatTheWorkThrew) {
  EXPECT_THROW(with_threads(2, [] { throw std::runtime_error("work"); }), std::runtime_error);
  with_threads(2, [] { share_and_count(100); });
}

TEST(WithThreads, HoldsForPiecesOnAllThreads) {
  with_threads(2, [] {
    const int outside = available_threads();
    parallel_for(50, 1, [&](Index, Index) {
      EXPECT_EQ(available_threads(), outside);
      with_threads(1, [] { EXPECT_EQ(available_threads(), 1); });
      EXPECT_EQ(available_threads(), outside);
    });
  });
}

TEST(WithThreads, MayBeUsedOnSeveralThreadsAtOnce) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int round = 0; round < 50; ++round) with_threads(2, [] { share_and_count(64); });
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace tamis
