#include "optim/follow.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/parallel.hpp"

namespace tamis {

void check_together(std::span<Checked* const> team) {
  std::vector<Checked*> waiting;
  Index columns = 0;
  for (Checked* f : team) {
    if (f->pending() == 0) continue;
    waiting.push_back(f);
    columns += f->pending();
  }
  if (waiting.empty()) return;
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
  // Small enough for memory and cache, large enough to keep all threads busy.
  const Index panel = std::clamp<Index>(32768 / columns, 256, 2048);
  Matrix c(std::min(panel, X.cols()), columns);
  for (Index first = 0; first < X.cols(); first += panel) {
    const Index count = std::min(panel, X.cols() - first);
    const MatrixView part(c.col(0), count, columns, c.rows());
    X.transpose_multiply(Columns::range(first, count), R, part);
    std::vector<Index> starts;
    Index at = 0;
    for (const Checked* f : waiting) {
      starts.push_back(at);
      at += f->pending();
    }
    parallel_for(static_cast<Index>(waiting.size()), 1, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) {
        const auto s = static_cast<std::size_t>(k);
        waiting[s]->check(first, ConstMatrixView(part.col(starts[s]), count, waiting[s]->pending(), part.stride));
      }
    });
  }
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
