#include "method/bvs/slab_evidence.hpp"

#include <cmath>

#include "linalg/symmetric.hpp"

namespace tamis {

SlabEvidence::SlabEvidence(const ActiveModel& model, std::span<const double> correlation, double ridge) {
  const Index k = model.size();
  const std::vector<double> F = model.precision();
  Matrix A(k, k);
  for (Index b = 0; b < k; ++b) {
    for (Index a = b; a < k; ++a) A(a, b) = F[b * k + a] - (a == b ? ridge : 0.0);
  }
  eigenvalues_ = symmetric_eigen(A);
  for (Index e = 0; e < k; ++e) {
    double along = 0;
    for (Index a = 0; a < k; ++a) along += A(a, e) * correlation[model.features()[a]];
    squares_.push_back(along * along);
    eigenvalues_[e] = std::max(0.0, eigenvalues_[e]);
  }
}

SlabEvidence::Value SlabEvidence::at(double v) const {
  Value value;
  for (Index e = 0; e < std::ssize(eigenvalues_); ++e) {
    value.log_determinant += std::log1p(v * eigenvalues_[e]);
    value.explained += squares_[e] / (eigenvalues_[e] + 1 / v);
  }
  return value;
}

}  // namespace tamis
