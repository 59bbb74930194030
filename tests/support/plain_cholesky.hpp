// Cholesky's factor in plain loops, for references in tests: nothing in it is the library's, a reader can check it, and
// it takes any type of number, for references that need more digits than a double has. Eigen would do all this too, but
// each test that includes it is compiled for ten seconds or more.
#pragma once

#include <cmath>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis::test {

/// A = LL' for a symmetric positive definite A.
template <class Scalar>
class PlainCholesky {
 public:
  /// A has n rows; entry(i, k) is asked for k <= i.
  template <class Entry>
  PlainCholesky(Index n, Entry entry) : n_(n), L_(n * n, Scalar(0)) {
    using std::sqrt;
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k <= i; ++k) {
        Scalar sum = entry(i, k);
        for (Index m = 0; m < k; ++m) sum -= L(i, m) * L(k, m);
        if (i == k) definite_ = definite_ && sum > 0;
        L(i, k) = i == k ? Scalar(sqrt(sum)) : Scalar(sum / L(k, k));
      }
    }
  }

  /// False if A is not positive definite; the factor is worth nothing then.
  bool definite() const { return definite_; }

  /// L^-1 b
  template <class Vector>
  std::vector<Scalar> half_solve(const Vector& b) const {
    std::vector<Scalar> x(b.begin(), b.end());
    for (Index i = 0; i < n_; ++i) {
      for (Index k = 0; k < i; ++k) x[i] -= L(i, k) * x[k];
      x[i] /= L(i, i);
    }
    return x;
  }
  /// A^-1 b
  template <class Vector>
  std::vector<Scalar> solve(const Vector& b) const {
    std::vector<Scalar> x = half_solve(b);
    for (Index i = n_ - 1; i >= 0; --i) {
      for (Index k = i + 1; k < n_; ++k) x[i] -= L(k, i) * x[k];
      x[i] /= L(i, i);
    }
    return x;
  }
  /// a' A^-1 b
  template <class Vector>
  Scalar product(const Vector& a, const Vector& b) const {
    const std::vector<Scalar> u = half_solve(a), v = half_solve(b);
    Scalar sum = 0;
    for (Index i = 0; i < n_; ++i) sum += u[i] * v[i];
    return sum;
  }
  Scalar log_determinant() const {
    using std::log;
    Scalar sum = 0;
    for (Index i = 0; i < n_; ++i) sum += 2 * log(L(i, i));
    return sum;
  }
  /// log N(y; 0, A)
  template <class Vector>
  Scalar log_normal(const Vector& y) const {
    using std::log;
    return -(product(y, y) + log_determinant() + static_cast<Scalar>(n_) * log(Scalar(2 * M_PI))) / 2;
  }

 private:
  Scalar& L(Index i, Index k) { return L_[i * n_ + k]; }
  const Scalar& L(Index i, Index k) const { return L_[i * n_ + k]; }

  Index n_;
  bool definite_ = true;
  std::vector<Scalar> L_;  // row by row
};

}  // namespace tamis::test
