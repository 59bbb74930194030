// Loops that stay with their thread.
#pragma once

#include <functional>

namespace tamis {

/// Runs `work` as with_threads(1, work) does, inside a with_threads() that took care of BLAS already.
void unshared(const std::function<void()>& work);

}  // namespace tamis
