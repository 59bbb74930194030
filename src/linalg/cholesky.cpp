#include "linalg/cholesky.hpp"

extern "C" {
void spotrf_(const char* triangle, const int* size, float* A, const int* stride, int* info);
void spotrs_(const char* triangle, const int* size, const int* columns, const float* factor, const int* stride,
             float* x, const int* x_stride, int* info);
}

namespace tamis {

bool cholesky_solve(std::span<float> A, std::span<float> x) {
  const int size = static_cast<int>(x.size());
  if (size == 0) return true;
  const int one = 1;
  int info = 0;
  spotrf_("L", &size, A.data(), &size, &info);
  if (info != 0) return false;
  spotrs_("L", &size, &one, A.data(), &size, x.data(), &size, &info);
  return info == 0;
}

}  // namespace tamis
