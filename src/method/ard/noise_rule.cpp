#include "method/ard/noise_rule.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

constexpr double first_share = 0.1;  // of the response's mean square
constexpr double least_share = 1e-12;
constexpr double settled_change = 1e-3;  // of the logarithm
constexpr double near_change = 0.05, rough_tolerance = 0.02, rough_cost = 1e-4;
constexpr Index most_rounds = 40;
constexpr Index free_rounds = 12;  // then a cycle is suspected, and steps are halved

// The units that explain most, as many as have no more than half as many features as there are degrees of freedom.
std::vector<Index> support_of(const Relevance& model, const RelevancePoint& point) {
  const RelevanceData& data = model.data();
  std::vector<std::pair<double, Index>> by_size;
  for (std::size_t k = 0; k < point.units.size(); ++k) {
    by_size.emplace_back(-point.gamma[k] * data.unit_norms()[point.units[k]], point.units[k]);
  }
  std::ranges::sort(by_size);
  std::vector<Index> kept;
  double features = 0;
  for (const auto& [size, u] : by_size) {
    features += static_cast<double>(data.members(u).size());
    if (features > std::max(1.0, data.degrees_of_freedom() / 2)) break;
    kept.push_back(u);
  }
  return kept;
}

// Residual sum of squares of least squares on these features. A grain of ridge for columns that repeat each other.
double least_squares(const Relevance& model, const std::vector<Index>& features) {
  const RelevanceData& data = model.data();
  const auto size = static_cast<Index>(features.size());
  if (size == 0) return data.response_square();
  Matrix H(size, size), B(size, data.targets());
  for (double ridge = 1e-14; ridge < 1; ridge *= 100) {
    for (Index b = 0; b < size; ++b) {
      const Index place = model.rows().place(features[b]);
      for (Index a = b; a < size; ++a) H(a, b) = model.rows().gram(model.rows().place(features[a]), place);
      H(b, b) *= 1 + ridge;
      for (Index l = 0; l < B.cols(); ++l) B(b, l) = data.correlations()(features[b], l);
    }
    if (cholesky(H)) break;
  }
  for (const CBLAS_TRANSPOSE side : {CblasNoTrans, CblasTrans}) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, side, CblasNonUnit, static_cast<int>(size),
                static_cast<int>(B.cols()), 1.0, H.col(0), static_cast<int>(size), B.col(0), static_cast<int>(size));
  }
  return data.square(data.residual(features, B));
}

}  // namespace

double multiplicity_penalty(const RelevanceData& data) {
  const auto units = std::ranges::count_if(data.unit_norms(), [](double norm) { return norm > 0; });
  return std::max(0.0, 2 * std::log(static_cast<double>(std::max<std::ptrdiff_t>(1, units))) - 1);
}

NoiseSearch robust_noise(Relevance& model, RelevanceRequest request, const std::function<bool()>& proceed) {
  const RelevanceData& data = model.data();
  const double t = static_cast<double>(data.targets());
  const double unit = data.response_square() / (t * data.degrees_of_freedom());
  NoiseSearch search;
  search.noise_variance = first_share * unit;
  request.polish = false;
  request.judge = false;
  const RelevanceRequest strict = request;
  bool near = false;  // far from the fixed point a rough support will do
  for (Index round = 0; round < most_rounds && !search.settled && !search.cancelled; ++round) {
    request.tolerance = near ? strict.tolerance : rough_tolerance;
    request.cost_tolerance = near ? strict.cost_tolerance : rough_cost;
    request.model.noise_variance = search.noise_variance;
    search.visited.push_back(search.noise_variance);
    search.last = reweighted_l1(model, request, [&](const RelevancePoint&, double, double) { return proceed(); });
    search.cancelled = search.last.status == Status::cancelled;
    search.support = support_of(model, search.last.point);
    std::vector<Index> features;
    for (const Index u : search.support) {
      for (const Index j : data.members(u)) features.push_back(j);
    }
    const double free = std::max(1.0, data.degrees_of_freedom() - static_cast<double>(features.size()));
    double next = std::max(least_squares(model, features) / (t * free), least_share * unit);
    const double change = std::log(next / search.noise_variance);
    search.settled = near && std::abs(change) < settled_change;
    near = near || std::abs(change) < near_change || round + 1 >= free_rounds;
    if (round >= free_rounds && !search.settled) next = search.noise_variance * std::exp(change / 2);
    if (!search.cancelled) search.noise_variance = next;
  }
  return search;
}

}  // namespace tamis
