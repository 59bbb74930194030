// Sparse factor models for the benchmark: half a sweep, a sweep, a whole run, and counts that must stay sparse.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "tamis/base/index.hpp"

namespace tamis::bench {

/// A simulated table and a spike-slab sampler that stands where a long chain would: at the truth.
class FactorBench {
 public:
  /// `holes` is the share of cells that are missing.
  FactorBench(const std::string& design, Index rows, Index factors, double holes);
  ~FactorBench();

  /// Per sweep, the mean over `sweeps` of them: drawing all scores, or everything.
  Measured scores(int threads, Index sweeps);
  Measured sweep(int threads, Index sweeps);
  /// tamis factor with 2 chains of `sweeps` sweeps.
  Measured run(int threads, Index sweeps);
  double data_bytes() const;
  double factor_bytes() const;

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

/// One fit of `prior` (l1 or vb) to rows x cols counts, 1 % of them not zero, for a few iterations.
Measured sparse_counts(const std::string& prior, Index rows, Index cols, Index iterations);

}  // namespace tamis::bench
