// Training or held-out rows of a fold, copied out of the problem.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis {

struct Part {
  std::vector<Index> rows;  ///< of the whole, rising
  std::shared_ptr<const Design> X;
  std::vector<double> y;
  std::vector<double> weights;  ///< empty: ones
  std::vector<double> offset;   ///< empty: zeros

  /// Copies the rows listed; `whole` may be destroyed afterwards, unless problem() is used.
  Part(const Problem& whole, std::vector<Index> rows);

  /// The problem of these rows, everything else as in `whole`. A view: both must outlive it.
  Problem problem(const Problem& whole, std::span<const Index> groups) const;
};

}  // namespace tamis
