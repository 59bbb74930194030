#include "base/single_threaded_blas.hpp"

#include <mutex>

extern "C" {
// OpenBLAS's own switches; they are the only way to keep it from starting threads beside ours.
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
}

namespace tamis {
namespace {

std::mutex mutex;
int users = 0;
int saved = 1;

}  // namespace

SingleThreadedBlas::SingleThreadedBlas() {
  const std::lock_guard lock(mutex);
  if (users++ == 0) {
    saved = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

SingleThreadedBlas::~SingleThreadedBlas() {
  const std::lock_guard lock(mutex);
  if (--users == 0) openblas_set_num_threads(saved);
}

}  // namespace tamis
