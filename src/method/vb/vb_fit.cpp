// Starts of full variational Bayes, and the choice between what they lead to.
//
// Why        The bound has many maxima. From even inclusion with little noise the ascent explains everything, with much
//            noise nothing; where p > n it finds few of the features that a start with some of them would keep.
// Starts     even inclusion, the spike annealed, noise 1/2 and 1/100 of the response's variance; and the features of
//            largest |E w| of a first round under even inclusion (which is ridge regression), a tenth, a quarter and
//            half as many as rows. The largest bound is returned: the bound, unlike an error, needs no held-out rows.
#include "method/vb/vb_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace tamis {
namespace {

constexpr double noise_starts[] = {0.01, 0.5};      // of the response's variance
constexpr double mask_shares[] = {0.1, 0.25, 0.5};  // of the rows: features that a start includes
constexpr double mask_noise = 0.1;
constexpr double in_mask = 0.99, out_of_mask = 0.01;  // inclusion
constexpr double tie = 1e-9;                          // relative: equal columns are in the mask together or not at all

class VariationalSearch {
 public:
  VariationalSearch(const ScaledProblem& scaled, const VariationalRequest& request, Observer* observer)
      : scaled_(scaled), request_(request), observer_(observer), ascent_(scaled, request, observer) {}

  Fit run() {
    for (const double noise : noise_starts) {
      if (request_.annealed_only && noise != noise_starts[0]) break;
      VariationalState state = ascent_.start(noise);
      ascent_.anneal(state);
      if (!keep(std::move(state))) return result();
      if (!scaled_.gaussian() || request_.noise_variance) break;  // the same once more
    }
    if (request_.annealed_only) return result();
    const std::vector<double> strength = first_means();
    for (const double share : mask_shares) {
      if (best_.status == Status::cancelled) break;
      VariationalState state = masked_start(strength, share);
      ascent_.settle(state, /*learns=*/true, request_.tolerance);
      if (!keep(std::move(state))) break;
    }
    return result();
  }

 private:
  // False if cancelled: then what was found before counts, if there is anything.
  bool keep(VariationalState state) {
    const bool cancelled = state.status == Status::cancelled;
    ++tried_;
    if (observer_ != nullptr && !cancelled) {
      observer_->progress(static_cast<double>(tried_) / (std::size(noise_starts) + std::size(mask_shares)), "starts");
    }
    if (best_.trace.empty() || (!cancelled && state.bound() > best_.bound())) best_ = std::move(state);
    if (cancelled) best_.status = Status::cancelled;
    return !cancelled;
  }

  std::vector<double> first_means();
  VariationalState masked_start(std::span<const double> strength, double share) const;
  Fit result() const;

  const ScaledProblem& scaled_;
  const VariationalRequest& request_;
  Observer* observer_;
  VariationalAscent ascent_;
  VariationalState best_;
  Index tried_ = 0;
};

// |E w_j| times the spread of the column, under even inclusion.
std::vector<double> VariationalSearch::first_means() {
  VariationalRequest once = request_;
  once.most_rounds = 1;
  VariationalAscent ridge(scaled_, once, nullptr);
  VariationalState state = ridge.start(mask_noise);
  ridge.settle(state, /*learns=*/false, request_.tolerance);
  std::vector<double> strength;
  for (Index j = 0; j < scaled_.features(); ++j) {
    strength.push_back(std::abs(state.coefficients.mean[j]) * std::sqrt(scaled_.curvature()[j] / scaled_.samples()));
  }
  return strength;
}

VariationalState VariationalSearch::masked_start(std::span<const double> strength, double share) const {
  VariationalState state = ascent_.start(mask_noise);
  std::vector<double> falling(strength.begin(), strength.end());
  std::ranges::sort(falling, std::greater<>());
  const auto wanted = static_cast<Index>(std::ceil(share * scaled_.samples()));
  const double bar = falling[std::clamp<Index>(wanted, 1, std::ssize(falling)) - 1] * (1 - tie);
  for (Index j = 0; j < std::ssize(strength); ++j) state.inclusion[j] = strength[j] >= bar ? in_mask : out_of_mask;
  return state;
}

Fit VariationalSearch::result() const {
  Fit fit;
  std::vector<double> deviations(best_.coefficients.variance);
  double expected = 0;
  for (double& v : deviations) v = std::sqrt(v);
  for (const double z : best_.inclusion) expected += z;
  scaled_.to_original(best_.coefficients.intercept, best_.coefficients.mean, deviations, best_.inclusion, fit);
  const double unit2 = scaled_.unit() * scaled_.unit();
  if (scaled_.gaussian()) fit.noise_variance = unit2 * best_.noise;
  fit.hyper["prior_inclusion"] = ascent_.prior_inclusion();
  fit.hyper["slab_variance"] = unit2 * best_.slab;
  fit.hyper["spike_variance"] = unit2 * best_.spike;
  fit.hyper["expected_features"] = expected;
  fit.trace = best_.trace;
  for (TracePoint& point : fit.trace) point.objective += scaled_.log_density_shift();
  fit.objective = fit.trace.back().objective;
  fit.status = best_.status;
  fit.message = fmt::format(
      "{}{} rounds{}; inclusion probabilities sum to {:.4g}, evidence lower bound {:.6g}, last "
      "change {:.1e}",
      best_.status == Status::cancelled ? "cancelled; " : "", best_.trace.size(),
      tried_ > 1 ? fmt::format(", the best of {} starts", tried_) : "", expected, fit.objective, best_.change);
  return fit;
}

}  // namespace

Fit fit_variational(const ScaledProblem& scaled, const VariationalRequest& request, Observer* observer) {
  if (!scaled.nothing_to_explain().empty()) return scaled.null_fit();
  return VariationalSearch(scaled, request, observer).run();
}

}  // namespace tamis
