// Noise variance as a fixed point of selection with a multiplicity penalty and an estimate on the selection.
//
// Algorithm  noise = .1 of the mean square; repeat
//              1 reweighted L1 at this noise under the penalty; its support
//              2 noise = RSS of least squares on the support / (dof - its rank), if the rank is at most dof / 2
//                otherwise (a kinship matrix has full rank) the noise of maximum evidence on the support
//            until log noise changes by less than 1e-3
// Why        as for features (robust_noise.cpp): with more columns than rows the evidence of all components grows
//            without bound as the noise goes to 0. That of the few selected ones does not.
// Departure  a support whose rank exceeds dof / 2 without any component that large is cut at dof / 2, strongest first.
#include <algorithm>
#include <cmath>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/ard/component_search.hpp"

namespace tamis {
namespace {

constexpr double first_share = 0.1, min_share = 1e-12;  // of the response's mean square
constexpr double noise_tolerance = 1e-3;                // of the logarithm
constexpr Index max_rounds = 40;
constexpr Index free_rounds = 12;  // then a cycle of supports is suspected, and steps in log noise are halved

class NoiseRule {
 public:
  NoiseRule(const ComponentEvidence& evidence, const ComponentRequest& request, const std::function<bool()>& proceed)
      : evidence_(evidence), data_(evidence.data()), request_(request), proceed_(proceed) {
    request_.refine = false;
    request_.algorithm = "reweighted-l1";
  }

  ComponentNoise run() {
    search_.variance = first_share * data_.mean_square();
    for (Index round = 0; round < max_rounds && !search_.converged && !search_.cancelled; ++round) step(round);
    return std::move(search_);
  }

 private:
  void step(Index round);
  bool take_support();
  double least_squares() const;
  double maximum_evidence();

  const ComponentEvidence& evidence_;
  const ComponentData& data_;
  ComponentRequest request_;
  const std::function<bool()>& proceed_;
  ComponentNoise search_;
};

// True if least squares can tell the noise from it.
bool NoiseRule::take_support() {
  const std::vector<double>& x = search_.last.point.at.x;
  std::vector<std::pair<double, Index>> by_size;
  search_.support.assign(data_.size(), 0);
  bool small = true;
  for (Index i = 0; i < data_.size(); ++i) {
    if (!(x[i] > 0)) continue;
    if (data_.is_large(i)) {
      small = false;
      search_.support[i] = 1;
    } else {
      by_size.emplace_back(-x[i], i);
    }
  }
  std::ranges::sort(by_size);
  double columns = 0;
  for (const auto& [size, i] : by_size) {
    columns += static_cast<double>(data_.rank(i));
    if (columns > std::max(1.0, data_.degrees_of_freedom() / 2)) break;
    search_.support[i] = 1;
  }
  return small;
}

// By an orthonormal basis of the columns, from their Gram matrix: overlapping components may be dependent.
double NoiseRule::least_squares() const {
  constexpr double dependent = 1e-12;  // eigenvalue relative to the largest
  Index columns = 0;
  for (Index i = 0; i < data_.size(); ++i) columns += search_.support[i] != 0 ? data_[i].rank : 0;
  Matrix T(data_.rows(), columns);
  Index next = 0;
  for (Index i = 0; i < data_.size(); ++i) {
    if (search_.support[i] == 0) continue;
    for (Index a = 0; a < data_[i].rank; ++a) std::ranges::copy(data_.factor(i).column(a), T.col(next++));
  }
  Matrix E = multiply_transposed(T, T);
  const std::vector<double> values = symmetric_eigen(E);
  Matrix R = data_.response();
  Index rank = 0;
  for (Index k = 0; k < columns; ++k) {
    if (!(values[k] > dependent * values.back())) continue;
    ++rank;
    const Matrix basis = multiply(T, ConstMatrixView(E.column(k)));
    const Matrix along = multiply_transposed(basis, R);
    for (Index l = 0; l < R.cols(); ++l) {
      for (Index i = 0; i < R.rows(); ++i) R(i, l) -= basis(i, 0) * along(0, l) / values[k];
    }
  }
  double square = data_.outside_square();
  for (Index l = 0; l < R.cols(); ++l) {
    for (const double r : R.column(l)) square += r * r;
  }
  const double free = std::max(1.0, data_.degrees_of_freedom() - static_cast<double>(rank));
  return square / (static_cast<double>(data_.targets()) * free);
}

double NoiseRule::maximum_evidence() {
  ComponentRequest request = request_;
  request.penalty = 0;
  request.bounds.allowed = search_.support;
  request.bounds.noise_moves = true;
  request.bounds.noise_floor = min_share * data_.mean_square();
  request.from = &search_.last.point.at;
  request.refine = request.only_refine = true;
  request.refined = 1e-8;
  const ComponentRun run =
      minimize_components(evidence_, request, [this](const ComponentPoint&, double, double) { return proceed_(); });
  search_.cancelled = run.status == Status::cancelled;
  return run.point.at.noise;
}

void NoiseRule::step(Index round) {
  search_.visited.push_back(search_.variance);
  request_.noise = search_.variance;
  search_.last =
      minimize_components(evidence_, request_, [this](const ComponentPoint&, double, double) { return proceed_(); });
  search_.cancelled = search_.last.status == Status::cancelled;
  if (search_.cancelled || !search_.last.point.valid) return;
  double next = take_support() ? least_squares() : maximum_evidence();
  if (search_.cancelled) return;
  next = std::max(next, min_share * data_.mean_square());
  const double change = std::log(next / search_.variance);
  search_.converged = std::abs(change) < noise_tolerance;
  if (round >= free_rounds && !search_.converged) next = search_.variance * std::exp(change / 2);
  search_.variance = next;
}

}  // namespace

ComponentNoise robust_component_noise(const ComponentEvidence& evidence, const ComponentRequest& request,
                                      const std::function<bool()>& proceed) {
  return NoiseRule(evidence, request, proceed).run();
}

}  // namespace tamis
