// Many short loops shared between threads. parallel_for wakes its threads for each loop, which costs some microseconds;
// a crew keeps them awake for a whole series of loops, so that loops of ten microseconds gain too.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "tamis/base/index.hpp"

namespace tamis {

class Crew {
 public:
  /// Calls work(crew) once. The other threads of the fit wait inside to help with what it shares; none of them is
  /// needed.
  static void gather(const std::function<void(Crew&)>& work);

  /// body(piece) for the pieces 0, 1, ..., pieces - 1 (fewer than 2^32) in any order on any of the threads; returns
  /// when all are done. `body` must not throw, share, or call parallel_for. Only `work` may call this.
  void share(Index pieces, const std::function<void(Index)>& body);

  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

 private:
  Crew() = default;
  void help();
  bool take_piece();

  // Number of the loop (upper half) and pieces of it that nobody took yet: one word, so that a late helper can never
  // take a piece of another loop than the one it looked at.
  std::atomic<std::uint64_t> ticket_{0};
  std::atomic<std::uint64_t> done_{0};
  const std::function<void(Index)>* body_ = nullptr;
  std::atomic<bool> led_{false};
  std::atomic<bool> over_{false};
};

}  // namespace tamis
