#include "linalg/gauss_hermite.hpp"

#include <cmath>

#include "linalg/symmetric.hpp"

namespace tamis {

// Golub & Welsch (1969): nodes are the eigenvalues of the matrix of the three-term recurrence, weights the squares of
// the first entries of its eigenvectors.
NormalRule::NormalRule(Index count) {
  Matrix recurrence(count, count);
  for (Index k = 1; k < count; ++k) {
    recurrence(k, k - 1) = recurrence(k - 1, k) = std::sqrt(static_cast<double>(k));
  }
  nodes = symmetric_eigen(recurrence);
  for (Index k = 0; k < count; ++k) weights.push_back(recurrence(0, k) * recurrence(0, k));
}

}  // namespace tamis
