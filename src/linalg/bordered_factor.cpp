// Solves systems that differ from a factored A = LL' by a few rows and columns.
//
// System     [ A  U ] [x]   [rhs]    A in single precision, U one column per border row, C symmetric
//            [ U' C ] [z] = [ c ]
// Border     an appended coordinate: U its entries with A, C its entries with those appended before;
//            a fixed value x_k = v: U the unit vector e_k, C zero, c = v; z is then the multiplier that takes the
//            equation of coordinate k out of the system.
// Algorithm  eliminate A: (C - U'A^-1 U) z = c - U'A^-1 rhs, then x = A^-1 (rhs - U z). The small matrix is indefinite
//            (fixed values), so it is solved by LU with pivoting, in double precision.
// Cost       two triangular solves per border row, A^-1 e_k cached over calls, against size^3 / 3 for a new factor.
// Accuracy   that of single precision times the condition of A: callers use it for steps, never for certificates.
#include "linalg/bordered_factor.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/cholesky.hpp"

extern "C" {
void dgesv_(const int* size, const int* columns, double* A, const int* stride, int* pivots, double* x,
            const int* x_stride, int* info);
}

namespace tamis {

bool BorderedFactor::factorize(std::unique_ptr<float[]> lower, Index size) {
  *this = BorderedFactor();
  if (!shared_cholesky(span_of(lower.get(), size * size), size)) return false;
  factor_ = std::move(lower);
  size_ = size;
  return true;
}

void BorderedFactor::clear_border() {
  border_.clear();
  appended_.clear();
  corners_.clear();
  std::erase_if(solved_sides_, [this](const auto& entry) { return entry.first >= size_; });
}

void BorderedFactor::append(std::span<const float> entries) {
  const auto side = entries.first(size_);
  const auto corner = entries.subspan(size_);
  const Index coordinate = size_ + std::ssize(appended_);
  appended_.push_back(border());
  corners_.emplace_back(corner.begin(), corner.end());
  border_.push_back({.coordinate = coordinate, .appended = true, .value = 0, .side = Column(side.begin(), side.end())});
}

void BorderedFactor::fix_value(Index k, double value) {
  border_.push_back({.coordinate = k, .appended = false, .value = value, .side = {}});
}

void BorderedFactor::set_right_hand_side(std::vector<double> rhs) {
  rhs_ = std::move(rhs);
  double largest = 0;
  for (const double r : rhs_) largest = std::max(largest, std::abs(r));
  unit_ = largest > 0 ? largest : 1.0;
  solved_rhs_.clear();
  for (Index k = 0; k < size_; ++k) {
    solved_rhs_.push_back(static_cast<float>(rhs_[k] / unit_));
  }
  solve_by_factor(factor(), size_, solved_rhs_);
}

const BorderedFactor::Column* BorderedFactor::solved_side(const Row& row) const {
  if (!row.appended && row.coordinate >= size_) return nullptr;
  const auto found = solved_sides_.find(row.coordinate);
  return found != solved_sides_.end() ? &found->second : nullptr;
}

// A^-1 U for the border rows whose column is not cached, in one call: several right-hand sides share the traffic of L.
void BorderedFactor::solve_sides() {
  std::vector<Index> coordinates;
  Column sides;
  for (const Row& row : border_) {
    if ((!row.appended && row.coordinate >= size_) || solved_side(row) != nullptr) continue;
    coordinates.push_back(row.coordinate);
    sides.insert(sides.end(), row.side.begin(), row.side.end());
    if (row.appended) continue;
    sides.resize(sides.size() + size_, 0.0F);
    sides[sides.size() - (size_ - row.coordinate)] = 1;
  }
  solve_by_factor(factor(), size_, sides);
  for (Index k = 0; k < std::ssize(coordinates); ++k) {
    const float* column = sides.data() + k * size_;
    solved_sides_[coordinates[k]].assign(column, column + size_);
  }
}

double BorderedFactor::side_times(const Row& row, const Column& x) const {
  if (!row.appended) return row.coordinate < size_ ? static_cast<double>(x[row.coordinate]) : 0;
  double total = 0;
  for (Index i = 0; i < std::ssize(x); ++i) total += static_cast<double>(row.side[i]) * static_cast<double>(x[i]);
  return total;
}

// C: entries among the appended coordinates, and a 1 where one of these is fixed at a value.
Matrix BorderedFactor::corner() const {
  Matrix C(border(), border());
  const auto set = [&](Index k, Index l, double entry) { C(k, l) = C(l, k) = entry; };
  for (Index j = 0; j < std::ssize(appended_); ++j) {
    for (Index i = 0; i <= j; ++i) set(appended_[j], appended_[i], static_cast<double>(corners_[j][i]));
  }
  for (Index l = 0; l < border(); ++l) {
    const Row& row = border_[l];
    if (!row.appended && row.coordinate >= size_) set(appended_[row.coordinate - size_], l, 1);
  }
  return C;
}

// (C - U'A^-1 U) z = c - U'A^-1 rhs.
bool BorderedFactor::solve_border(Matrix& z) const {
  Matrix S = corner();
  for (Index l = 0; l < border(); ++l) {
    const Row& row = border_[l];
    const double right = row.appended ? rhs_[row.coordinate] : row.value;
    z(l, 0) = right - unit_ * side_times(row, solved_rhs_);
    const Column* solved = solved_side(row);
    if (solved == nullptr) continue;
    for (Index k = 0; k < border(); ++k) S(k, l) -= side_times(border_[k], *solved);
  }
  const int rows = static_cast<int>(border()), one = 1;
  std::vector<int> pivots(border_.size());
  int info = 0;
  dgesv_(&rows, &one, S.col(0), &rows, pivots.data(), z.col(0), &rows, &info);
  return info == 0;
}

// A's coordinates are A^-1 (rhs - U z).
std::vector<double> BorderedFactor::solve() {
  std::vector<double> x(solved_rhs_.begin(), solved_rhs_.end());
  for (double& value : x) value *= unit_;
  if (border() == 0) return x;
  solve_sides();
  Matrix z(border(), 1);
  if (!solve_border(z)) return {};
  for (Index l = 0; l < border(); ++l) {
    const Column* solved = solved_side(border_[l]);
    if (solved == nullptr) continue;
    for (Index k = 0; k < std::ssize(x); ++k) x[k] -= z(l, 0) * static_cast<double>((*solved)[k]);
  }
  for (const Index row : appended_) x.push_back(z(row, 0));
  for (const Row& row : border_) {
    if (!row.appended) x[row.coordinate] = row.value;  // to the last bit
  }
  return x;
}

}  // namespace tamis
