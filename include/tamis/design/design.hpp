// Design: where the numbers of X are and how they are multiplied. Every method is written on these operations
// and so runs on every kind of matrix. Public functions check shapes once and call a virtual local_*; only
// local_gather and the sizes are mandatory for a new kind, the others have correct (slow) default bodies.
// All operations are const and thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

class Panels;

/// Some columns of a Design: a range or a list. A view: the list must outlive it.
class Columns {
 public:
  static Columns range(Index first, Index count) { return Columns(first, count, nullptr); }
  Columns(std::span<const Index> list) : Columns(0, std::ssize(list), list.data()) {}
  Columns(const std::vector<Index>& list) : Columns(std::span<const Index>(list)) {}

  Index size() const { return count_; }
  Index operator[](Index k) const { return list_ != nullptr ? list_[k] : first_ + k; }
  bool is_range() const { return list_ == nullptr; }
  /// The list; nullptr for a range.
  const Index* list() const { return list_; }
  /// Columns k, k + 1, ..., k + count - 1 of these.
  Columns slice(Index k, Index count) const {
    return list_ != nullptr ? Columns(0, count, list_ + k) : Columns(first_ + k, count, nullptr);
  }

 private:
  Columns(Index first, Index count, const Index* list) : first_(first), count_(count), list_(list) {}
  Index first_;
  Index count_;
  const Index* list_;
};

/// One column as an inner loop sees it: entry i is (x_i - center) * factor, where x has the stored `values`
/// at `rows` (nullptr: at 0, 1, ..., count - 1) and is zero elsewhere.
struct ColumnView {
  const double* values = nullptr;
  const std::int32_t* rows = nullptr;
  Index count = 0;
  union {
    double center = 0;
    double centre;  ///< the former name, for one release
  };
  double factor = 1;
};

class Design {
 public:
  virtual ~Design() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// All columns.
  Columns all() const { return Columns::range(0, cols()); }

  /// R += X_c V. V is |c| x m, R is rows x m.
  void multiply_add(Columns c, ConstMatrixView V, MatrixView R) const;
  /// out = X_c' R. R is rows x m, out is |c| x m. One pass over X whatever m; m up to 8 costs little more than 1.
  void transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const;
  /// The same to the last bit, for products that are looked at once and not kept: visit(k, part) sees those of columns
  /// c[k], c[k + 1], ... in the rows of `part`, and may overwrite them. Several threads visit, in any order.
  using Visit = std::function<void(Index k, MatrixView part)>;
  void visit_products(Columns c, ConstMatrixView R, const Visit& visit) const;
  /// out = X_c' W X_c, both triangles; W = diag(weights), empty: identity.
  void gram(Columns c, std::span<const double> weights, MatrixView out) const;
  /// out = X_a' W X_b, |a| x |b|.
  void cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const;
  /// out_k = sum_i weights_i x_ik^2.
  void squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const;
  /// A dense copy of the columns, rows x |c|.
  void gather(Columns c, MatrixView out) const;
  /// Column j for an inner loop, if this kind has it in memory (valid as long as the Design).
  std::optional<ColumnView> column(Index j) const;
  /// Sum over samples of a_i b_i: reductions over rows belong to the Design, for rows may live elsewhere.
  double sample_dot(std::span<const double> a, std::span<const double> b) const;
  /// Stored numbers per column on average: what a pass over one column costs (rows for dense kinds).
  virtual double stored_per_column() const { return static_cast<double>(rows()); }

 protected:
  virtual void local_gather(Columns c, MatrixView out) const = 0;
  virtual void local_multiply_add(Columns c, ConstMatrixView V, MatrixView R) const;
  virtual void local_transpose_multiply(Columns c, ConstMatrixView R, MatrixView out) const;
  virtual void local_visit_products(Columns c, ConstMatrixView R, const Visit& visit) const;
  virtual void local_gram(Columns c, std::span<const double> weights, MatrixView out) const;
  virtual void local_cross_gram(Columns a, Columns b, std::span<const double> weights, MatrixView out) const;
  virtual void local_squared_norms(Columns c, std::span<const double> weights, std::span<double> out) const;
  virtual std::optional<ColumnView> local_column(Index j) const;
};

/// A view on the caller's column-major memory: nothing is copied, the memory must outlive the Design.
class DenseDesign final : public Design {
 public:
  explicit DenseDesign(ConstMatrixView values) : values_(values) {}
  Index rows() const override { return values_.rows; }
  Index cols() const override { return values_.cols; }

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
  ConstMatrixView values_;
};

/// Compressed sparse columns: column j has values[starts[j] .. starts[j+1]) at rows[...], rows increasing.
struct SparseColumns {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> starts;          ///< cols + 1 of them
  std::vector<std::int32_t> indices;  ///< row of each stored value
  std::vector<double> values;
};

/// The same in the caller's memory. A template, so that a list of numbers in braces is never mistaken for memory.
struct SparseView {
  template <class Starts, class Indices, class Values>
  SparseView(Index n, Index p, const Starts& column_starts, const Indices& row_indices, const Values& stored)
      : rows(n), cols(p), starts(column_starts), indices(row_indices), values(stored) {}

  Index rows;
  Index cols;
  std::span<const Index> starts;
  std::span<const std::int32_t> indices;
  std::span<const double> values;
};

class SparseDesign final : public Design {
 public:
  /// Takes the memory; throws InvalidInput if the structure is invalid (starts, ranges, order).
  explicit SparseDesign(SparseColumns columns);
  /// Nothing is copied, the memory must outlive the Design. Throws as above.
  explicit SparseDesign(const SparseView& columns);
  SparseDesign(const SparseDesign&) = delete;
  SparseDesign& operator=(const SparseDesign&) = delete;
  Index rows() const override { return columns_.rows; }
  Index cols() const override { return columns_.cols; }
  double stored_per_column() const override;
  const SparseView& columns() const { return columns_; }

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
  Index stored_in(Columns c) const;
  void multiply_add_rows(Columns c, ConstMatrixView V, MatrixView R, Index first, Index last) const;
  void transpose_multiply_few(Columns c, ConstMatrixView R, MatrixView out) const;
  void transpose_multiply_panels(Columns c, const Panels& R, MatrixView out) const;
  void cross_gram_of_group(Columns a, Columns b, std::span<const double> weights, MatrixView out) const;

  SparseColumns owned_;  // empty for a view
  SparseView columns_;
};

}  // namespace tamis
