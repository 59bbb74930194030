// Products with K = X_c diag(scale) X_c' for sparse X, without forming K: iterations that take many of them.
//
// Copy       entries of the columns, scaled, sorted by the length of the column: consecutive inner loops have the same
//            trip count, which branch predictors learn. As large as X.
// Centering  (x - m)(x - m)'d = (x - m)(x'd - m 1'd); what m subtracts from every row is subtracted once at the end.
// Panels     32 columns of D (8 if there are few) in single precision, interleaved row by row: one pass over the
//            entries serves all of them. About six digits; where more are needed, times(d) is in double precision.
// Hazard     centers beyond 1e4 units of scale would cancel: over() then returns nothing, and callers use row_gram().
#include "design/sparse_row_gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/simd_dispatch.hpp"

namespace tamis {
namespace {

typedef float Eight __attribute__((vector_size(32)));

// A few vectors that stay in registers. Aligned explicitly: in code for processors without wide vectors the compiler
// would align less than the AVX2 version of the loop (simd_dispatch.hpp) expects.
template <int parts>
struct alignas(32) Lanes {
  static constexpr Index count = 8 * parts;
  Eight part[parts];

  void add(float by, const Lanes& other) {
    for (int i = 0; i < parts; ++i) part[i] += by * other.part[i];
  }
  float& operator[](Index l) { return reinterpret_cast<float*>(part)[l]; }
  float operator[](Index l) const { return reinterpret_cast<const float*>(part)[l]; }
};

using ManyLanes = Lanes<4>;
using FewLanes = Lanes<1>;

// Some columns of D row by row, and their sums.
template <class Lanes>
struct Panel {
  std::vector<Lanes> rows;
  Lanes sums = {};

  Panel(const Matrix& D, Index first) : rows(D.rows(), Lanes{}) {
    for (Index l = 0; l < std::min(Lanes::count, D.cols() - first); ++l) {
      const double* from = D.col(first + l);
      for (Index i = 0; i < std::ssize(rows); ++i) rows[i][l] = static_cast<float>(from[i]);
      sums[l] = static_cast<float>(std::accumulate(from, from + D.rows(), 0.0));
    }
  }
};

}  // namespace

// Counting sort of the columns by their number of entries, then the copy.
std::optional<SparseRowGram> SparseRowGram::over(const Design& X, Columns c) {
  constexpr double far = 1e4;  // centers in units of the scale, beyond which digits would cancel
  if (!(X.stored_per_column() < 0.1 * static_cast<double>(X.rows()))) return std::nullopt;
  std::vector<ColumnView> views;
  views.reserve(c.size());
  std::vector<std::size_t> places(X.rows() + 2, 0);  // of the first column of each length
  Index entries = 0;
  for (Index k = 0; k < c.size(); ++k) {
    const std::optional<ColumnView> x = X.column(c[k]);
    if (!x || x->rows == nullptr || std::abs(x->center * x->factor) > far) return std::nullopt;
    views.push_back(*x);
    ++places[x->count + 1];
    entries += x->count;
  }
  std::partial_sum(places.begin(), places.end(), places.begin());
  SparseRowGram passes;
  passes.rows_of_X_ = X.rows();
  passes.columns_.resize(views.size());
  for (Index k = 0; k < std::ssize(views); ++k) passes.columns_[places[views[k].count]++] = k;
  passes.starts_.reserve(views.size() + 1);
  passes.centers_.reserve(views.size());
  passes.rows_.reserve(entries);
  passes.values_.reserve(entries);
  for (const std::size_t k : passes.columns_) {
    const ColumnView& x = views[k];
    passes.starts_.push_back(std::ssize(passes.values_));
    passes.centers_.push_back(x.factor * x.center);
    passes.rows_.insert(passes.rows_.end(), x.rows, x.rows + x.count);
    for (Index e = 0; e < x.count; ++e) passes.values_.push_back(x.factor * x.values[e]);
  }
  passes.starts_.push_back(entries);
  return passes;
}

// x_k (x_k'd) with both centers: along = x'd - m 1'd, and -m along goes to every row, as one number at the end.
// Double precision, one vector.
std::vector<double> SparseRowGram::times(std::span<const double> d) const {
  std::vector<double> out(d.size(), 0.0);
  const double sum = std::accumulate(d.begin(), d.end(), 0.0);
  double shift = 0;
  const double* const values = values_.data();
  const std::int32_t* const rows = rows_.data();
  for (Index k = 0; k < std::ssize(centers_); ++k) {
    const Index begin = starts_[k], end = starts_[k + 1];
    double along = -centers_[k] * sum;
    for (Index e = begin; e < end; ++e) along += values[e] * d[rows[e]];
    shift += along * centers_[k];
    for (Index e = begin; e < end; ++e) out[rows[e]] += along * values[e];
  }
  for (double& v : out) v -= shift;
  return out;
}

std::vector<double> SparseRowGram::diagonal() const {
  std::vector<double> out(rows_of_X_, 0.0);
  double everywhere = 0;
  for (Index k = 0; k < std::ssize(centers_); ++k) {
    everywhere += centers_[k] * centers_[k];
    for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
      out[rows_[e]] += values_[e] * (values_[e] - 2 * centers_[k]);
    }
  }
  for (double& v : out) v += everywhere;
  return out;
}

// The one inner loop: for each column, the sum over its entries of value times a panel row of 8 or 32 numbers.
template <class Lanes, class Body>
void SparseRowGram::for_each(const Matrix& D, Index first, const Body& body) const {
  const Panel<Lanes> panel(D, first);
  simd_dispatch([&] {
    for (Index k = 0; k < std::ssize(centers_); ++k) {
      Lanes along = {};
      along.add(static_cast<float>(-centers_[k]), panel.sums);
      for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
        along.add(static_cast<float>(values_[e]), panel.rows[rows_[e]]);
      }
      body(k, along);
    }
  });
}

Matrix SparseRowGram::times(const Matrix& D, std::span<const double> scale) const {
  Matrix out(D.rows(), D.cols());
  for (Index first = 0; first < D.cols(); first += ManyLanes::count) {
    std::vector<ManyLanes> to(D.rows(), ManyLanes{});
    ManyLanes shift = {};
    for_each<ManyLanes>(D, first, [&](std::size_t k, const ManyLanes& along) {
      const auto factor = static_cast<float>(scale[columns_[k]]);
      shift.add(factor * static_cast<float>(centers_[k]), along);
      for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
        to[rows_[e]].add(factor * static_cast<float>(values_[e]), along);
      }
    });
    for (Index l = 0; l < std::min(ManyLanes::count, D.cols() - first); ++l) {
      for (Index i = 0; i < std::ssize(to); ++i) out.col(first + l)[i] = static_cast<double>(to[i][l]) - shift[l];
    }
  }
  return out;
}

// diag(X_c' D D' X_c): by the products of each column, never by the p x p matrix.
std::vector<double> SparseRowGram::squares(const Matrix& D) const {
  std::vector<double> out(columns_.size(), 0.0);
  for (Index first = 0; first < D.cols(); first += ManyLanes::count) {
    for_each<ManyLanes>(D, first, [&](std::size_t k, const ManyLanes& along) {
      Eight sum = {};
      for (const Eight& part : along.part) sum += part * part;
      for (int l = 0; l < 8; ++l) out[columns_[k]] += sum[l];
    });
  }
  return out;
}

// Compared in single precision, so products within six digits of `least` fall on either side.
// With few columns of D a narrow panel makes the pass as cheap as reading the entries.
void SparseRowGram::large_products(const Matrix& D, double least, const Visit& visit) const {
  if (D.cols() <= FewLanes::count) {
    find_large<FewLanes>(D, least, visit);
  } else {
    find_large<ManyLanes>(D, least, visit);
  }
}

template <class Lanes>
void SparseRowGram::find_large(const Matrix& D, double least, const Visit& visit) const {
  const auto bound = static_cast<float>(least);
  for (Index first = 0; first < D.cols(); first += Lanes::count) {
    const Index count = std::min(Lanes::count, D.cols() - first);
    for_each<Lanes>(D, first, [&](std::size_t k, const Lanes& along) {
      Eight largest = {};
      for (const Eight& part : along.part) {
        const Eight size = part < 0 ? -part : part;
        largest = size > largest ? size : largest;
      }
      float most = 0;
      for (int l = 0; l < 8; ++l) most = std::max(most, largest[l]);
      if (most < bound) return;
      for (Index l = 0; l < count; ++l) {
        if (std::abs(along[l]) >= bound) visit(columns_[k], first + l, along[l]);
      }
    });
  }
}

}  // namespace tamis
