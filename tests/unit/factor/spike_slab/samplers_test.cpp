// Scores given the loadings, against the sum over all 2^K choices of active factors.
#include "factor/spike_slab/samplers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tamis/base/logarithm.hpp"
#include "unit/factor/small_data.hpp"

namespace tamis::factor {
namespace {

// Log of the evidence of one row when exactly the factors of `active` are in it, up to what all choices share: gaussian
// data by the normal integral, others by quadrature over a grid of the two scores.
double log_evidence(const Cells& cells, const FactorState& state, Index n, unsigned active) {
  std::vector<Index> in;
  double log_prior = 0;
  for (Index k = 0; k < state.factors; ++k) {
    const double pi = state.inclusion[k];
    const bool is_in = (active >> k & 1U) != 0;
    log_prior += std::log(is_in ? pi : 1 - pi);
    if (is_in) in.push_back(k);
  }
  std::vector<double> x(cells.cols());
  const double* row = cells.row(n, x.data());
  const auto missing = cells.missing_in_row(n);
  const auto log_density_at = [&](const std::vector<double>& v) {
    double sum = 0;
    for (Index d = 0; d < cells.cols(); ++d) {
      if (std::find(missing.begin(), missing.end(), d) != missing.end()) continue;
      double psi = state.intercept ? state.loading_row(state.factors)[d] : 0;
      for (std::size_t i = 0; i < in.size(); ++i) psi += v[i] * state.loading_row(in[i])[d];
      sum += log_density(cells, row[d], psi, state.noise_variance);
    }
    return sum;
  };
  // Each active score on a grid over its prior, 6 deviations wide.
  constexpr int points = 61;
  std::vector<double> terms;
  std::vector<int> place(in.size(), 0);
  for (;;) {
    std::vector<double> v;
    double log_weight = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto f = static_cast<std::size_t>(in[i]);
      const double z = -6 + 12.0 * place[i] / (points - 1);
      v.push_back(state.means[f] + z / std::sqrt(state.precisions[f]));
      log_weight += -0.5 * z * z - 0.5 * std::log(2 * std::numbers::pi) + std::log(12.0 / (points - 1));
    }
    terms.push_back(log_weight + log_density_at(v));
    std::size_t i = 0;
    while (i < place.size() && ++place[i] == points) place[i++] = 0;
    if (i == place.size()) break;
  }
  return log_prior + log_sum_exp(terms);
}

class ScoresByEnumeration : public testing::TestWithParam<std::string> {};

TEST_P(ScoresByEnumeration, IndicatorsHaveTheirExactProbabilities) {
  const std::string family = GetParam();
  Matrix data = family == "gaussian"    ? table({{1.2, -0.4, 0.3}, {0.1, 0.9, hole}, {hole, hole, hole}})
                : family == "bernoulli" ? table({{1, 0, 1}, {0, 1, hole}, {hole, hole, hole}})
                : family == "poisson"   ? table({{3, 0, 1}, {0, 2, hole}, {hole, hole, hole}})
                                        : table({{3.1, 0.2, 1}, {0.4, 1.9, hole}, {hole, hole, hole}});
  FactorProblem problem;
  problem.dense = data;
  problem.family = family;
  problem.factors = 2;
  problem.standardize = false;
  problem.largest_log_rate = 8;
  Cells cells(problem);
  const Options options;
  const FactorControl control;
  const FactorTask task{problem, cells, options, control};
  const auto sampler = spike_slab_sampler(task, {}, ChainKey{11, 0});
  FactorState state = sampler->start();
  state.loadings = {1.1, -0.7, 0.4, 0.5, 0.8, -0.9, 0.2, -0.3, 0.1};
  state.inclusion = {0.4, 0.6};
  state.means = {0.5, -0.3};
  state.precisions = {1.3, 0.8};
  state.noise_variance = 0.5;

  constexpr Index draws = 80000;
  Matrix share(3, 2);
  for (Index sweep = 0; sweep < draws; ++sweep) {
    sampler->draw_scores(state, sweep);
    for (Index n = 0; n < 3; ++n) {
      for (Index k = 0; k < 2; ++k) share(n, k) += state.score_row(n)[k] != 0 ? 1.0 / draws : 0;
    }
  }
  // Five standard errors of so many draws that forget the last one after a few steps.
  constexpr double tolerance = 0.01;
  for (Index n = 0; n < 3; ++n) {
    std::vector<double> log_weights;
    for (unsigned active = 0; active < 4; ++active) log_weights.push_back(log_evidence(cells, state, n, active));
    const double total = log_sum_exp(log_weights);
    EXPECT_NEAR(share(n, 0), std::exp(log_weights[1] - total) + std::exp(log_weights[3] - total), tolerance)
        << "row " << n;
    EXPECT_NEAR(share(n, 1), std::exp(log_weights[2] - total) + std::exp(log_weights[3] - total), tolerance)
        << "row " << n;
  }
  EXPECT_NEAR(share(2, 0), 0.4, tolerance) << "a row without cells has the prior's probability";
}

INSTANTIATE_TEST_SUITE_P(Families, ScoresByEnumeration, testing::Values("gaussian", "bernoulli", "poisson", "waiting"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tamis::factor
