// Some columns of another Design in another order, without copying it: how data meet a model that knows its features
// by name. The inner Design must outlive the decorator.
#pragma once

#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

/// Column k is column `columns[k]` of the inner Design (repeats allowed), or zero everywhere.
class ColumnSubsetDesign final : public Design {
 public:
  static constexpr Index zero_column = -1;

  ColumnSubsetDesign(const Design& inner, std::vector<Index> columns);

  Index rows() const override { return inner_.rows(); }
  Index cols() const override { return std::ssize(columns_); }
  double stored_per_column() const override { return inner_.stored_per_column(); }

 protected:
  void local_gather(Columns c, MatrixView out) const override;
  void local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const override;
  void local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const override;
  void local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const override;
  std::optional<ColumnView> local_column(Index j) const override;

 private:
  // Those of `c` that are not zero: their place in `c` and their column in the inner Design.
  struct Present {
    std::vector<Index> places;
    std::vector<Index> inner;
  };
  Present present(Columns c) const;

  const Design& inner_;
  std::vector<Index> columns_;
};

}  // namespace tamis
