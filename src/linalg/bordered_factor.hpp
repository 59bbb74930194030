// BorderedFactor: systems whose matrix changes by a few rows and columns, on one Cholesky factor in single precision.
//
// With A = LL' factored, coordinates may be appended (their rows and columns of the matrix are given) and others fixed
// at given values. Each costs a right-hand side of A and a row of a small dense system instead of another
// factorization.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"

namespace tamis {

class BorderedFactor {
 public:
  /// Takes the lower triangle of A (column-major, `size` rows). False, and empty, if A is not positive definite.
  bool factorize(std::unique_ptr<float[]> lower, Index size);
  /// Drops appended coordinates and fixed values.
  void clear_border();

  Index size() const { return size_; }
  /// Number of appended coordinates and fixed values.
  Index border() const { return std::ssize(border_); }

  /// Appends a coordinate: its entries with A's coordinates, then with those appended before, then its own. They are
  /// numbered size(), size() + 1, ... in the order of the calls.
  void append(std::span<const float> entries);
  /// Fixes coordinate k of the solution at this value.
  void fix_value(Index k, double value);
  /// The right-hand side: an entry for each of A's coordinates and each appended one.
  void set_right_hand_side(std::vector<double> rhs);
  /// The solution in all these coordinates; the equation of a coordinate with a fixed value is left out. Empty if the
  /// system is singular.
  std::vector<double> solve();

 private:
  using Column = std::vector<float>;

  struct Row {
    Index coordinate;
    bool appended;  // or else fixed at a value
    double value;   // of a fixed coordinate
    Column side;    // U: entries with A's coordinates; only of appended coordinates, else a unit vector
  };

  std::span<const float> factor() const { return span_of<const float>(factor_.get(), size_ * size_); }
  void solve_sides();
  Matrix corner() const;
  bool solve_border(Matrix& z) const;
  double side_times(const Row& row, const Column& x) const;
  /// A^-1 U of a row; nullptr for a fixed value of an appended coordinate, whose U is zero.
  const Column* solved_side(const Row& row) const;

  Index size_ = 0;
  std::unique_ptr<float[]> factor_;
  std::vector<Row> border_;
  std::vector<Index> appended_;           // rows of the border, of coordinates size_, size_ + 1, ...
  std::vector<Column> corners_;           // of each of these: entries with those appended before, and its own
  std::map<Index, Column> solved_sides_;  // by coordinate; A's own, columns of A^-1, are kept for the next border
  std::vector<double> rhs_;
  double unit_ = 1;
  Column solved_rhs_;  // A^-1 rhs / unit_
};

}  // namespace tamis
