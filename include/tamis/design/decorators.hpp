// Designs made of another Design without copying it: standardized columns, and some of the rows.
// The inner Design must outlive the decorator.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

class Scratch;

/// Weighted mean and standard deviation (divisor: the sum of weights) of every column; a column whose spread is
/// rounding error only has deviation exactly 0. Empty weights: ones.
struct ColumnMoments {
  std::vector<double> mean;
  std::vector<double> deviation;
};
ColumnMoments column_moments(const Design& X, std::span<const double> weights);

/// Columns (x_j - center_j) / scale_j, exact and lazy: sparse data stay sparse. A column whose scale is 0
/// (constant) becomes exactly zero.
class StandardizedDesign final : public Design {
 public:
  /// `center` and `scale` have one entry per column.
  StandardizedDesign(const Design& inner, std::vector<double> center, std::vector<double> scale);
  /// Centers are the means, scales the deviations.
  StandardizedDesign(const Design& inner, std::shared_ptr<const ColumnMoments> moments);

  Index rows() const override { return inner_.rows(); }
  Index cols() const override { return inner_.cols(); }
  double stored_per_column() const override { return inner_.stored_per_column(); }
  std::span<const double> center() const { return center_; }
  /// The former name, for one release.
  std::span<const double> centre() const { return center_; }
  std::span<const double> scale() const { return scale_; }

 protected:
  void local_gather(Columns c, MatrixView out) const override;
  void local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const override;
  void local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const override;
  void local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const override;
  void local_gram(Columns c, std::span<const double> weights, MatrixView out) const override;
  void local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const override;
  void local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const override;
  std::optional<ColumnView> local_column(Index j) const override;

 private:
  /// 1 / scale, or 0 for a constant column.
  double factor(Index j) const { return scale_[j] == 0 ? 0 : 1 / scale_[j]; }
  void factors(Columns c, std::span<double> out) const;
  void standardize_products(Columns c, ConstMatrixView R, std::span<const double> sums, MatrixView out) const;
  bool any_far_for_squares(Columns c) const;
  double weighted_sums(Columns c, std::span<const double> weights, std::span<double> sums) const;

  const Design& inner_;
  std::shared_ptr<const ColumnMoments> moments_;
  std::span<const double> center_;
  std::span<const double> scale_;
};

/// The former name, for one release.
using StandardisedDesign = StandardizedDesign;

/// Some rows of another Design, in the order given (repeats allowed).
class RowSubsetDesign final : public Design {
 public:
  RowSubsetDesign(const Design& inner, std::vector<Index> rows);

  Index rows() const override { return std::ssize(rows_); }
  Index cols() const override { return inner_.cols(); }
  double stored_per_column() const override;

 protected:
  void local_gather(Columns c, MatrixView out) const override;
  void local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const override;
  void local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const override;
  void local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const override;
  void local_gram(Columns c, std::span<const double> weights, MatrixView out) const override;
  void local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const override;
  void local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const override;

 private:
  void scatter(ConstMatrixView R, const Scratch& whole) const;

  const Design& inner_;
  std::vector<Index> rows_;
};

}  // namespace tamis
