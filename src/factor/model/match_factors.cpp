// Averages of factors over draws whose factors have no order, sign or length of their own.
//
// Matching   (v_k, theta_k) and (c v_k, theta_k / c) are the same model, for any c and any permutation of k. The
//            factors of a draw are assigned to those of the running average by the largest total cosine between the
//            rank-one matrices v_k theta_k', which is cos(v_j, v_k) cos(theta_j, theta_k): it ignores lengths, and a
//            factor with both signs flipped has cosine +1.
// Lengths    Each matched factor is rescaled to the length of the average's loadings, its scores inversely, before it
//            is added. Hyperparameters follow: mu / c, variance / c^2.
// Cost       N K^2 per draw for V'V, K^3 for the assignment; so at most 100 draws per chain are matched (chain.cpp).
// Use        Display only. Predictions, NLP and the log likelihood do not depend on labels and are averaged over draws
//            as they are; an average of matched factors is no draw of the posterior, and nothing is predicted from it.
// Memory     Sums of scores in single precision and counts of activity, as large as the scores together.
#include "factor/model/match_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "factor/model/row_kernels.hpp"
#include "factor/model/sums_over_rows.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index rows_per_task = 256;

double length(const double* x, Index count) {
  double sum = 0;
  for (Index i = 0; i < count; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

// Each factor's place in the average, its sign, and what its loadings are multiplied by (its scores divided).
struct Matching {
  std::vector<Index> place;
  std::vector<double> factor;
};

// similarity(j, k): cos(v_j, v_k) cos(theta_j, theta_k); sign of the loadings' product.
template <class Score>
Matching match(Index rows, Index cols, Index factors, const std::vector<float>& mean_scores,
               const std::vector<double>& mean_loadings, const std::vector<Score>& scores, const double* loadings) {
  // mean scores ' scores, by column, then the squares of both
  const std::vector<double> sums =
      sums_over_rows(rows, factors * (factors + 2), [&](Index first, Index last, double* out) {
        double* mean_squares = out + factors * factors;
        double* squares = mean_squares + factors;
        for (Index n = first; n < last; ++n) {
          const float* mean = mean_scores.data() + n * factors;
          const Score* v = scores.data() + n * factors;
          for (Index k = 0; k < factors; ++k) {
            mean_squares[k] += static_cast<double>(mean[k]) * mean[k];
            if (v[k] == 0) continue;
            squares[k] += static_cast<double>(v[k]) * v[k];
            double* to = out + k * factors;
            for (Index j = 0; j < factors; ++j) to[j] += static_cast<double>(mean[j]) * v[k];
          }
        }
      });
  const double* cross = sums.data();
  const double* mean_squares = cross + factors * factors;
  const double* squares = mean_squares + factors;
  Matrix gain(factors, factors), sign(factors, factors);
  std::vector<double> mean_length, new_length;
  for (Index k = 0; k < factors; ++k) {
    mean_length.push_back(length(mean_loadings.data() + k * cols, cols));
    new_length.push_back(length(loadings + k * cols, cols));
  }
  constexpr Index factors_per_task = 8;
  parallel_for(factors, factors_per_task, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      for (Index j = 0; j < factors; ++j) {
        const double product = dot(mean_loadings.data() + j * cols, loadings + k * cols, cols);
        const double lengths = mean_length[j] * new_length[k] * std::sqrt(mean_squares[j] * squares[k]);
        // A product of two negative cosines is a flipped factor; of different signs, no match.
        gain(j, k) = lengths > 0 ? cross[k * factors + j] * product / lengths : 0;
        sign(j, k) = product < 0 ? -1 : 1;
      }
    }
  });
  const std::vector<Index> chosen = best_assignment(gain);
  Matching matching{std::vector<Index>(chosen.size()), std::vector<double>(chosen.size(), 1.0)};
  for (Index j = 0; j < factors; ++j) {
    const Index k = chosen[j];
    const Index a = j, b = k;
    matching.place[b] = j;
    const bool comparable = mean_length[a] > 0 && new_length[b] > 0;
    matching.factor[b] = sign(j, k) * (comparable ? mean_length[a] / new_length[b] : 1);
  }
  return matching;
}

}  // namespace

// Shortest augmenting paths with potentials (Jonker & Volgenant 1987, Computing 38), for costs -gain. Row and column 0
// are the free end of a path; `least` and `way` are the distances and predecessors of Dijkstra's algorithm on reduced
// costs, which the potentials keep nonnegative. Greedy matching would do for most draws, but one wrong pair mixes two
// factors for good.
std::vector<Index> best_assignment(const Matrix& gain) {
  const Index n = gain.rows();
  const Index size = n + 1;
  std::vector<double> row_potential(size, 0.0), column_potential(size, 0.0);
  std::vector<Index> row_of(size, 0), way(size, 0);  // by column, counted from 1; 0: free
  for (Index row = 1; row <= n; ++row) {
    row_of[0] = row;
    std::vector<double> least(size, std::numeric_limits<double>::infinity());
    std::vector<char> used(size, 0);
    Index column = 0;
    do {
      used[column] = 1;
      const Index at = row_of[column];
      double delta = std::numeric_limits<double>::infinity();
      Index next = 0;
      for (Index j = 1; j <= n; ++j) {
        const Index c = j;
        if (used[c] != 0) continue;
        // Lengths that overflow have no cosine; a cost of NaN would be less than nothing, and the search endless.
        const double given = gain(at - 1, j - 1);
        const double cost = (std::isfinite(given) ? -given : 0) - row_potential[at] - column_potential[c];
        if (cost < least[c]) {
          least[c] = cost;
          way[c] = column;
        }
        if (least[c] < delta) {
          delta = least[c];
          next = j;
        }
      }
      for (Index c = 0; c < size; ++c) {
        if (used[c] != 0) {
          row_potential[row_of[c]] += delta;
          column_potential[c] -= delta;
        } else {
          least[c] -= delta;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    while (column != 0) {
      const Index before = way[column];
      row_of[column] = row_of[before];
      column = before;
    }
  }
  std::vector<Index> column_of(n);
  for (Index j = 1; j <= n; ++j) column_of[row_of[j] - 1] = j - 1;
  return column_of;
}

FactorAverage::FactorAverage(const FactorState& shape)
    : rows_(shape.rows),
      cols_(shape.cols),
      factors_(shape.factors),
      has_intercept_(shape.intercept),
      scores_(shape.scores.size(), 0.0F),
      active_(shape.scores.size(), 0),
      loadings_(shape.factors * shape.cols, 0.0),
      hyper_(3 * shape.factors, 0.0),
      intercept_(shape.intercept ? shape.cols : 0, 0.0) {}

void FactorAverage::add(const FactorState& draw) {
  Matching matching;
  if (draws_ == 0) {
    matching.place.resize(factors_);
    std::iota(matching.place.begin(), matching.place.end(), Index{0});
    matching.factor.assign(factors_, 1.0);
  } else {
    matching = match(rows_, cols_, factors_, scores_, loadings_, draw.scores, draw.loadings.data());
    // The average is a sum so far: its loadings are `draws_` times too long.
    for (double& factor : matching.factor) factor /= static_cast<double>(draws_);
  }
  parallel_for(rows_, rows_per_task, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) {
      const double* v = draw.score_row(n);
      float* to = scores_.data() + n * factors_;
      std::uint32_t* active = active_.data() + n * factors_;
      for (Index k = 0; k < factors_; ++k) {
        if (v[k] == 0) continue;
        const Index j = matching.place[k];
        to[j] += static_cast<float>(v[k] / matching.factor[k]);
        ++active[j];
      }
    }
  });
  for (Index k = 0; k < factors_; ++k) {
    const Index f = k;
    const double scale = matching.factor[f];
    const Index j = matching.place[f];
    for (Index d = 0; d < cols_; ++d) loadings_[j * cols_ + d] += scale * draw.loading_row(k)[d];
    hyper_[3 * j] += draw.inclusion[f];
    hyper_[3 * j + 1] += draw.means[f] / scale;
    hyper_[3 * j + 2] += 1 / (draw.precisions[f] * scale * scale);
  }
  for (Index d = 0; d < std::ssize(intercept_); ++d) intercept_[d] += draw.loading_row(factors_)[d];
  noise_variance_ += draw.noise_variance;
  ++draws_;
}

// The averages of two chains are matched as wholes: chains run in parallel and keep no draws of factors.
void FactorAverage::merge(FactorAverage&& other) {
  if (other.draws_ == 0) return;
  if (draws_ == 0) {
    *this = std::move(other);
    return;
  }
  Matching matching = match(rows_, cols_, factors_, scores_, loadings_, other.scores_, other.loadings_.data());
  // Both are sums: equal lengths of their means, not of the sums.
  const double share = static_cast<double>(other.draws_) / static_cast<double>(draws_);
  parallel_for(rows_, rows_per_task, [&](Index first, Index last) {
    for (Index n = first; n < last; ++n) {
      for (Index k = 0; k < factors_; ++k) {
        const Index f = k, from = (n * factors_ + k);
        const Index to = n * factors_ + matching.place[f];
        scores_[to] += static_cast<float>(other.scores_[from] / (share * matching.factor[f]));
        active_[to] += other.active_[from];
      }
    }
  });
  for (Index k = 0; k < factors_; ++k) {
    const Index f = k, j = matching.place[f];
    const double scale = matching.factor[f] * share;
    for (Index d = 0; d < cols_; ++d) {
      loadings_[j * cols_ + d] += scale * other.loadings_[f * cols_ + d];
    }
    hyper_[3 * j] += other.hyper_[3 * f];
    hyper_[3 * j + 1] += other.hyper_[3 * f + 1] / scale;
    hyper_[3 * j + 2] += other.hyper_[3 * f + 2] / (scale * scale);
  }
  for (Index d = 0; d < std::ssize(intercept_); ++d) intercept_[d] += other.intercept_[d];
  noise_variance_ += other.noise_variance_;
  draws_ += other.draws_;
}

void FactorAverage::exchange(Archive& archive) {
  for (Index* size : {&rows_, &cols_, &factors_}) archive(*size);
  archive(has_intercept_);
  archive(scores_);
  archive(active_);
  for (std::vector<double>* numbers : {&loadings_, &hyper_, &intercept_}) archive(*numbers);
  archive(noise_variance_);
  archive(draws_);
}

// |v_k| |theta_k| is the Frobenius norm of the factor's part of the predictor: free of how length is split between
// them.
DisplayOrder display_order(const FactorState& state, const ScoreTable& table) {
  std::vector<double> size = sums_over_rows(state.rows, state.factors, [&](Index first, Index last, double* sums) {
    for (Index n = first; n < last; ++n) {
      for (Index k = 0; k < state.factors; ++k) sums[k] += table.score(n, k) * table.score(n, k);
    }
  });
  DisplayOrder order;
  for (Index k = 0; k < state.factors; ++k) {
    const double* theta = state.loading_row(k);
    size[k] = std::sqrt(size[k]) * length(theta, state.cols);
    order.places.push_back(k);
  }
  std::stable_sort(order.places.begin(), order.places.end(), [&](Index a, Index b) { return size[a] > size[b]; });
  for (const Index k : order.places) {
    const double* theta = state.loading_row(k);
    const double* largest =
        std::max_element(theta, theta + state.cols, [](double a, double b) { return std::abs(a) < std::abs(b); });
    order.signs.push_back(*largest < 0 ? -1 : 1);
  }
  return order;
}

FactorState FactorAverage::mean() const {
  FactorState state;
  state.rows = rows_;
  state.cols = cols_;
  state.factors = factors_;
  state.intercept = has_intercept_;
  const double count = std::max(1.0, static_cast<double>(draws_));
  for (const double sum : loadings_) state.loadings.push_back(sum / count);
  for (const double sum : intercept_) state.loadings.push_back(sum / count);
  for (Index k = 0; k < factors_; ++k) {
    state.inclusion.push_back(hyper_[3 * k] / count);
    state.means.push_back(hyper_[3 * k + 1] / count);
    state.precisions.push_back(count / hyper_[3 * k + 2]);
  }
  state.noise_variance = noise_variance_ / count;
  return state;
}

ScoreTable FactorAverage::scores() const {
  const double count = std::max(1.0, static_cast<double>(draws_));
  return {[this, count](Index n, Index k) { return scores_[n * factors_ + k] / count; },
          [this, count](Index n, Index k) { return active_[n * factors_ + k] / count; }};
}

}  // namespace tamis::factor
