// Merges duplicate columns in the support of a lasso solution.
//
// Problem    With x_j = +-x_k the lasso's minimizers are a segment: only b_j +- b_k is determined. Coordinate descent
//            leaves an arbitrary split, which is then counted as two selected features.
// Algorithm  1 fingerprint of each support column: |x_j'z| with one random z, equal for duplicates up to sign
//            2 sort by fingerprint; neighbors within 1e-10 are compared entry by entry
//            3 the coefficient of both goes to the column with the smaller penalty factor, then the smaller index
// Cost       one product X_S'z and a sort; entries are compared for true duplicates and rare collisions only.
// Rows of weight 0 are ignored: columns that differ there only are duplicates for this problem.
#include "solver/path/duplicate_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tamis/base/random.hpp"

namespace tamis {
namespace {

// Relative to the largest entry. Columns this close predict the same to more digits than a solution has; copies in
// other units differ by rounding after standardization.
constexpr double same = 1e-10;

// Product of each column with one random vector: duplicates agree up to the sign, others almost surely do not.
std::vector<double> fingerprints(const PenalizedLoss& problem, const std::vector<Index>& columns) {
  std::vector<double> direction(problem.X.rows()), out(columns.size());
  RandomStream(/*seed=*/1).normals(direction);
  for (Index i = 0; i < std::ssize(problem.weights); ++i) {
    if (problem.weights[i] == 0) direction[i] = 0;
  }
  problem.X.transpose_multiply(Columns(columns), std::span<const double>(direction), std::span<double>(out));
  return out;
}

class Joiner {
 public:
  Joiner(const PenalizedLoss& problem, const PenalizedSolution& solution) : problem_(problem), joined_(solution) {}

  PenalizedSolution run() {
    const std::vector<Index> columns = columns_of(joined_);
    const std::vector<double> prints = fingerprints(problem_, columns);
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t s) { return std::pair(std::abs(prints[s]), columns[s]); });
    for (Index a = 0; a < std::ssize(order); ++a) {
      const double print = std::abs(prints[order[a]]);
      for (Index b = a + 1; b < std::ssize(order) && std::abs(prints[order[b]]) - print <= same * print; ++b) {
        join(order[a], order[b]);
      }
    }
    keep_nonzero();
    return std::move(joined_);
  }

 private:
  double factor(std::size_t s) const { return problem_.factor(joined_.support[s]); }

  void join(std::size_t s, std::size_t t) {
    if (joined_.values[s] == 0 || joined_.values[t] == 0 || factor(s) == 0 || factor(t) == 0) return;
    const double sign = sign_between(joined_.support[s], joined_.support[t]);
    if (sign == 0) return;
    if (std::pair(factor(t), joined_.support[t]) < std::pair(factor(s), joined_.support[s])) std::swap(s, t);
    joined_.values[s] += sign * joined_.values[t];
    joined_.values[t] = 0;
  }

  // 1 for equal columns, -1 for opposite ones, else 0. Rows that do not count may differ.
  double sign_between(Index j, Index k) const {
    const Index n = problem_.X.rows();
    const Index pair[] = {j, k};
    Matrix both(n, 2);
    problem_.X.gather(Columns(pair), both);
    double largest = 0, difference = 0, sum = 0;
    for (Index i = 0; i < n; ++i) {
      if (!problem_.weights.empty() && problem_.weights[i] == 0) continue;
      largest = std::max(largest, std::abs(both(i, 0)));
      difference = std::max(difference, std::abs(both(i, 0) - both(i, 1)));
      sum = std::max(sum, std::abs(both(i, 0) + both(i, 1)));
    }
    return difference <= same * largest ? 1 : sum <= same * largest ? -1 : 0;
  }

  void keep_nonzero() {
    std::size_t kept = 0;
    for (Index s = 0; s < std::ssize(joined_.values); ++s) {
      if (joined_.values[s] == 0) continue;
      joined_.support[kept] = joined_.support[s];
      joined_.values[kept++] = joined_.values[s];
    }
    joined_.support.resize(kept);
    joined_.values.resize(kept);
  }

  const PenalizedLoss& problem_;
  PenalizedSolution joined_;
};

}  // namespace

PenalizedSolution join_duplicates(const PenalizedLoss& problem, const PenalizedSolution& solution) {
  return Joiner(problem, solution).run();
}

}  // namespace tamis
