// What one thread wrote before give() is seen by every thread after take(). TBB promises that of its tasks already,
// but the thread sanitizer cannot see into TBB: parallel.cpp, the only file that uses TBB, is compiled without it
// and says the order once more through this.
#pragma once

#include <atomic>

namespace tamis {

class Handover {
 public:
  void give();
  void take();

 private:
  std::atomic<int> given_{0};
};

}  // namespace tamis
