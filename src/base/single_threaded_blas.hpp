// Holds OpenBLAS to one thread while it lives, and gives the host program its setting back afterwards: tamis
// parallelizes above BLAS, and two layers of threads would fight.
#pragma once

namespace tamis {

/// May be nested and made on several threads at once; cheap when another one lives.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas();
  ~SingleThreadedBlas();
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;
};

}  // namespace tamis
