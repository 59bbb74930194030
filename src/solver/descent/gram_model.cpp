// Coordinate descent on a Gram matrix in single precision, tile by tile ("covariance updates").
//
// Model      min_d  -g'd + d'Gd / 2 + sum_k (l1_k |b_k + d_k| + l2_k (b_k + d_k)^2 / 2)
//            G = X'HX - s s'/h,  s = X'h,  h = sum_i h_i: the intercept is profiled out; g = X'residual at b.
// Storage    the lower triangle of G in tiles of 16 x 16 floats, tile rows one after the other; diagonal tiles whole.
// Algorithm  one sweep, for each tile row from the first to the last:
//              1 pull: g of its 16 coordinates takes the steps of the last sweep of the tiles below, -T(i, row)' d_i
//              2 descend the 16 coordinates on the diagonal tile
//              3 push: g of the tiles below takes the steps just made, -T(i, row) d
//            1 and 3 read the same tile column, the second time from cache. The sums of 1 depend on the last sweep
//            only, so that a second thread makes them ahead (GradientPrefetch); the result is the same to the last bit.
// Precision  G and steps are floats, g and b doubles. A step is rounded before it is applied to both, so that b and g
//            stay consistent with the rounded G; callers recompute X'residual in double precision and descend again,
//            which is iterative refinement. Steps are held in units of a power of two near the largest, so that they
//            neither overflow nor become subnormal.
// Paper      Friedman, Hastie & Tibshirani (2010) JSS 33(1), covariance updates and active sets.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/scratch.hpp"
#include "linalg/kernels.hpp"
#include "solver/descent/working_model.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

void GramModel::reset(std::span<const double> curvature, bool intercept) {
  curvature_.assign(curvature.begin(), curvature.end());
  total_ = std::accumulate(curvature_.begin(), curvature_.end(), 0.0);
  intercept_ = intercept;
  size_ = 0;
  fits_ = true;
  sums_.clear();
}

// New tile rows begin as zeros: the coordinates that pad the last tile must contribute nothing to sums over whole
// tiles.
void GramModel::enlarge(Index size) {
  if (!gram_) {
    const Index rows = (capacity_ + side - 1) / side;
    gram_ = std::make_unique_for_overwrite<float[]>(rows * (rows + 1) / 2 * side * side);
  }
  const Index before = tile_rows();
  size_ = size;
  const auto start = [](Index row) { return row * (row + 1) / 2 * side * side; };
  std::fill(gram_.get() + start(before), gram_.get() + start(tile_rows()), 0.0F);
}

void GramModel::append(const Design& X, std::span<const Index> all, std::span<const Index> added) {
  const Index first = size_;
  const Index count = added.size();
  if (count == 0) return;
  enlarge(first + count);
  sums_.resize(size_);
  X.transpose_multiply(Columns(added), std::span<const double>(curvature_),
                       std::span<double>(sums_.data() + first, count));
  constexpr Index chunk = 64;
  const Scratch block(size_ * std::min(chunk, count));
  for (Index from = 0; from < count; from += chunk) {
    const Index width = std::min(chunk, count - from);
    const MatrixView part(block.data(), size_, width);
    X.cross_gram(Columns(all), Columns(added).slice(from, width), curvature_, part);
    std::vector<char> fits(width);
    parallel_for(width, 1, [&](Index begin, Index end) {
      for (Index c = begin; c < end; ++c) {
        fits[c] = store_column(first + from + c, first, part.column(c)) ? 1 : 0;
      }
    });
    fits_ = fits_ && std::ranges::count(fits, 0) == 0;
  }
}

// Column k, centered; entries of older columns are mirrored. False if its squares do not fit single precision.
bool GramModel::store_column(Index k, Index first, std::span<double> column) {
  const double raw = column[k];
  const double gradient = intercept_ ? sums_[k] / total_ : 0.0;
  for (Index i = 0; i < std::ssize(column); ++i) column[i] -= gradient * sums_[i];
  const double squared = column[k];
  // The variance of a column that is constant on the rows in use is rounding error: its coordinate must never move.
  if (squared < 1e-12 * raw) std::ranges::fill(column, 0.0);
  float* own = row_start(k);
  const Index before = std::min(first, k / side * side);  // the tiles before the diagonal one
  for (Index i = 0; i < before; ++i) own[i * side] = static_cast<float>(column[i]);
  for (Index i = before; i < size_; ++i) {
    if (i >= first && i < k) continue;  // mirrored by the column of i
    set(std::max(i, k), std::min(i, k), static_cast<float>(column[i]));
  }
  return squared == 0 || (squared > 1e-30 && squared < 1e30);
}

// Compacts in place, tile row by tile row and within it column by column, so that every entry is read before it is
// overwritten. Coordinates before the first that is dropped stay where they are.
void GramModel::keep(std::span<const std::int32_t> places) {
  const Index kept = places.size();
  Index stay = 0;
  while (stay < kept && places[stay] == stay) ++stay;
  for (Index tile = stay / side * side; tile < kept; tile += side) {
    const Index rows = std::min(side, kept - tile);
    const float* old[side];
    for (Index r = 0; r < rows; ++r) old[r] = row_start(places[tile + r]);
    float* now = row_start(tile);
    for (Index k = 0; k < tile; ++k) {
      float column[side] = {};
      const Index from = places[k] * side;
      for (Index r = 0; r < rows; ++r) column[r] = old[r][from];
      std::copy_n(column, side, now + k * side);
    }
    for (Index i = tile; i < tile + rows; ++i) {
      for (Index k = tile; k <= i; ++k) set(i, k, old[i - tile][places[k] * side]);
    }
  }
  for (Index i = stay; i < kept; ++i) {
    sums_[i] = sums_[places[i]];
  }
  size_ = kept;
  sums_.resize(kept);
  for (Index i = size_; i < tile_rows() * side; ++i) {
    for (Index k = 0; k <= i; ++k) set(i, k, 0.0F);
  }
}

bool GramModel::factorize(std::span<const std::int32_t> places, std::span<const double> l2,
                          SupportFactor& known) const {
  const Index size = std::ssize(places);
  // Duplicate columns make G singular. A relative ridge of the size of single precision's rounding makes it positive
  // definite; it is raised tenfold until the factorization succeeds.
  for (float ridge = 1e-6F; ridge < 1; ridge *= 10) {
    auto lower = std::make_unique_for_overwrite<float[]>(size * size);
    parallel_for(size, 64, [&](Index begin, Index end) {
      for (Index c = begin; c < end; ++c) {
        float* column = lower.get() + c * size;
        for (Index r = c; r < size; ++r) column[r] = *place(places[r], places[c]);
        column[c] = (column[c] + static_cast<float>(l2[places[c]])) * (1 + ridge);
      }
    });
    if (!known.factor.factorize(std::move(lower), size)) continue;
    known.places.assign(places.begin(), places.end());
    return true;
  }
  known.clear();
  return false;
}

// Reuses the factor of a support that differs by at most 1/32: coordinates that left are fixed at their values, those
// that came are appended to the border. Each costs a solve with the factor, some 6 / size of a factorization.
bool GramModel::update_border(std::span<const std::int32_t> places, std::span<const double> l2,
                              SupportFactor& known) const {
  std::vector<std::int32_t> leaving, joining;
  std::ranges::set_difference(known.places, places, std::back_inserter(leaving));
  std::ranges::set_difference(places, known.places, std::back_inserter(joining));
  if (leaving.size() + joining.size() > known.places.size() / 32) return false;
  known.factor.clear_border();
  for (Index c = 0; c < std::ssize(joining); ++c) {
    std::vector<float> entries;
    const auto add = [&](std::int32_t other) {
      entries.push_back(*place(std::max(joining[c], other), std::min(joining[c], other)));
    };
    for (const std::int32_t member : known.places) add(member);
    for (Index other = 0; other <= c; ++other) add(joining[other]);
    entries.back() += static_cast<float>(l2[joining[c]]);
    known.factor.append(entries);
  }
  for (const std::int32_t left_place : leaving) {
    known.factor.fix_value(std::ranges::lower_bound(known.places, left_place) - known.places.begin(), 0.0);
  }
  return true;
}

bool GramModel::solve(std::span<const std::int32_t> places, std::span<const double> l2, SupportStep& step,
                      SupportFactor& known) const {
  if (!update_border(places, l2, known) && !factorize(places, l2, known)) return false;
  std::vector<Index> numbers;
  Index next = known.factor.size();
  for (const std::int32_t place : places) {
    const auto found = std::ranges::lower_bound(known.places, place);
    const bool member = found != known.places.end() && *found == place;
    numbers.push_back(member ? found - known.places.begin() : next++);
  }
  return step.solve(known.factor, numbers);
}

namespace {

// The gradient padded to whole tiles, in units of a power of two near the largest step: scaling rounds nothing, and
// steps fit single precision.
class PaddedGradient {
 public:
  PaddedGradient(std::span<double> g, Index padded, double largest_step)
      : g_(g), unit_(largest_step > 0 ? std::exp2(std::ilogb(largest_step)) : 1.0) {
    buffer_.assign(padded, 0.0);
    for (Index k = 0; k < std::ssize(g); ++k) buffer_[k] = g[k] / unit_;
  }
  ~PaddedGradient() {
    for (Index k = 0; k < std::ssize(g_); ++k) g_[k] = buffer_[k] * unit_;
  }
  PaddedGradient(const PaddedGradient&) = delete;
  PaddedGradient& operator=(const PaddedGradient&) = delete;
  double* data() { return buffer_.data(); }
  double unit() const { return unit_; }

 private:
  std::span<double> g_;
  double unit_;
  std::vector<double> buffer_;
};

}  // namespace

GramModel::TileUpdates::TileUpdates(Index rows) : steps(rows * side), moved(std::make_unique<bool[]>(rows)) {}

void GramModel::apply_one(const float* column, float step, double* own) {
  for (Index r = 0; r < side; ++r) own[r] -= static_cast<double>(step) * static_cast<double>(column[r]);
}

void GramModel::apply_updates(GradientPrefetch& prefetch, Index row, double* g) {
  const double* gradient = prefetch.take(row);
  for (Index r = 0; r < side; ++r) g[row * side + r] += gradient[r];
}

// One sweep over the coordinates in `order`. Pull, descend, push for each tile row (see the head of this file).
// `before` is a step that b took before the first sweep and g does not contain yet: tiles in front get it by their
// pull, those behind together with the tile's own steps by the push, so that it costs no pass of its own.
double GramModel::sweep(std::span<double> b, double* g, double unit, const CoordinatePenalty& penalty,
                        std::span<const std::int32_t> order, const float* before, TileUpdates& updates,
                        GradientPrefetch& prefetch) const {
  const Index rows = tile_rows();
  prefetch.begin_sweep();
  const double per_unit = 1 / unit;
  double largest = 0;  // step relative to its tolerance
  std::size_t at = 0;
  for (Index row = 0; row < rows; ++row) {
    apply_updates(prefetch, row, g);
    const float* tile = place(row * side, row * side);
    double* own = g + row * side;
    float* d = updates.of(row);
    float pushed[side] = {};
    bool pushes = false;
    if (before != nullptr) {
      std::copy_n(before + row * side, side, pushed);
      for (Index c = 0; c < side; ++c) {
        if (pushed[c] == 0) continue;
        pushes = true;
        apply_one(tile + c * side, pushed[c], own);
      }
    }
    std::fill(d, d + side, 0.0F);
    bool moves = false;
    for (; at < order.size() && order[at] / side == row; ++at) {
      const Index k = order[at];
      const Index c = order[at] % side;
      const float* column = tile + c * side;
      const auto curvature = static_cast<double>(column[c]);
      const double old = b[k];
      const double wanted = penalty.proximal_step(k, unit * own[c] + curvature * old, curvature);
      // b takes the step as rounded for G, so that g remains its gradient; an exact zero of the threshold stays zero.
      const auto step = static_cast<float>((wanted - old) * per_unit);
      if (step == 0) continue;
      moves = true;
      d[c] = step;
      pushed[c] += step;
      b[k] = wanted == 0 ? 0.0 : old + unit * static_cast<double>(step);
      apply_one(column, step, own);
      const double moved = unit * std::abs(static_cast<double>(step)) * (curvature + penalty.l2[k]);
      largest = std::max(largest, moved / penalty.step_tolerance[k]);
    }
    updates.moved[row] = moves;
    if (moves || pushes) kernels().tile_push(gram_.get(), row, rows, pushed, g);
  }
  return largest;
}

Descent GramModel::descend(std::span<double> b, std::span<double> g, const CoordinatePenalty& penalty, Index max_sweeps,
                           std::span<const double> pending_step) const {
  double largest = 0;
  for (Index k = 0; k < std::ssize(b); ++k) {
    const double curvature = diagonal(k);
    if (curvature > 0) largest = std::max(largest, std::abs(b[k]) + std::abs(g[k]) / curvature);
  }
  for (const double step : pending_step) largest = std::max(largest, std::abs(step));
  PaddedGradient gradient(g, tile_rows() * side, largest);
  TileUpdates updates(tile_rows());
  for (Index k = 0; k < std::ssize(pending_step); ++k) {
    updates.steps[k] = static_cast<float>(pending_step[k] / gradient.unit());
    if (updates.steps[k] != 0) updates.moved[k / side] = true;
  }
  const std::vector<float> steps = pending_step.empty() ? std::vector<float>() : updates.steps;
  const float* before = pending_step.empty() ? nullptr : steps.data();
  GradientPrefetch prefetch(tile_rows(), [&](Index row, double* sum) {
    std::fill_n(sum, side, 0.0);
    kernels().tile_pull(gram_.get(), row, tile_rows(), updates.steps.data(), updates.moved.get(), sum);
  });
  Descent descent;
  const auto take_steps = [&] {
    const GradientPrefetch::Consumer consumer(prefetch);
    descent = active_set_descent(b, max_sweeps, [&](std::span<const std::int32_t> order) {
      return sweep(b, gradient.data(), gradient.unit(), penalty, order, std::exchange(before, nullptr), updates,
                   prefetch);
    });
    prefetch.begin_sweep();
    for (Index row = 0; row < tile_rows(); ++row) apply_updates(prefetch, row, gradient.data());
  };
  constexpr Index least_rows_shared = 12;
  const Index tasks = tile_rows() < least_rows_shared ? 1 : 2;
  parallel_for(tasks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) task == 0 ? take_steps() : prefetch.run_ahead();
  });
  return descent;
}

}  // namespace tamis
