// Components planted in a random regression, for the tests of ard with covariance components.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "linalg/dense_algebra.hpp"
#include "tamis/base/random.hpp"
#include "tamis/method/method.hpp"

namespace tamis::ard_test {

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Matrix A(rows, cols);
  for (Index j = 0; j < cols; ++j) RandomStream(seed, 7, static_cast<std::uint64_t>(j)).normals(A.column(j));
  return A;
}

inline Matrix transposed(const Matrix& A) {
  Matrix out(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) out(j, i) = A(i, j);
  }
  return out;
}

// Response made of the components in `planted`, with coefficients L c, c standard normal times `size`.
struct Planted {
  Matrix X, Y;
  std::vector<Matrix> values;
  std::vector<CovarianceComponent> components;

  Planted(Index n, Index p, Index count, Index rank, std::uint64_t seed) : X(random_matrix(n, p, seed)), Y(n, 1) {
    for (Index i = 0; i < count; ++i) {
      values.push_back(random_matrix(p, rank, seed + 1000 + static_cast<std::uint64_t>(i)));
      for (Index a = 0; a < rank; ++a) {
        for (double& v : values.back().column(a)) v /= std::sqrt(static_cast<double>(p * rank));
      }
    }
    list();
  }

  void list() {
    components.clear();
    for (Index i = 0; i < std::ssize(values); ++i) {
      components.push_back(
          {"c" + std::to_string(i + 1), values[i].rows() == X.rows() && values[i].cols() == X.rows(), values[i]});
    }
  }

  // Column l of Y: noise of unit variance and the components' parts.
  void respond(std::span<const Index> planted, double size, std::uint64_t seed, Index targets = 1) {
    Y = Matrix(X.rows(), targets);
    for (Index l = 0; l < targets; ++l) {
      RandomStream(seed, 8, static_cast<std::uint64_t>(l)).normals(Y.column(l));
      for (const Index i : planted) {
        std::vector<double> c(values[i].cols()), b(X.cols());
        RandomStream(seed, 9 + static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(l)).normals(c);
        add_multiply(values[i], c, b);
        for (double& each : b) each *= size;
        add_multiply(X, b, Y.column(l));
      }
    }
  }

  Problem problem(const Design& design) const {
    Problem made{.X = design, .y = Y.column(0), .likelihood = family("gaussian")};
    if (Y.cols() > 1) made.more_responses = ConstMatrixView(Y.col(1), Y.rows(), Y.cols() - 1);
    made.components = components;
    return made;
  }
};

}  // namespace tamis::ard_test
