// Threads of TBB's pool, which outlives fits: starting one anew would cost as much as a small fit. This is all that
// knows TBB. It is compiled without the thread sanitizer, which cannot see into TBB, and hands over no data.
#pragma once

namespace tamis {

/// Threads that this process may run at once.
int core_count();

/// Up to `count` threads of the pool call `task`, once each, soon or late or, if the pool is busy, after everything.
/// Returns at once.
void borrow_threads(int count, void (*task)());

}  // namespace tamis
