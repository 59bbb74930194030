// Noise variance as a fixed point of selection with a multiplicity penalty and least squares on the selection.
//
// Algorithm  noise = .1 of the mean square; repeat
//              1 reweighted L1 at this noise with c = 2 log p - 1; its support, at most dof / 2 features
//              2 noise = RSS of least squares on the support / (dof - size of the support)
//            until log noise changes by less than 1e-3
// Why        maximum evidence (by EM, MacKay or gradients) sends the noise to 0 when p > n: 6 of 6 runs at p = 3n. The
//            penalty keeps about no feature of pure noise, since the largest of p chi2_1 variables is near 2 log p, and
//            least squares has no shrinkage that would inflate the residual.
// Numbers    n = 200, p = 500, 20 true: relative MSE .006 with 20 selected (oracle least squares .0056).
#include "method/ard/robust_noise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "tamis/design/column_subset.hpp"

namespace tamis {
namespace {

// Start and floor of the noise in units of the response's mean square; far from the fixed point (in log noise) the
// lasso steps are solved roughly, since only the support matters there.
constexpr double first_share = 0.1;  // of the response's mean square
constexpr double min_share = 1e-12;
constexpr double noise_tolerance = 1e-3;  // of the logarithm
constexpr double near_change = 0.05, rough_tolerance = 0.02, rough_cost = 1e-4;
constexpr Index max_rounds = 40;
constexpr Index free_rounds = 12;  // then a 2-cycle of supports is suspected, and steps in log noise are halved

// The groups with the largest prior share gamma |phi|^2 of the response, at most dof / 2 features: a larger support
// would interpolate, and its RSS say nothing about the noise.
std::vector<Index> support_of(const Relevance& model, const RelevancePoint& point) {
  const RelevanceData& data = model.data();
  std::vector<std::pair<double, Index>> by_size;
  for (Index k = 0; k < std::ssize(point.feature_groups); ++k) {
    by_size.emplace_back(-point.gamma[k] * data.group_norms()[point.feature_groups[k]], point.feature_groups[k]);
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

// RSS of least squares on these features, from the residual. The relative ridge starts at 1e-14 and grows until
// duplicated columns factor: the RSS is the same whichever of them carries the coefficient.
double least_squares(const Relevance& model, const std::vector<Index>& features) {
  const RelevanceData& data = model.data();
  const Index size = features.size();
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
  solve_positive(H, B);
  return data.square(data.residual(features, B));
}

// Search restricted to the max(1000, 2 n) features of largest marginal correlation, while the noise is far from its
// fixed point. At a noise that is too small thousands of chance features enter, each with a Gram row of p products; a
// noise estimate from the strongest ones is good enough to get near. The last rounds always use all features.
class ScreenedFeatures {
 public:
  explicit ScreenedFeatures(const RelevanceData& data)
      : places_(strongest(data)), X_(data.X(), places_), data_(data.with_columns(X_, places_)), model_(data_) {}
  static bool pays(const RelevanceData& data) { return !data.has_groups() && data.features() > 2 * size_for(data); }
  Relevance& model() { return model_; }

 private:
  static Index size_for(const RelevanceData& data) { return std::max<Index>(1000, 2 * data.samples()); }
  static std::vector<Index> strongest(const RelevanceData& data) {
    std::vector<std::pair<double, Index>> by_strength;
    for (Index j = 0; j < data.features(); ++j) {
      double square = 0;
      for (Index l = 0; l < data.targets(); ++l) square += std::pow(data.correlations()(j, l), 2);
      by_strength.emplace_back(data.squared_norms()[j] > 0 ? -square / data.squared_norms()[j] : 0.0, j);
    }
    const Index size = size_for(data);
    std::ranges::nth_element(by_strength, by_strength.begin() + size);
    by_strength.resize(size);
    std::vector<Index> columns;
    columns.reserve(size);
    for (const auto& [strength, j] : by_strength) columns.push_back(j);
    std::ranges::sort(columns);
    return columns;
  }

  std::vector<Index> places_;
  ColumnSubsetDesign X_;
  RelevanceData data_;
  Relevance model_;
};

// search_.noise_variance is the current iterate; near_ becomes true once and then stays, when supports are searched
// among all features at full accuracy.
class NoiseRule {
 public:
  NoiseRule(Relevance& model, const RelevanceRequest& request, const std::function<bool()>& proceed)
      : model_(model),
        data_(model.data()),
        request_(request),
        proceed_(proceed),
        mean_square_(data_.response_square() / (targets() * data_.degrees_of_freedom())) {
    request_.refine_coordinates = false;
    request_.want_scores = false;
  }

  NoiseSearch run() {
    std::optional<ScreenedFeatures> screened;
    if (ScreenedFeatures::pays(data_)) screened.emplace(data_);
    search_.noise_variance = first_share * mean_square_;
    for (Index round = 0; round < max_rounds && !search_.converged && !search_.cancelled; ++round) {
      step(near_ || !screened ? model_ : screened->model(), round);
    }
    if (search_.cancelled) {  // the last point may number the screened features
      search_.last.point = model_.posterior_at({}, {}, {search_.noise_variance, request_.model.penalty});
      search_.last.scores = model_.scores(search_.last.point);
    }
    return std::move(search_);
  }

 private:
  double targets() const { return static_cast<double>(data_.targets()); }

  void step(Relevance& model, Index round) {
    RelevanceRequest request = request_;
    if (!near_) {
      request.tolerance = rough_tolerance;
      request.cost_tolerance = rough_cost;
    }
    request.model.noise_variance = search_.noise_variance;
    search_.visited.push_back(search_.noise_variance);
    search_.last = reweighted_l1(model, request, [&](const RelevancePoint&, double, double) { return proceed_(); });
    search_.cancelled = search_.last.status == Status::cancelled;
    if (search_.cancelled) return;
    search_.support = support_of(model, search_.last.point);
    std::vector<Index> features;
    for (const Index u : search_.support) {
      for (const Index j : model.data().members(u)) features.push_back(j);
    }
    const double free = std::max(1.0, data_.degrees_of_freedom() - static_cast<double>(features.size()));
    double next = std::max(least_squares(model, features) / (targets() * free), min_share * mean_square_);
    const double change = std::log(next / search_.noise_variance);
    search_.converged = near_ && std::abs(change) < noise_tolerance;
    near_ = near_ || std::abs(change) < near_change || round + 1 >= free_rounds;
    if (round >= free_rounds && !search_.converged) next = search_.noise_variance * std::exp(change / 2);
    search_.noise_variance = next;
  }

  Relevance& model_;
  const RelevanceData& data_;
  RelevanceRequest request_;
  const std::function<bool()>& proceed_;
  double mean_square_;
  bool near_ = false;  // to the fixed point; before, a rough support will do
  NoiseSearch search_;
};

}  // namespace

// A feature enters if theta > 1 + c; under the null theta ~ chi2_1, whose maximum over p features is about 2 log p.
double multiplicity_penalty(const RelevanceData& data) {
  const auto feature_groups = std::ranges::count_if(data.group_norms(), [](double norm) { return norm > 0; });
  return std::max(0.0, 2 * std::log(static_cast<double>(std::max<std::ptrdiff_t>(1, feature_groups))) - 1);
}

NoiseSearch robust_noise(Relevance& model, const RelevanceRequest& request, const std::function<bool()>& proceed) {
  return NoiseRule(model, request, proceed).run();
}

}  // namespace tamis
