#include "optim/follow.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/scratch.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {

namespace {

// Columns at a time: few enough for memory and cache, enough to keep all threads busy. Wide panels are of one width but
// for a narrow last one: nothing is left to multiply while one thread looks at that.
Index width_of_panel(const Design& X, Index points, bool rereads_columns) {
  constexpr double cached_entries = 65536;     // half of a second-level cache
  constexpr double share_of_memory = 0.00125;  // of X, for each of the two panels
  constexpr Index narrow = 512;
  const double stored = std::max(1.0, X.stored_per_column());
  const double by_memory = share_of_memory * stored * static_cast<double>(X.cols());
  Index widest = std::clamp<Index>(16384 / points, 256, 768);
  widest = std::clamp(static_cast<Index>(by_memory / static_cast<double>(points)), widest, Index{8192});
  if (rereads_columns) widest = std::clamp(static_cast<Index>(cached_entries / stored), Index{64}, widest);
  if (widest < 2 * narrow || X.cols() < 4 * narrow) return widest;
  const Index wide = X.cols() - narrow, panels = (wide + widest - 1) / widest;
  return ((wide + panels - 1) / panels + 15) / 16 * 16;
}

// Every one of them sees all columns at its residuals.
void pass_over(std::span<Checked* const> waiting) {
  if (waiting.empty()) return;
  Index columns = 0;
  for (const Checked* f : waiting) columns += f->pending();
  const Design& X = waiting.front()->design();
  const bool alone = waiting.size() == 1;
  Matrix joined;
  if (!alone) {
    joined = Matrix(X.rows(), columns);
    Index at = 0;
    for (const Checked* f : waiting) {
      const ConstMatrixView r = f->residuals();
      std::copy(r.data, r.data + r.rows * r.cols, joined.col(at));
      at += r.cols;
    }
  }
  const ConstMatrixView R = alone ? waiting.front()->residuals() : joined.view();
  std::vector<Index> starts;
  Index at = 0;
  for (const Checked* f : waiting) {
    starts.push_back(at);
    at += f->pending();
  }
  const bool rereads = std::ranges::any_of(waiting, [](const Checked* f) { return f->rereads_columns(); });
  const Index panel = width_of_panel(X, columns, rereads);
  const Index panels = (X.cols() + panel - 1) / panel;
  const Index tallest = std::min(panel, X.cols());
  const Scratch even(tallest * columns), odd(tallest * columns);
  const auto part_of = [&](Index k) {
    return MatrixView((k % 2 == 0 ? even : odd).data(), std::min(panel, X.cols() - k * panel), columns, tallest);
  };
  const auto multiply = [&](Index k) {
    const MatrixView part = part_of(k);
    X.transpose_multiply(Columns::range(k * panel, part.rows), R, part);
  };
  const auto look = [&](Index k) {
    const MatrixView part = part_of(k);
    parallel_for(static_cast<Index>(waiting.size()), 1, [&](Index begin, Index end) {
      for (Index f = begin; f < end; ++f) {
        const auto s = static_cast<std::size_t>(f);
        waiting[s]->check(k * panel,
                          ConstMatrixView(part.col(starts[s]), part.rows, waiting[s]->pending(), part.stride));
      }
    });
  };
  // While one panel is looked at the next is multiplied: looking is one thread's work when there is one to look.
  if (panels > 0) multiply(0);
  for (Index k = 0; k < panels; ++k) {
    parallel_for(k + 1 < panels ? 2 : 1, 1, [&](Index begin, Index end) {
      for (Index task = begin; task < end; ++task) task == 0 ? look(k) : multiply(k + 1);
    });
  }
}

}  // namespace

void check_together(std::span<Checked* const> team, const std::function<void()>& meanwhile) {
  std::vector<Checked*> waiting;
  std::ranges::copy_if(team, std::back_inserter(waiting), [](const Checked* f) { return f->pending() > 0; });
  const Index tasks = meanwhile ? 2 : 1;
  parallel_for(tasks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) task == tasks - 1 ? pass_over(waiting) : meanwhile();
  });
  parallel_for(static_cast<Index>(waiting.size()), 1, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) waiting[static_cast<std::size_t>(k)]->finish_check();
  });
}

std::vector<double> penalty_grid(double largest, double ratio, Index length) {
  std::vector<double> grid(static_cast<std::size_t>(length));
  for (Index k = 0; k < length; ++k) {
    grid[static_cast<std::size_t>(k)] =
        length == 1 ? largest : largest * std::pow(ratio, static_cast<double>(k) / static_cast<double>(length - 1));
  }
  return grid;
}

}  // namespace tamis
