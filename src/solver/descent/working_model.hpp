// Two ways to minimize a penalized quadratic over a working set of columns, one coordinate at a time:
//   -g'd + 1/2 d'G d + penalty(b + d),  G = X'HX - (X'h)(X'h)'/sum h  (the intercept is profiled out exactly).
// GramModel keeps G and touches no column again; ColumnModel keeps a residual and touches one column per step, which
// wins when columns are sparse or the working set is large.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/descent/coordinate_penalty.hpp"
#include "solver/descent/gradient_prefetch.hpp"
#include "solver/descent/support_step.hpp"
#include "tamis/design/design.hpp"

namespace tamis {

/// Coordinate descent on a cached Gram matrix of the working set. Memory and traffic are what it costs, so it is held
/// in single precision and only its lower half, in tiles of 16 x 16; descent goes tile by tile: sixteen coordinates are
/// updated on their diagonal tile, then the gradients of the others by all sixteen steps at once. The gradient stays
/// double, so an exact gradient now and then (iterative refinement) gives full accuracy.
class GramModel {
 public:
  /// Room for `capacity` columns; memory that is never used is never touched.
  explicit GramModel(Index capacity) : capacity_(capacity) {}

  /// Forgets everything; weights h for the columns to come.
  void reset(std::span<const double> curvature, bool intercept);
  /// A Gram matrix known elsewhere: value(i, k) for i >= k.
  template <class Value>
  void assign(Index size, const Value& value) {
    size_ = 0;
    enlarge(size);
    for (Index k = 0; k < size; ++k) {
      for (Index i = k; i < size; ++i) set(i, k, static_cast<float>(value(i, k)));
    }
  }
  /// Adds the columns `added` behind the known ones; `all` lists the whole working set including them.
  void append(const Design& X, std::span<const Index> all, std::span<const Index> added);

  Index size() const { return size_; }
  std::span<const double> curvature() const { return curvature_; }
  double total_curvature() const { return total_; }
  /// X'h of each working column.
  std::span<const double> column_sums() const { return sums_; }

  /// False when some column's squares do not fit single precision: descend on columns then.
  bool fits() const { return fits_; }
  double diagonal(Index k) const { return static_cast<double>(*place(k, k)); }
  /// Keeps the columns at these places (increasing), forgets the others.
  void keep(std::span<const std::int32_t> places);
  /// Solves for the step of the coordinates at these places, on G_AA + diag(l2_A); `l2` has an entry per working
  /// column. G_AA may be nearly singular; false if not even a ridge helps. `known`, empty or from the last step on the
  /// same G and l2, is used where it serves, and renewed where not.
  bool solve(std::span<const std::int32_t> places, std::span<const double> l2, SupportStep& step,
             SupportFactor& known) const;
  /// Descends from b with gradient g (both updated) until every step is below its tolerance. `pending_step`, if any, is
  /// a step that b took and g does not contain yet: the first sweep applies it at no extra cost.
  Descent descend(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty, Index max_sweeps,
                  std::span<const double> pending_step) const;

 private:
  static constexpr Index side = GradientPrefetch::side;  // of a tile

  /// Entry (i, k) with i >= k: lower tiles row by row, each column-major; so along a row entries are `side` apart.
  float* row_start(Index i) const {
    const Index row = i / side;
    return gram_.get() + row * (row + 1) / 2 * side * side + i % side;
  }
  float* place(Index i, Index k) const { return row_start(i) + k * side; }
  void set(Index i, Index k, float value) {
    *place(i, k) = value;
    if (i / side == k / side) *place(k, i) = value;  // diagonal tiles are whole
  }
  Index tile_rows() const { return (size_ + side - 1) / side; }
  void enlarge(Index size);
  bool factorize(std::span<const std::int32_t> places, std::span<const double> l2, SupportFactor& known) const;
  bool update_border(std::span<const std::int32_t> places, std::span<const double> l2, SupportFactor& known) const;
  bool store_column(Index k, Index first, std::span<double> column);
  /// The last step of every tile, which the gradients of the tiles before it do not contain yet.
  struct TileUpdates {
    explicit TileUpdates(Index rows);
    float* of(Index row) { return steps.data() + row * side; }
    std::vector<float> steps;
    std::unique_ptr<bool[]> moved;
  };
  static void apply_updates(GradientPrefetch& prefetch, Index row, double* g);
  /// own -= column * step on the diagonal tile.
  static void apply_one(const float* column, float step, double* own);
  double sweep(std::span<double> b, double* g, double unit, const CoordinatePenalty& penalty,
               std::span<const std::int32_t> order, const float* before, TileUpdates& updates,
               GradientPrefetch& prefetch) const;

  std::vector<double> curvature_;
  double total_ = 0;
  bool intercept_ = true;
  Index size_ = 0;
  Index capacity_ = 0;
  bool fits_ = true;
  std::unique_ptr<float[]> gram_;
  std::vector<double> sums_;
};

/// Coordinate descent on the columns themselves.
class ColumnModel {
 public:
  void reset(std::span<const double> curvature, bool intercept);
  void append(const Design& X, std::span<const Index> added);

  Index size() const { return std::ssize(columns_); }

  /// Descends from b at the residual rho (weights times minus the loss' derivative) of b; rho is left alone.
  Descent descend(std::span<double> b, std::span<const double> rho, const CoordinatePenalty& penalty, Index max_sweeps);

 private:
  void prepare(std::size_t k);
  void prefetch(std::size_t k) const;
  double dot(std::size_t k) const;
  void subtract(std::size_t k, double step);
  double sweep(std::span<double> b, const CoordinatePenalty& penalty, std::span<const std::int32_t> order);

  std::vector<double> curvature_;
  double total_ = 0;
  bool intercept_ = true;
  bool equal_curvature_ = false;
  std::vector<ColumnView> columns_;
  std::vector<std::vector<double>> gathered_;  // columns of kinds that have no view
  std::vector<double> sums_;                   // x'h, raw column
  std::vector<double> diagonal_;               // of G
  std::vector<double> q_;                      // rho - H X d, without the intercept's part
  double q_sum_ = 0;
  std::vector<double> scratch_;
};

}  // namespace tamis
