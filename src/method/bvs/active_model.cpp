// Rank-one updates of a regression when one feature enters or leaves, and of r_j and s_j of all others.
//
// add i      b = C G_gi, u = (G_.i - G_.g b) / s_i, d = r_i / s_i:
//              C <- [C + bb'/s_i, -b/s_i; -b'/s_i, 1/s_i],  m <- [m - b d; d],  s -= s_i u^2,  r -= r_i u
// drop i     z = C[:,i], c = C_ii, m_i; u = G_.g z:
//              s += u^2 / c,  r += u m_i / c,  C -= zz'/c,  m -= z m_i / c;  s_i = 1/c and r_i = m_i / c exactly, where
//              the formula for the others would cancel
// Memory     Blocks of 512 features: u stays in the first-level cache while the columns of G stream by once.
// Invariant  r and s of features inside are 0 and 1: dead values that every pass may read.
// Rounding   s_j below -1e-8 x_j'Wx_j, or C_ii <= 0, says that errors have piled up. Chains rebuild every 250 steps
//            besides.
#include "method/bvs/active_model.hpp"

#include <algorithm>
#include <cmath>

#include "base/simd_dispatch.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {
namespace {

constexpr Index block = 512;
// Of x_j'Wx_j: below minus this s_j is no rounding error of a feature in the span of the model any more.
constexpr double worst_negative = 1e-8;
// A pivot below this share of its diagonal: the feature is in the span of the others.
constexpr double least_pivot = 1e-9;

// u = factor * sum_a weights_a columns_a + start (nullptr: 0) over `count` entries from `first` on, columns four at a
// time.
[[gnu::always_inline]] inline void combine(const GramColumns::Column* columns, const double* weights, Index size,
                                           Index first, Index count, double* u) {
  Index a = 0;
  for (; a + 4 <= size; a += 4) {
    const double *g0 = columns[a]->data() + first, *g1 = columns[a + 1]->data() + first,
                 *g2 = columns[a + 2]->data() + first, *g3 = columns[a + 3]->data() + first;
    const double w0 = weights[a], w1 = weights[a + 1], w2 = weights[a + 2], w3 = weights[a + 3];
    for (Index j = 0; j < count; ++j) u[j] += w0 * g0[j] + w1 * g1[j] + w2 * g2[j] + w3 * g3[j];
  }
  for (; a < size; ++a) {
    const double* g = columns[a]->data() + first;
    const double w = weights[a];
    for (Index j = 0; j < count; ++j) u[j] += w * g[j];
  }
}

}  // namespace

ActiveModel::ActiveModel(const NormalEquations& data) : data_(data) { clear(); }

void ActiveModel::clear() {
  features_.clear();
  columns_.clear();
  C_.clear();
  m_.clear();
  explained_ = 0;
  trouble_ = false;
  r_.assign(data_.correlation.begin(), data_.correlation.end());
  s_.resize(data_.squares.size());
  for (Index j = 0; j < std::ssize(s_); ++j) s_[j] = data_.squares[j] + data_.ridge;
}

void ActiveModel::copy_from(const ActiveModel& other) {
  data_ = other.data_;
  features_ = other.features_;
  columns_ = other.columns_;
  C_ = other.C_;
  m_ = other.m_;
  explained_ = other.explained_;
  r_ = other.r_;
  s_ = other.s_;
  trouble_ = other.trouble_;
}

Index ActiveModel::place_of(Index feature) const {
  const auto found = std::ranges::find(features_, feature);
  return found == features_.end() ? -1 : found - features_.begin();
}

GramColumns::Column ActiveModel::column_of(Index feature, std::span<const Index> likely) const {
  GramColumns::Column column = data_.gram->find(feature);
  return column ? column : data_.gram->make(feature, likely);
}

void ActiveModel::shield_active() {
  for (const Index j : features_) {
    r_[j] = 0;
    s_[j] = 1;
  }
}

void ActiveModel::add(Index feature, std::span<const Index> likely) {
  const Index k = size(), p = std::ssize(r_);
  const GramColumns::Column own = column_of(feature, likely);
  const double si = s_[feature], ri = r_[feature], d = ri / si;
  std::vector<double> b(k, 0.0);
  for (Index a = 0; a < k; ++a) {
    const double g = (*own)[features_[a]];
    for (Index c = 0; c < k; ++c) b[c] += C_[a * k + c] * g;
  }
  std::vector<double> minus_b(k);
  for (Index a = 0; a < k; ++a) minus_b[a] = -b[a];
  bool trouble = !(si > 0);
  simd_dispatch([&] {
    double u[block];
    double lowest = 0;
    for (Index first = 0; first < p; first += block) {
      const Index count = std::min(block, p - first);
      const double *g = own->data() + first, *squares = data_.squares.data() + first;
      double *r = r_.data() + first, *s = s_.data() + first;
      for (Index j = 0; j < count; ++j) u[j] = g[j];
      combine(columns_.data(), minus_b.data(), k, first, count, u);
      const double inverse = 1 / si;
      for (Index j = 0; j < count; ++j) {
        s[j] -= inverse * u[j] * u[j];
        r[j] -= d * u[j];
      }
      for (Index j = 0; j < count; ++j) lowest = std::min(lowest, s[j] + worst_negative * squares[j]);
    }
    trouble |= lowest < 0;
  });
  std::vector<double> C((k + 1) * (k + 1));
  for (Index c = 0; c < k; ++c) {
    for (Index a = 0; a < k; ++a) C[c * (k + 1) + a] = C_[c * k + a] + b[a] * b[c] / si;
    C[c * (k + 1) + k] = C[k * (k + 1) + c] = -b[c] / si;
    m_[c] -= b[c] * d;
  }
  C[k * (k + 1) + k] = 1 / si;
  C_.swap(C);
  m_.push_back(d);
  features_.push_back(feature);
  columns_.push_back(own);
  explained_ += ri * d;
  trouble_ |= trouble;
  shield_active();
}

void ActiveModel::drop(Index place) {
  const Index k = size(), p = std::ssize(r_), feature = features_[place];
  const std::vector<double> z(C_.begin() + place * k, C_.begin() + (place + 1) * k);
  const double c = z[place], mi = m_[place];
  trouble_ |= !(c > 0);
  const double by_square = 1 / c, by_mean = mi / c;
  simd_dispatch([&] {
    double u[block];
    for (Index first = 0; first < p; first += block) {
      const Index count = std::min(block, p - first);
      double *r = r_.data() + first, *s = s_.data() + first;
      for (Index j = 0; j < count; ++j) u[j] = 0;
      combine(columns_.data(), z.data(), k, first, count, u);
      for (Index j = 0; j < count; ++j) {
        s[j] += by_square * u[j] * u[j];
        r[j] += by_mean * u[j];
      }
    }
  });
  std::vector<double> C((k - 1) * (k - 1));
  const auto source = [&](Index a) { return a == place ? k - 1 : a; };  // the last one takes its place
  for (Index b = 0; b + 1 < k; ++b) {
    for (Index a = 0; a + 1 < k; ++a) {
      C[b * (k - 1) + a] = C_[source(b) * k + source(a)] - z[source(a)] * z[source(b)] * by_square;
    }
  }
  for (Index a = 0; a < k; ++a) m_[a] -= z[a] * by_mean;
  m_[place] = m_.back();
  m_.pop_back();
  features_[place] = features_.back();
  features_.pop_back();
  columns_[place] = columns_.back();
  columns_.pop_back();
  C_.swap(C);
  explained_ -= mi * by_mean;
  shield_active();
  s_[feature] = by_square;
  r_[feature] = by_mean;
}

std::vector<double> ActiveModel::precision() const {
  const Index k = size();
  std::vector<double> F(k * k, 0.0);
  for (Index b = 0; b < k; ++b) {
    for (Index a = b; a < k; ++a) F[b * k + a] = (*columns_[b])[features_[a]];
    F[b * k + b] = data_.squares[features_[b]] + data_.ridge;
  }
  return F;
}

// Cholesky factor of precision(), by columns; false, and the feature is left out, at a pivot that vanishes: it is in
// the span of those before it.
bool ActiveModel::factorize(std::vector<double>& L) {
  const Index k = size();
  const std::vector<double> F = precision();
  L.assign(k * k, 0.0);
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b <= a; ++b) {
      double sum = F[b * k + a];
      for (Index c = 0; c < b; ++c) sum -= L[c * k + a] * L[c * k + b];
      if (b < a) {
        L[b * k + a] = sum / L[b * k + b];
      } else if (sum > least_pivot * F[a * k + a]) {
        L[a * k + a] = std::sqrt(sum);
      } else {
        features_.erase(features_.begin() + a);
        columns_.erase(columns_.begin() + a);
        return false;
      }
    }
  }
  return true;
}

bool ActiveModel::rebuild(const NormalEquations& data) {
  data_ = data;
  columns_.clear();
  for (const Index j : features_) columns_.push_back(column_of(j, features_));
  std::vector<double> L;
  bool complete = true;
  while (!factorize(L)) complete = false;
  solve_active();
  project_others(L);
  trouble_ = false;
  shield_active();
  return complete;
}

// C, m and m'X_g'z.
void ActiveModel::solve_active() {
  const Index k = size();
  const std::vector<double> F = precision();
  Matrix inverse(k, k);
  for (Index b = 0; b < k; ++b) {
    for (Index a = b; a < k; ++a) inverse(a, b) = F[b * k + a];
  }
  if (k > 0) static_cast<void>(invert_positive(inverse));
  C_.assign(inverse.col(0), inverse.col(0) + k * k);
  m_.assign(k, 0.0);
  explained_ = 0;
  for (Index b = 0; b < k; ++b) {
    for (Index a = 0; a < k; ++a) m_[a] += C_[b * k + a] * data_.correlation[features_[b]];
  }
  for (Index a = 0; a < k; ++a) explained_ += m_[a] * data_.correlation[features_[a]];
}

// r = X'z - G m, and s = diag(X'WX) + ridge - the column sums of squares of L^-1 G'.
void ActiveModel::project_others(const std::vector<double>& L) {
  constexpr Index narrow = 64;
  const Index k = size(), p = std::ssize(r_);
  std::vector<double> minus_m(k), solved(k * narrow);
  for (Index a = 0; a < k; ++a) minus_m[a] = -m_[a];
  simd_dispatch([&] {
    for (Index first = 0; first < p; first += narrow) {
      const Index count = std::min(narrow, p - first);
      double *r = r_.data() + first, *s = s_.data() + first;
      for (Index j = 0; j < count; ++j) {
        r[j] = data_.correlation[first + j];
        s[j] = data_.squares[first + j] + data_.ridge;
      }
      combine(columns_.data(), minus_m.data(), k, first, count, r);
      for (Index a = 0; a < k; ++a) {
        double* v = solved.data() + a * narrow;
        const double* g = columns_[a]->data() + first;
        for (Index j = 0; j < count; ++j) v[j] = g[j];
        for (Index b = 0; b < a; ++b) {
          const double l = L[b * k + a];
          const double* w = solved.data() + b * narrow;
          for (Index j = 0; j < count; ++j) v[j] -= l * w[j];
        }
        const double pivot = 1 / L[a * k + a];
        for (Index j = 0; j < count; ++j) {
          v[j] *= pivot;
          s[j] -= v[j] * v[j];
        }
      }
    }
  });
}

void ActiveModel::exchange(Archive& archive, const NormalEquations& data) {
  data_ = data;
  archive(features_);
  archive(C_);
  archive(m_);
  archive(explained_);
  archive(r_);
  archive(s_);
  archive(trouble_);
  if (!archive.loading()) return;
  columns_.clear();
  for (const Index j : features_) columns_.push_back(column_of(j, features_));
}

}  // namespace tamis
