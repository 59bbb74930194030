#include "base/crew.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "base/rest.hpp"
#include "base/unshared.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr std::size_t cache_line = 64;

// Looks for a change for some milliseconds before it lets others have the core: it comes within microseconds, except
// where other programs took the core of the thread that would make it.
class Watch {
 public:
  void look_again() {
    constexpr unsigned many = 1U << 16;
    rest_on_the_core();
    if (++looks_ > many) std::this_thread::yield();
  }

 private:
  unsigned looks_ = 0;
};

// Where the leader meets one member. Round r is offered as turn 2r and taken as 2r + 1: by the member, or by the leader
// who is done with his own share and finds that the member has not begun.
struct Seat {
  static constexpr std::uint64_t dismissed = ~std::uint64_t{0};

  alignas(cache_line) std::atomic<std::uint64_t> turn{1};
  void (*call)(const void*, Index, Index) = nullptr;
  Index begin = 0, end = 0;
  alignas(std::max_align_t) std::byte body[CrewLoop::most_bytes];
  alignas(cache_line) std::atomic<std::uint64_t> done{0};  // the last round that the member took

  bool take(std::uint64_t offered) {
    return turn.compare_exchange_strong(offered, offered + 1, std::memory_order_acq_rel, std::memory_order_relaxed);
  }
};

class Crew {
 public:
  explicit Crew(Index members) : seats_(static_cast<std::size_t>(members)) {}

  void share(Index count, const CrewLoop& loop) {
    const auto shares = static_cast<Index>(seats_.size()) + 1;
    const Index grain = (count + shares - 1) / shares;
    ++round_;
    auto last = seats_.begin();
    for (Index begin = grain; begin < count; begin += grain) {
      offer(*last++, begin, std::min(count, begin + grain), loop);
    }
    loop.call(loop.body, 0, std::min(count, grain));
    std::for_each(seats_.begin(), last, [&](Seat& seat) { finish(seat, loop); });
  }

  void serve(Index member) {
    Seat& seat = seats_[static_cast<std::size_t>(member)];
    Watch watch;
    while (true) {
      const std::uint64_t turn = seat.turn.load(std::memory_order_acquire);
      if (turn == Seat::dismissed) return;
      if (turn % 2 == 0 && seat.take(turn)) {
        seat.call(seat.body, seat.begin, seat.end);
        seat.done.store(turn / 2, std::memory_order_release);
        watch = {};
      } else {
        watch.look_again();
      }
    }
  }

  void dismiss() {
    for (Seat& seat : seats_) seat.turn.store(Seat::dismissed, std::memory_order_release);
  }

 private:
  void offer(Seat& seat, Index begin, Index end, const CrewLoop& loop) const {
    std::memcpy(seat.body, loop.body, loop.size);
    seat.call = loop.call;
    seat.begin = begin;
    seat.end = end;
    seat.turn.store(2 * round_, std::memory_order_release);
  }

  void finish(Seat& seat, const CrewLoop& loop) const {
    const auto done = [&] { return seat.done.load(std::memory_order_acquire) == round_; };
    if (!done() && seat.take(2 * round_)) return loop.call(loop.body, seat.begin, seat.end);
    for (Watch watch; !done();) watch.look_again();
  }

  std::vector<Seat> seats_;
  std::uint64_t round_ = 0;
};

thread_local Crew* here = nullptr;

// The members go when the leader does, and also when he throws.
class Leading {
 public:
  explicit Leading(Crew& crew) : before_(here) { here = &crew; }
  ~Leading() {
    here->dismiss();
    here = before_;
  }
  Leading(const Leading&) = delete;
  Leading& operator=(const Leading&) = delete;

 private:
  Crew* before_;
};

}  // namespace

// The leader's own loops are not shared, so he never waits for anybody but a member who is at work: nobody can wait in
// a circle. A seat that nobody took before the end is the leader's, who finds himself dismissed.
void with_crew(const std::function<void()>& work) {
  const Index members = available_threads() - 1;
  if (members == 0) return work();
  Crew crew(members);
  parallel_for(members + 1, 1, [&](Index piece, Index) {
    unshared([&] {
      if (piece > 0) return crew.serve(piece - 1);
      const Leading leading(crew);
      work();
    });
  });
}

void share_with_crew(Index count, const CrewLoop& loop) {
  if (here != nullptr) return here->share(count, loop);
  const Index threads = available_threads();
  parallel_for(count, (count + threads - 1) / threads,
               [&](Index begin, Index end) { loop.call(loop.body, begin, end); });
}

}  // namespace tamis
