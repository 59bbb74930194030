// X'R on the dense benchmark matrix: our kernel with 1 to 16 right-hand sides beside OpenBLAS, in sweeps' worth of
// bytes. Eight right-hand sides should cost well under twice one: a path lives on that.
#include <benchmark/benchmark.h>

#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/design.hpp"

extern "C" void cblas_dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double scale,
                            const double* a, int stride_a, const double* b, int stride_b, double keep, double* c,
                            int stride_c);

namespace {

constexpr tamis::Index rows = 1000;
constexpr tamis::Index cols = 10000;

tamis::Matrix filled(tamis::Index n, tamis::Index m) {
  tamis::Matrix X(n, m);
  double value = 0.1234567;
  for (tamis::Index j = 0; j < m; ++j) {
    for (double& x : X.column(j)) {
      value = 3.9 * value * (1 - value);
      x = value - 0.5;
    }
  }
  return X;
}

void count_bytes(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * rows * cols * static_cast<tamis::Index>(sizeof(double)));
}

void our_kernel(benchmark::State& state) {
  const tamis::Matrix X = filled(rows, cols);
  const tamis::Matrix R = filled(rows, state.range(0));
  tamis::Matrix out(cols, state.range(0));
  const tamis::DenseDesign design(X.view());
  tamis::with_threads(1, [&] {
    for (auto _ : state) {
      design.transpose_multiply(design.all(), R, out);
      benchmark::DoNotOptimize(out.col(0));
    }
  });
  count_bytes(state);
}

void openblas_dgemm(benchmark::State& state) {
  const tamis::Matrix X = filled(rows, cols);
  const tamis::Matrix R = filled(rows, state.range(0));
  tamis::Matrix out(cols, state.range(0));
  const int width = static_cast<int>(state.range(0));
  constexpr int column_major = 102;
  constexpr int plain = 111;
  constexpr int transposed = 112;
  tamis::with_threads(1, [&] {
    for (auto _ : state) {
      cblas_dgemm(column_major, transposed, plain, cols, width, rows, 1.0, X.col(0), rows, R.col(0), rows, 0.0,
                  out.col(0), cols);
      benchmark::DoNotOptimize(out.col(0));
    }
  });
  count_bytes(state);
}

BENCHMARK(our_kernel)->RangeMultiplier(2)->Range(1, 16)->Unit(benchmark::kMillisecond);
BENCHMARK(openblas_dgemm)->RangeMultiplier(2)->Range(1, 16)->Unit(benchmark::kMillisecond);

}  // namespace
