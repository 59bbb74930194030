// BorderedFactor: systems whose matrix changes by a few rows and columns, on one Cholesky factor in single precision.
//
// With A = LL' factorized, coordinates may join (their rows and columns of the matrix are given) and others be told
// their values. Each costs a right-hand side of A and a row of a small dense system, not another factor.
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
  /// Forgets who joined and whose value was told.
  void clear_border();

  Index size() const { return size_; }
  /// How many joined or were told their values.
  Index border() const { return std::ssize(border_); }

  /// A coordinate joins: its entries with A's coordinates, then with those who joined before, then its own. It is
  /// numbered size(), size() + 1, ... in the order of joining.
  void append(std::span<const float> entries);
  /// Coordinate k of the solution is to have this value.
  void fix_value(Index k, double value);
  /// The right-hand side, with an entry for each of A's coordinates and of those who joined: they all have.
  void set_right_hand_side(std::vector<double> rhs);
  /// The solution of all these coordinates; where a value was told the equation of that coordinate is left out. Empty
  /// if the system is singular.
  std::vector<double> solve();

 private:
  using Column = std::vector<float>;

  struct Row {
    Index coordinate;
    bool appended;  // or else told its value
    double value;   // that was told
    Column side;    // U: entries with A's coordinates; only of those who joined, else a unit vector
  };

  std::span<const float> factor() const { return span_of<const float>(factor_.get(), size_ * size_); }
  void solve_sides();
  Matrix corner() const;
  bool solve_border(Matrix& z) const;
  double side_times(const Row& row, const Column& x) const;
  /// A^-1 U of a row; none where one who joined is told its value.
  const Column* solved_side(const Row& row) const;

  Index size_ = 0;
  std::unique_ptr<float[]> factor_;
  std::vector<Row> border_;
  std::vector<Index> appended_;           // rows of the border, of coordinates size_, size_ + 1, ...
  std::vector<Column> corners_;           // of each of these: entries with those who joined before, and its own
  std::map<Index, Column> solved_sides_;  // by coordinate; A's own, columns of A^-1, are kept for the next border
  std::vector<double> rhs_;
  double unit_ = 1;
  Column solved_rhs_;  // A^-1 rhs / unit_
};

}  // namespace tamis
