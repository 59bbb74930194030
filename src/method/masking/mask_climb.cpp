#include "method/masking/mask_climb.hpp"

#include <algorithm>
#include <cmath>

#include "method/masking/mask_steps.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr Index rebuild_every = 20;

class MaskClimb {
 public:
  MaskClimb(MaskState& state, const MaskRequest& request, Observer* observer)
      : state_(state),
        request_(request),
        observer_(observer),
        least_rate_(request.delta.value_or(1 / (2 * state.samples))),
        limit_(request.max_iterations.value_or(usual_limit())),
        rates_(state.features.size()),
        weights_(state.features.size()) {}

  MaskClimbed run() {
    for (Index iteration = 1; iteration <= limit_; ++iteration) {
      remember();
      const bool pruned = sweep();
      maximise();
      if (iteration % rebuild_every == 0) state_.rebuild_residual();
      record(iteration);
      const bool still = !pruned && result_.certificate <= request_.tolerance;
      if (observer_ != nullptr) {
        observer_->trace(result_.trace.back());
        progress_ = std::max(progress_, nearness());
        observer_->progress(still ? 1.0 : progress_, "masks");
      }
      if (still) return std::move(result_);
      if (observer_ != nullptr && observer_->cancelled()) return ended(Status::cancelled);
    }
    return ended(Status::iteration_limit);
  }

 private:
  // A rate that dies slowly takes 2 N log(1 / (1 - pi)) iterations of em: here from 1/2 to where collapse begins, with
  // room for those that begin late.
  Index usual_limit() const {
    if (request_.algorithm == MaskAlgorithm::collapsed) return 2000;
    return 2000 + static_cast<Index>(20 * state_.samples);
  }

  void remember() {
    for (const Index k : state_.active) {
      rates_[static_cast<std::size_t>(k)] = state_.feature(k).rate();
      weights_[static_cast<std::size_t>(k)] = state_.feature(k).beta;
    }
    intercept_ = state_.intercept;
  }

  // True if a feature was pruned.
  bool sweep() {
    const std::vector<Index> order = state_.active;
    Index pruned = 0;
    for (const Index k : order) {
      if (survives(k)) continue;
      state_.remove(k);
      ++pruned;
    }
    result_.pruned += pruned;
    return pruned > 0;
  }

  bool survives(Index k) {
    if (request_.algorithm == MaskAlgorithm::collapsed) return collapse_rate(state_, k, logit(least_rate_));
    expect_masks(state_, k);
    return state_.feature(k).sums.on >= least_rate_ * state_.samples;
  }

  void maximise() {
    maximise_weights(state_);
    maximise_noise(state_);
    if (request_.algorithm == MaskAlgorithm::em) maximise_rates(state_);
    state_.take_view();
  }

  void record(Index iteration) {
    double change = 0;
    const double sharpness = std::sqrt(state_.noise_precision * state_.samples);
    for (const Index k : state_.active) {
      const MaskFeature& f = state_.feature(k);
      const auto s = static_cast<std::size_t>(k);
      change = std::max({change, state_.samples * std::abs(f.rate() - rates_[s]),
                         std::abs(f.beta - weights_[s]) * f.size * sharpness});
    }
    change = std::max(change, std::abs(state_.intercept - intercept_) * sharpness);
    result_.certificate = change;
    result_.trace.push_back({iteration, state_.objective(), change, static_cast<Index>(state_.active.size()), change});
  }

  // From 0 to 1 as the change falls to the tolerance, on the logarithm.
  double nearness() const {
    const double worst = std::log(1e3 / request_.tolerance), left = std::log(result_.certificate / request_.tolerance);
    return std::clamp(1 - left / worst, 0.0, 0.99);
  }

  MaskClimbed ended(Status status) {
    result_.status = status;
    return std::move(result_);
  }

  MaskState& state_;
  const MaskRequest& request_;
  Observer* observer_;
  double least_rate_;
  Index limit_;
  std::vector<double> rates_, weights_;
  double intercept_ = 0, progress_ = 0;
  MaskClimbed result_;
};

}  // namespace

MaskClimbed climb_masks(MaskState& state, const MaskRequest& request, Observer* observer) {
  return MaskClimb(state, request, observer).run();
}

}  // namespace tamis
