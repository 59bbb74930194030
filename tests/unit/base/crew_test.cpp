#include "base/crew.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <vector>

#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

TEST(Crew, EveryPieceOfEveryLoopIsDoneOnce) {
  for (const int threads : {1, 2}) {
    with_threads(threads, [] {
      std::vector<std::atomic<int>> times(7);
      Crew::gather([&](Crew& crew) {
        for (int loop = 1; loop <= 20000; ++loop) {
          crew.share(7, [&](Index piece) { times[static_cast<std::size_t>(piece)].fetch_add(1); });
          // All done before the next loop begins.
          for (const auto& count : times) ASSERT_EQ(count.load(), loop);
        }
      });
    });
  }
}

TEST(Crew, TheWorkIsDoneOnceWhateverTheThreads) {
  for (const int threads : {1, 2}) {
    int works = 0;
    with_threads(threads, [&] { Crew::gather([&](Crew&) { ++works; }); });
    EXPECT_EQ(works, 1);
  }
}

TEST(Crew, NothingToShareIsNothingToWaitFor) {
  int calls = 0;
  with_threads(2, [&] { Crew::gather([&](Crew& crew) { crew.share(0, [&](Index) { ++calls; }); }); });
  EXPECT_EQ(calls, 0);
}

TEST(Crew, WhatHelpersWroteIsSeen) {
  with_threads(2, [] {
    std::vector<double> values(1000);
    double sum = 0;
    Crew::gather([&](Crew& crew) {
      for (int loop = 0; loop < 100; ++loop) {
        crew.share(10, [&](Index piece) {
          for (Index i = 100 * piece; i < 100 * (piece + 1); ++i) values[static_cast<std::size_t>(i)] += 1;
        });
      }
      for (const double value : values) sum += value;
    });
    EXPECT_EQ(sum, 1e5);
  });
}

}  // namespace
}  // namespace tamis
