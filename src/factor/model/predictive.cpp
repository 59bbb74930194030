// Predictions of hidden cells from draws of a posterior, or from one approximate posterior.
//
// Draws      NLP = -sum over test cells of log2 of the average over draws of p(x | psi_s): probabilities are averaged,
//            not their logs; the average of -log p is larger (Jensen) and grows with the posterior's spread. The
//            running sum is kept as a logarithm (log_sum_exp), because densities of far cells underflow.
// Belief     psi ~ N(mean, variance), from mean field, or a point: the same integral in closed form or by the family's
//            quadrature (Family::predictive_log_density).
// Point      binary: the average probability. Others: the mean at the average predictor E psi. For counts the mean rate
//            is E e^psi, which is infinite under heavy tails of psi and in samples is the value of the largest draw.
// Interval   95 %: normal where the loss is quadratic, the family's forecast otherwise; the posterior of psi is taken
//            as normal with the mean and variance of the draws, so that no draw has to be kept.
// Memory     two or three numbers per target, nothing per draw. Targets may be as many as cells of the table.
#include "factor/model/predictive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "linalg/gauss_hermite.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 0.975
constexpr Index cells_per_task = 512;
// The sums that are kept of each target: of psi (binary cells: of their probabilities), the log of that of densities,
// and for predictions of numbers that of psi^2. Targets may be as many as data, so that no number is kept in vain.
enum Number : Index { point_sum, log_density_sum, square_sum };

}  // namespace

PredictiveTally::PredictiveTally(const Cells& cells, TargetList targets, Keeps keeps)
    : cells_(&cells),
      targets_(std::move(targets)),
      numbers_(keeps == Keeps::predictions && !cells.family().is_binary() ? 3 : 2) {}

double* PredictiveTally::cell(Index i) { return sums_.data() + numbers_ * i; }
const double* PredictiveTally::cell(Index i) const { return sums_.data() + numbers_ * i; }

// No memory before the first draw.
void PredictiveTally::begin() {
  sums_.assign(numbers_ * size(), 0.0);
  for (Index i = 0; i < size(); ++i) cell(i)[log_density_sum] = -std::numeric_limits<double>::infinity();
}

// Each target is one thread's, and draws are added in order: the same bits on any number of threads.
void PredictiveTally::add(const FactorState& state) {
  if (draws_ == 0) begin();
  const Family& family = cells_->family();
  const bool binary = family.is_binary();
  parallel_for(size(), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const TargetCell& target = target_at(i);
      const double psi = state.predictor(target.row, target.column);
      double* sums = cell(i);
      sums[point_sum] += binary ? family.mean(psi) : psi;
      if (numbers_ > square_sum) sums[square_sum] += psi * psi;
      if (target.test()) {
        const double density = family.cell_log_density(target.value, psi, state.noise_variance);
        sums[log_density_sum] = log_sum_exp(sums[log_density_sum], density);
      }
    }
  });
  noise_sum_ += state.noise_variance;
  ++draws_;
}

void PredictiveTally::set(double noise_variance, const std::function<Belief(const TargetCell&)>& belief) {
  begin();
  parallel_for(size(), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) set_cell(i, belief(target_at(i)), noise_variance);
  });
  noise_sum_ = noise_variance;
  draws_ = 1;
}

void PredictiveTally::set_cell(Index i, const Belief& psi, double noise_variance) {
  const Family& family = cells_->family();
  const TargetCell& target = target_at(i);
  double* sums = cell(i);
  if (family.is_binary()) {
    sums[point_sum] = normal_mean(psi.mean, psi.variance, [&](double at) { return family.mean(at); });
  } else {
    sums[point_sum] = psi.mean;
    if (numbers_ > square_sum) sums[square_sum] = psi.mean * psi.mean + psi.variance;
  }
  if (target.test()) sums[log_density_sum] = family.predictive_log_density(target.value, psi, noise_variance);
}

// In the order of the chains, which is fixed; sums of doubles depend on it.
void PredictiveTally::merge(PredictiveTally&& other) {
  if (draws_ == 0) {
    sums_ = std::move(other.sums_);
  } else {
    for (Index i = 0; i < std::ssize(other.sums_); ++i) {
      const bool is_log = i % numbers_ == log_density_sum;
      sums_[i] = is_log ? log_sum_exp(sums_[i], other.sums_[i]) : sums_[i] + other.sums_[i];
    }
  }
  noise_sum_ += std::exchange(other.noise_sum_, 0);
  draws_ += std::exchange(other.draws_, 0);
  other.sums_ = std::vector<double>();  // = {} would keep its memory
}

void PredictiveTally::exchange(Archive& archive) {
  archive.expect(size(), "the number of cells to predict");
  archive.expect(numbers_, "the number of values stored per cell");
  archive(sums_);
  archive(noise_sum_);
  archive(draws_);
}

// A density on the working scale is one on the original scale times the column's scale: log scale is taken off. Without
// that the NLP would depend on `standardize`.
double PredictiveTally::nlp_bits() const {
  double bits = 0;
  for (Index i = 0; i < size(); ++i) {
    if (!target_at(i).test()) continue;
    const double log_probability =
        cell(i)[log_density_sum] - std::log(static_cast<double>(draws_)) - std::log(cells_->scale(target_at(i).column));
    bits -= log_probability / std::numbers::ln2;
  }
  return bits;
}

// The mean rate of a poisson posterior may be infinite, so the point prediction is that at E psi.
double PredictiveTally::point(Index i) const {
  const double count = static_cast<double>(draws_);
  const double mean = cell(i)[point_sum] / count;
  return cells_->family().is_binary() ? mean : cells_->family().mean(mean);
}

double PredictiveTally::rmse() const {
  double squares = 0;
  Index count = 0;
  for (Index i = 0; i < size(); ++i) {
    const TargetCell& target = target_at(i);
    if (!target.test()) continue;
    const double error = (point(i) - target.value) * cells_->scale(target.column);
    squares += error * error;
    ++count;
  }
  return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0;
}

Index PredictiveTally::test_cells() const {
  return std::count_if(targets_->begin(), targets_->end(), [](const TargetCell& cell) { return cell.test(); });
}

PredictedCell PredictiveTally::prediction(Index i) const {
  const TargetCell& target = target_at(i);
  const double count = static_cast<double>(draws_);
  const double psi = cell(i)[point_sum] / count;  // not of binary cells, as its variance
  // E psi^2 - (E psi)^2 cancels where draws agree to eight digits; beside the noise nothing is then lost.
  const double psi_variance = numbers_ > square_sum ? std::max(0.0, cell(i)[square_sum] / count - psi * psi) : 0;
  PredictedCell out{target.row, target.column, point(i), 0, 0, 0};
  const Family& family = cells_->family();
  if (family.is_binary()) {
    out.sd = std::sqrt(out.mean * (1 - out.mean));
    // The smallest set of values with at least 95 % of the probability.
    out.lower = out.mean > 0.95 ? 1 : 0;
    out.upper = out.mean < 0.05 ? 0 : 1;
  } else if (family.is_quadratic()) {
    const double scale = cells_->scale(target.column);
    out.mean = cells_->center(target.column) + scale * psi;
    out.sd = scale * std::sqrt(psi_variance + noise_sum_ / count);
    out.lower = out.mean - normal_quantile * out.sd;
    out.upper = out.mean + normal_quantile * out.sd;
  } else {
    const Family::Forecast forecast = family.forecast({psi, psi_variance}, noise_sum_ / count);
    out.sd = forecast.sd;
    out.lower = forecast.lower;
    out.upper = forecast.upper;
  }
  return out;
}

std::vector<PredictedCell> PredictiveTally::predictions() const {
  std::vector<PredictedCell> all(targets_->size());
  parallel_for(std::ssize(all), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) all[i] = prediction(i);
  });
  return all;
}

}  // namespace tamis::factor
