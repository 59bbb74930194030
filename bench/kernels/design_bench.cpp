// Passes over X beside what BLAS takes for the same, in one run: `tamis` is ours, `blas` is OpenBLAS; the last
// argument is the number of threads. Ours may not depend on the threads in its result, theirs may.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <random>
#include <vector>

#include "tamis/base/parallel.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/design/design.hpp"

extern "C" void openblas_set_num_threads(int);

namespace {

using namespace tamis;

Matrix random_matrix(Index rows, Index cols) {
  Matrix A(rows, cols);
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (Index j = 0; j < cols; ++j) {
    for (double& x : A.column(j)) x = uniform(generator);
  }
  return A;
}

const Matrix& wide() {
  static const Matrix X = random_matrix(1000, 10000);
  return X;
}
const Matrix& tall() {
  static const Matrix X = random_matrix(20000, 500);
  return X;
}

// 20,000 x 50,000 with 20 entries per column.
const SparseDesign& sparse() {
  static const SparseDesign X = [] {
    SparseColumns s{.rows = 20000, .cols = 50000, .starts = {0}, .indices = {}, .values = {}};
    std::mt19937_64 generator(1);
    for (Index j = 0; j < s.cols; ++j) {
      for (Index e = 0; e < 20; ++e) {
        s.indices.push_back(static_cast<std::int32_t>(1000 * e + static_cast<Index>(generator() % 1000)));
        s.values.push_back(1 + static_cast<double>(e));
      }
      s.starts.push_back(std::ssize(s.values));
    }
    return SparseDesign(std::move(s));
  }();
  return X;
}

void transpose_multiply(benchmark::State& state, const Design& X) {
  const Index m = state.range(0);
  const Matrix R = random_matrix(X.rows(), m);
  Matrix out(X.cols(), m);
  with_threads(static_cast<int>(state.range(1)), [&] {
    for (auto _ : state) X.transpose_multiply(X.all(), R, out);
  });
  state.SetBytesProcessed(state.iterations() * static_cast<Index>(8 * X.stored_per_column()) * X.cols());
}

void tamis_dense(benchmark::State& state) { transpose_multiply(state, DenseDesign(wide())); }
void tamis_standardized(benchmark::State& state) {
  const DenseDesign inner(wide());
  transpose_multiply(state, StandardizedDesign(inner, std::vector<double>(10000, 0.5), std::vector<double>(10000, 2)));
}
void tamis_sparse(benchmark::State& state) { transpose_multiply(state, sparse()); }

void tamis_list(benchmark::State& state) {
  const DenseDesign X(wide());
  std::vector<Index> list(10000);
  for (Index k = 0; k < 10000; ++k) list[k] = k * 7919 % 10000;
  const Index m = state.range(0);
  const Matrix R = random_matrix(X.rows(), m);
  Matrix out(X.cols(), m);
  with_threads(static_cast<int>(state.range(1)), [&] {
    for (auto _ : state) X.transpose_multiply(list, R, out);
  });
}

void blas_dense(benchmark::State& state) {
  const Matrix& X = wide();
  const int n = static_cast<int>(X.rows()), p = static_cast<int>(X.cols()), m = static_cast<int>(state.range(0));
  const Matrix R = random_matrix(n, m);
  Matrix out(p, m);
  openblas_set_num_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) {
    if (m == 1) {
      cblas_dgemv(CblasColMajor, CblasTrans, n, p, 1, X.col(0), n, R.col(0), 1, 0, out.col(0), 1);
    } else {
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, p, m, n, 1, X.col(0), n, R.col(0), n, 0, out.col(0), p);
    }
  }
}

void tamis_multiply_add(benchmark::State& state) {
  const DenseDesign X(wide());
  const Index m = state.range(0);
  const Matrix V = random_matrix(X.cols(), m);
  Matrix R(X.rows(), m);
  with_threads(static_cast<int>(state.range(1)), [&] {
    for (auto _ : state) X.multiply_add(X.all(), V, R);
  });
}

void blas_multiply_add(benchmark::State& state) {
  const Matrix& X = wide();
  const int n = static_cast<int>(X.rows()), p = static_cast<int>(X.cols()), m = static_cast<int>(state.range(0));
  const Matrix V = random_matrix(p, m);
  Matrix R(n, m);
  openblas_set_num_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) {
    if (m == 1) {
      cblas_dgemv(CblasColMajor, CblasNoTrans, n, p, 1, X.col(0), n, V.col(0), 1, 1, R.col(0), 1);
    } else {
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, p, 1, X.col(0), n, V.col(0), p, 1, R.col(0), n);
    }
  }
}

void tamis_gram(benchmark::State& state) {
  const DenseDesign X(tall());
  Matrix G(X.cols(), X.cols());
  const std::vector<double> weights(state.range(0) != 0 ? X.rows() : 0, 0.5);
  with_threads(static_cast<int>(state.range(1)), [&] {
    for (auto _ : state) X.gram(X.all(), weights, G);
  });
}

void blas_gram(benchmark::State& state) {
  const Matrix& X = tall();
  const int n = static_cast<int>(X.rows()), p = static_cast<int>(X.cols());
  Matrix G(p, p);
  openblas_set_num_threads(static_cast<int>(state.range(1)));
  for (auto _ : state) cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, p, n, 1, X.col(0), n, 0, G.col(0), p);
}

void tamis_moments(benchmark::State& state) {
  const DenseDesign X(wide());
  with_threads(static_cast<int>(state.range(1)), [&] {
    for (auto _ : state) benchmark::DoNotOptimize(column_moments(X, {}));
  });
}

// One column at a time, as coordinate descent does it.
void tamis_one_column(benchmark::State& state) {
  const DenseDesign X(wide());
  const Matrix R = random_matrix(X.rows(), 1);
  double out = 0;
  for (auto _ : state) X.transpose_multiply(Columns::range(3, 1), R, MatrixView(&out, 1, 1));
  benchmark::DoNotOptimize(out);
}

void passes(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{1, 4, 8, 16, 40}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
}
void grams(benchmark::internal::Benchmark* b) {
  b->ArgsProduct({{0, 1}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(tamis_dense)->Apply(passes);
BENCHMARK(blas_dense)->Apply(passes);
BENCHMARK(tamis_list)->Apply(passes);
BENCHMARK(tamis_standardized)->Apply(passes);
BENCHMARK(tamis_sparse)->Apply(passes);
BENCHMARK(tamis_multiply_add)->Apply(passes);
BENCHMARK(blas_multiply_add)->Apply(passes);
BENCHMARK(tamis_gram)->Apply(grams);
BENCHMARK(blas_gram)->Args({0, 1})->Args({0, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(tamis_moments)->Args({0, 1})->Args({0, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(tamis_one_column);

}  // namespace
