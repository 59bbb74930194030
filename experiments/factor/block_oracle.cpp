#include "experiments/factor/block_oracle.hpp"

#include <algorithm>
#include <cmath>

#include "factor/sampling/loading_columns.hpp"
#include "family/polya_gamma.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::factor_models {
namespace {

using factor::Cells;
using factor::ChainKey;
using factor::FactorState;

class BlockImages {
 public:
  explicit BlockImages(const Simulation& drawn)
      : truth_(drawn.truth), flips_(truth_.extra.at("flips")), inclusion_(drawn.parameters.at("inclusion")) {}

  Index blocks() const { return truth_.loadings.rows(); }
  Index pixels() const { return truth_.loadings.cols(); }
  /// Bit k: image n has block k.
  unsigned combination(Index n) const {
    unsigned bits = 0;
    for (Index k = 0; k < blocks(); ++k) bits |= truth_.scores(n, k) != 0 ? 1U << k : 0U;
    return bits;
  }
  double log_prior(unsigned combination) const {
    double sum = 0;
    for (Index k = 0; k < blocks(); ++k) sum += std::log((combination >> k & 1U) != 0 ? inclusion_ : 1 - inclusion_);
    return sum;
  }
  /// That the pixel is 1.
  double probability(unsigned combination, Index pixel) const {
    for (Index k = 0; k < blocks(); ++k) {
      if ((combination >> k & 1U) != 0 && truth_.loadings(k, pixel) != 0) return 1 - flips_;
    }
    return flips_;
  }

 private:
  const Truth& truth_;
  double flips_, inclusion_;
};

// Of the combinations in row n, from its visible pixels.
std::vector<double> combination_posterior(const BlockImages& images, const Cells& cells, Index n) {
  std::vector<double> posterior(std::size_t{1} << images.blocks());
  std::vector<double> scratch(cells.cols());
  const double* x = cells.row(n, scratch.data());
  const auto missing = cells.missing_in_row(n);
  double total = -std::numeric_limits<double>::infinity();
  for (unsigned each = 0; each < posterior.size(); ++each) {
    double log_joint = images.log_prior(each);
    for (Index d = 0; d < images.pixels(); ++d) {
      if (std::binary_search(missing.begin(), missing.end(), d)) continue;
      const double on = images.probability(each, d);
      log_joint += std::log(x[d] != 0 ? on : 1 - on);
    }
    posterior[each] = log_joint;
    total = log_sum_exp(total, log_joint);
  }
  for (double& share : posterior) share = std::exp(share - total);
  return posterior;
}

double mixed_probability(const BlockImages& images, const std::vector<double>& posterior, Index pixel) {
  double sum = 0;
  for (unsigned each = 0; each < posterior.size(); ++each) sum += posterior[each] * images.probability(each, pixel);
  return sum;
}

// omega ~ PG(1, psi) of every visible pixel, row by row.
void draw_weights(const Cells& cells, const FactorState& state, const ChainKey& key, Index sweep,
                  std::vector<double>& weights) {
  std::vector<double> psi(state.cols);
  for (Index n = 0; n < state.rows; ++n) {
    RandomStream random = key.stream(sweep, ChainKey::augmentation, n);
    state.predictor_row(n, psi.data());
    double* row = weights.data() + n * state.cols;
    for (Index d = 0; d < state.cols; ++d) row[d] = draw_polya_gamma(1, psi[d], random);
    for (const std::int32_t d : cells.missing_in_row(n)) row[d] = 0;
  }
}

std::vector<double> with_drawn_loadings(const Simulation& drawn, const FactorProblem& problem, const Cells& cells) {
  constexpr Index burn_in = 50, draws = 500;  // neighboring draws hardly depend on each other
  const Matrix& scores = drawn.truth.scores;
  FactorState state(cells, scores.cols(), true);
  for (Index n = 0; n < state.rows; ++n) {
    for (Index k = 0; k < state.factors; ++k) state.score_row(n)[k] = scores(n, k);
  }
  const ChainKey key{drawn.seed, 0};
  std::vector<double> weights(state.rows * state.cols);
  std::vector<double> probabilities(problem.test_cells.size());
  for (Index sweep = 0; sweep < burn_in + draws; ++sweep) {
    draw_weights(cells, state, key, sweep, weights);
    draw_augmented_loadings(cells, weights, key, sweep, state);
    if (sweep < burn_in) continue;
    for (Index i = 0; i < std::ssize(probabilities); ++i) {
      const TestCell& cell = problem.test_cells[i];
      probabilities[i] += logistic(state.predictor(cell.row, cell.column)) / static_cast<double>(draws);
    }
  }
  return probabilities;
}

}  // namespace

std::vector<double> oracle_probabilities(const Simulation& drawn, const FactorProblem& problem, Told told) {
  const Cells cells(problem);
  if (told == Told::scores) return with_drawn_loadings(drawn, problem, cells);
  const BlockImages images(drawn);
  std::vector<double> probabilities;
  probabilities.reserve(problem.test_cells.size());
  for (const TestCell& cell : problem.test_cells) {
    probabilities.push_back(
        told == Told::images ? images.probability(images.combination(cell.row), cell.column)
                             : mixed_probability(images, combination_posterior(images, cells, cell.row), cell.column));
  }
  return probabilities;
}

}  // namespace tamis::experiments::factor_models
