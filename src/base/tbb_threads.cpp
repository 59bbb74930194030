#include "base/tbb_threads.hpp"

#include <tbb/info.h>
#include <tbb/task_arena.h>

namespace tamis {

int core_count() { return tbb::info::default_concurrency(); }

void borrow_threads(int count, void (*task)()) {
  tbb::task_arena arena(count + 1);  // one place of an arena is kept for the thread that made it
  for (int k = 0; k < count; ++k) arena.enqueue(task);
}

}  // namespace tamis
