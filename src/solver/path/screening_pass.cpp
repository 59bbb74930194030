// One pass over X for several problems: X'[R_1 R_2 ...] in panels of columns, each handed to its problem while in
// cache.
//
// Why joint  The pass is bound by the traffic of X: eight right-hand sides cost about 1.4 times one (measured). Folds
//            and blocks of penalties therefore share it; no features x residuals matrix is ever held.
// Any order  Each thread multiplies a part of the columns and delivers it at once (Design::visit_products). For
//            problems whose take_correlations() may be called concurrently.
// In order   Panels from the first column to the last, double-buffered: while panel k is delivered, k + 1 is
//            multiplied. For problems that carry state from panel to panel, such as the sums over features of the
//            mean-field path.
// Invariant  accept_points() of a problem is called after all of its columns were delivered and after `meanwhile`.
#include "solver/path/screening_pass.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/scratch.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

namespace {

// Residuals of all problems side by side; those of a single problem are not copied.
class JoinedResiduals {
 public:
  explicit JoinedResiduals(std::span<ScreenedProblem* const> waiting) {
    Index columns = 0;
    for (const ScreenedProblem* f : waiting) {
      starts_.push_back(columns);
      columns += f->pending();
    }
    all_ = waiting.front()->residuals();
    if (waiting.size() == 1) return;
    joined_ = Matrix(all_.rows, columns);
    for (Index f = 0; f < std::ssize(waiting); ++f) {
      const ConstMatrixView r = waiting[f]->residuals();
      std::copy(r.data, r.data + r.rows * r.cols, joined_.col(starts_[f]));
    }
    all_ = joined_;
  }
  ConstMatrixView all() const { return all_; }
  /// The columns of these products that belong to number f.
  ConstMatrixView of(std::size_t f, ConstMatrixView products) const {
    const Index end = f + 1 < starts_.size() ? starts_[f + 1] : products.cols;
    return {products.col(starts_[f]), products.rows, end - starts_[f], products.stride};
  }

 private:
  std::vector<Index> starts_;
  Matrix joined_;
  ConstMatrixView all_;
};

void pass_in_any_order(std::span<ScreenedProblem* const> waiting) {
  const JoinedResiduals residuals(waiting);
  const Design& X = waiting.front()->design();
  X.visit_products(X.all(), residuals.all(), [&](Index first, ConstMatrixView products) {
    for (Index f = 0; f < std::ssize(waiting); ++f) waiting[f]->take_correlations(first, residuals.of(f, products));
  });
}

// Columns per panel: few enough for memory and cache, enough to keep all threads busy. Panels are of equal width except
// for a narrow last one, because nothing is left to multiply while that one is delivered.
Index width_of_panel(const Design& X, Index points) {
  constexpr double cached_entries = 65536;     // half of a second-level cache
  constexpr double share_of_memory = 0.00125;  // of X, for each of the two panels
  constexpr Index narrow = 512;
  const double stored = std::max(1.0, X.stored_per_column());
  const double by_memory = share_of_memory * stored * static_cast<double>(X.cols()) / static_cast<double>(points);
  const Index most =
      std::clamp(static_cast<Index>(by_memory), std::clamp<Index>(16384 / points, 256, 768), Index{8192});
  const Index widest = std::clamp(static_cast<Index>(cached_entries / stored), Index{64}, most);
  if (widest < 2 * narrow || X.cols() < 4 * narrow) return widest;
  const Index wide = X.cols() - narrow, panels = (wide + widest - 1) / widest;
  return ((wide + panels - 1) / panels + 15) / 16 * 16;
}

void pass_in_order(std::span<ScreenedProblem* const> waiting) {
  const JoinedResiduals residuals(waiting);
  const ConstMatrixView R = residuals.all();
  const Design& X = waiting.front()->design();
  const Index panel = width_of_panel(X, R.cols);
  const Index panels = (X.cols() + panel - 1) / panel;
  const Index tallest = std::min(panel, X.cols());
  const Scratch even(tallest * R.cols), odd(tallest * R.cols);
  const auto part_of = [&](Index k) {
    return MatrixView((k % 2 == 0 ? even : odd).data(), std::min(panel, X.cols() - k * panel), R.cols, tallest);
  };
  const auto multiply = [&](Index k) {
    const MatrixView part = part_of(k);
    X.transpose_multiply(Columns::range(k * panel, part.rows), R, part);
  };
  const auto deliver = [&](Index k) {
    const MatrixView part = part_of(k);
    parallel_for(std::ssize(waiting), 1, [&](Index begin, Index end) {
      for (Index f = begin; f < end; ++f) {
        waiting[f]->take_correlations(k * panel, residuals.of(f, part));
      }
    });
  };
  // One panel is delivered while the next is multiplied: with a single problem, delivery keeps only one thread busy.
  if (panels > 0) multiply(0);
  for (Index k = 0; k < panels; ++k) {
    parallel_for(k + 1 < panels ? 2 : 1, 1, [&](Index begin, Index end) {
      for (Index task = begin; task < end; ++task) task == 0 ? deliver(k) : multiply(k + 1);
    });
  }
}

// All columns to every problem; in any order only if all of them allow it.
void run_pass(std::span<ScreenedProblem* const> waiting) {
  if (waiting.empty()) return;
  const bool any_order = std::ranges::all_of(waiting, [](const ScreenedProblem* f) { return f->takes_any_order(); });
  any_order ? pass_in_any_order(waiting) : pass_in_order(waiting);
}

}  // namespace

void screening_pass(std::span<ScreenedProblem* const> problems, const std::function<void()>& meanwhile) {
  std::vector<ScreenedProblem*> waiting;
  std::ranges::copy_if(problems, std::back_inserter(waiting),
                       [](const ScreenedProblem* f) { return f->pending() > 0; });
  const Index tasks = meanwhile ? 2 : 1;
  parallel_for(tasks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) task == tasks - 1 ? run_pass(waiting) : meanwhile();
  });
  parallel_for(std::ssize(waiting), 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) waiting[k]->accept_points();
  });
}

std::vector<double> penalty_grid(double largest, double ratio, Index length) {
  std::vector<double> grid(length);
  for (Index k = 0; k < length; ++k) {
    grid[k] =
        length == 1 ? largest : largest * std::pow(ratio, static_cast<double>(k) / static_cast<double>(length - 1));
  }
  return grid;
}

}  // namespace tamis
