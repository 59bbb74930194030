#include "factor/predictive.hpp"

#include <algorithm>
#include <boost/math/distributions/poisson.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 0.975
constexpr Index cells_per_task = 512;
enum Number : std::size_t { psi_sum, psi_square_sum, mean_sum, log_density_sum };

// Gauss-Hermite nodes and weights for a standard normal, 15 of them: exact for polynomials up to degree 29.
constexpr int nodes = 15;
constexpr double node[nodes] = {-6.3639478888298378, -5.1900935913047821, -4.1962077112690155,  -3.2890824243987664,
                                -2.4324368270097581, -1.6067100690287297, -0.79912906832454811, 0.0,
                                0.79912906832454811, 1.6067100690287297,  2.4324368270097581,   3.2890824243987664,
                                4.1962077112690155,  5.1900935913047821,  6.3639478888298378};
constexpr double weight[nodes] = {8.5896498996331805e-10, 5.9754195979205961e-7, 5.6421464051890157e-5,
                                  1.5673575035499571e-3,  1.7365774492137616e-2, 8.9417795399844435e-2,
                                  2.3246229360973222e-1,  3.1825951825951826e-1, 2.3246229360973222e-1,
                                  8.9417795399844435e-2,  1.7365774492137616e-2, 1.5673575035499571e-3,
                                  5.6421464051890157e-5,  5.9754195979205961e-7, 8.5896498996331805e-10};

// Mean of f over N(mean, variance).
template <class Function>
double normal_mean(double mean, double variance, const Function& f) {
  if (!(variance > 0)) return f(mean);
  const double deviation = std::sqrt(variance);
  double sum = 0;
  for (int i = 0; i < nodes; ++i) sum += weight[i] * f(mean + deviation * node[i]);
  return sum;
}

// The smallest count with P(X <= count) >= level when the log rate is normal.
double count_quantile(double psi_mean, double psi_variance, double cap, double level) {
  const auto below = [&](double count) {
    return normal_mean(psi_mean, psi_variance, [&](double psi) {
      return boost::math::cdf(boost::math::poisson_distribution<double>(std::exp(std::min(psi, cap))), count);
    });
  };
  double high = 1;
  while (below(high) < level && high < 1e15) high *= 2;
  double low = -1;  // P(X <= low) < level
  while (high - low > 1) {
    const double middle = std::floor(0.5 * (low + high));
    (below(middle) >= level ? high : low) = middle;
  }
  return high;
}

}  // namespace

PredictiveTally::PredictiveTally(const Cells& cells, TargetList targets)
    : cells_(&cells), targets_(std::move(targets)), numbers_(4 * targets_->size() + 1, 0.0) {
  for (std::size_t i = 0; i < targets_->size(); ++i) {
    numbers_[4 * i + log_density_sum] = -std::numeric_limits<double>::infinity();
  }
}

void PredictiveTally::add(const FactorState& state) {
  parallel_for(size(), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const TargetCell& target = target_at(i);
      const double psi = state.predictor(target.row, target.column);
      double* sums = cell(i);
      sums[psi_sum] += psi;
      sums[psi_square_sum] += psi * psi;
      if (cells_->family() == CellFamily::bernoulli) sums[mean_sum] += logistic(psi);
      if (target.test()) {
        const double density = log_density(*cells_, target.value, psi, state.noise_variance);
        sums[log_density_sum] = log_sum_exp(sums[log_density_sum], density);
      }
    }
  });
  numbers_.back() += state.noise_variance;
  ++draws_;
}

void PredictiveTally::set(double noise_variance, const std::function<Belief(const TargetCell&)>& belief) {
  parallel_for(size(), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) set_cell(i, belief(target_at(i)), noise_variance);
  });
  numbers_.back() = noise_variance;
  draws_ = 1;
}

void PredictiveTally::set_cell(Index i, const Belief& psi, double noise_variance) {
  const auto [psi_mean, psi_variance] = psi;
  const TargetCell& target = target_at(i);
  double* sums = cell(i);
  sums[psi_sum] = psi_mean;
  sums[psi_square_sum] = psi_mean * psi_mean + psi_variance;
  if (cells_->family() == CellFamily::bernoulli) sums[mean_sum] = normal_mean(psi_mean, psi_variance, logistic);
  if (target.test() && cells_->family() == CellFamily::gaussian) {
    sums[log_density_sum] = log_density(*cells_, target.value, psi_mean, psi_variance + noise_variance);
  } else if (target.test()) {
    // Relative to the value at the mean, so that nothing underflows.
    const double at_mean = log_density(*cells_, target.value, psi_mean, 1);
    const double ratio = normal_mean(psi_mean, psi_variance, [&](double at) {
      return std::exp(log_density(*cells_, target.value, at, 1) - at_mean);
    });
    sums[log_density_sum] = at_mean + std::log(ratio);
  }
}

void PredictiveTally::merge(const PredictiveTally& other) {
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const bool is_log = i % 4 == log_density_sum && i + 1 < numbers_.size();
    numbers_[i] = is_log ? log_sum_exp(numbers_[i], other.numbers_[i]) : numbers_[i] + other.numbers_[i];
  }
  draws_ += other.draws_;
}

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

// The mean rate of a poisson posterior may be infinite, so its point prediction is exp(E psi).
double PredictiveTally::point(Index i) const {
  const double count = static_cast<double>(draws_);
  switch (cells_->family()) {
    case CellFamily::gaussian:
      return cell(i)[psi_sum] / count;
    case CellFamily::bernoulli:
      return cell(i)[mean_sum] / count;
    case CellFamily::poisson:
      break;
  }
  return std::exp(std::min(cell(i)[psi_sum] / count, cells_->largest_log_rate()));
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
  const double psi = cell(i)[psi_sum] / count;
  const double psi_variance = std::max(0.0, cell(i)[psi_square_sum] / count - psi * psi);
  PredictedCell out{target.row, target.column, point(i), 0, 0, 0};
  switch (cells_->family()) {
    case CellFamily::gaussian: {
      const double scale = cells_->scale(target.column);
      out.mean = cells_->centre(target.column) + scale * psi;
      out.sd = scale * std::sqrt(psi_variance + numbers_.back() / count);
      out.lower = out.mean - normal_quantile * out.sd;
      out.upper = out.mean + normal_quantile * out.sd;
      break;
    }
    case CellFamily::bernoulli:
      out.sd = std::sqrt(out.mean * (1 - out.mean));
      // The smallest set of values with at least 95 % of the probability.
      out.lower = out.mean > 0.95 ? 1 : 0;
      out.upper = out.mean < 0.05 ? 0 : 1;
      break;
    case CellFamily::poisson: {
      const double cap = cells_->largest_log_rate();
      const auto moment = [&](double power) {
        return normal_mean(psi, psi_variance, [&](double at) { return std::exp(power * std::min(at, cap)); });
      };
      out.sd = std::sqrt(moment(1) + std::max(0.0, moment(2) - moment(1) * moment(1)));
      out.lower = count_quantile(psi, psi_variance, cap, 0.025);
      out.upper = count_quantile(psi, psi_variance, cap, 0.975);
      break;
    }
  }
  return out;
}

std::vector<PredictedCell> PredictiveTally::predictions() const {
  std::vector<PredictedCell> all(targets_->size());
  parallel_for(static_cast<Index>(all.size()), cells_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) all[static_cast<std::size_t>(i)] = prediction(i);
  });
  return all;
}

}  // namespace tamis::factor
