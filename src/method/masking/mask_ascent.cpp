// Maximization of G, the bound of the factorized information criterion, over masks, weights, noise and rates.
//
// Algorithm  per iteration (Kondo, Maeda & Hayashi 2015, Algorithms 1 and 2)
//              1 masks of each feature in turn                  Eq. 11   (collapsed: with their rate, collapse_rate)
//              2 prune features with sum_n mu_nk < delta N
//              3 weights and intercept                          Eq. 12   (eg: gradient step, Eq. 20)
//              4 noise                                          Eq. 13
//              5 rates                                          Eq. 14   (collapsed: done in step 1)
//              6 other families: tangent of the quadratic bound at the new predictor
//            collapsed: SQUAREM extrapolation once three iterates are known, undone if G falls
// Invariant  G does not fall within a set of active features, except in gradient steps. Pruning changes the set, and G
//            of different sets is not comparable (G -> infinity as pi -> 0), so an extrapolation after
//            which a feature is pruned is undone, not decided by G.
// Order      masks of one feature at a time with a running residual: updating all features in parallel from the same
//            residual does lower G.
// Stopping   nothing pruned, and N |change of pi| and the change of beta in standard deviations below `tolerance`: a
//            dying rate moves by only (1 - pi) / (2 N) per iteration, which a tolerance on pi itself would call
//            converged.
#include "method/masking/mask_ascent.hpp"

#include <algorithm>
#include <cmath>

#include "method/masking/mask_gradient.hpp"
#include "method/masking/mask_squarem.hpp"
#include "method/masking/mask_steps.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr Index rebuild_every = 20;  // iterations; the running residual accumulates rounding
// A rate at one seldom leaves it. Such features are skipped for 1, 2, ... up to this many sweeps while they stay there;
// convergence is only declared after a sweep over all of them.
constexpr Index max_skips = 8;

// One run of one algorithm. result_.trace has one entry per iteration that was kept; rates_ and weights_ are the values
// before the current iteration, by feature, from which its change is measured.
class MaskOptimizer {
 public:
  MaskOptimizer(MaskState& state, const MaskRequest& request, Observer* observer)
      : state_(state),
        request_(request),
        observer_(observer),
        min_rate_(request.delta.value_or(std::min(0.5, 1 / (2 * state.samples)))),
        limit_(request.max_iterations.value_or(default_limit())),
        rates_(state.features.size()),
        weights_(state.features.size()) {}

  MaskResult run() {
    while (done_ < limit_) {
      const bool whole = check_all_;
      const bool pruned = iterate(whole);
      record();
      check_all_ = !pruned && result_.certificate <= request_.tolerance;
      const bool converged = check_all_ && whole;
      notify(converged);
      if (converged) return std::move(result_);
      if (observer_ != nullptr && observer_->cancelled()) return ended(Status::cancelled);
      if (request_.algorithm != MaskAlgorithm::collapsed) continue;
      squarem_.remember(state_);
      if (squarem_.ready()) try_squarem();
    }
    return ended(Status::iteration_limit);
  }

 private:
  // A dying rate takes 2 N log(1 / (1 - pi)) iterations of em; the limit covers that from pi = 1/2 on, with room for
  // rates that begin to fall late.
  Index default_limit() const {
    if (request_.algorithm == MaskAlgorithm::collapsed) return 10000;
    return 2000 + static_cast<Index>(20.0 * state_.samples);
  }

  void remember() {
    for (const Index k : state_.active) {
      rates_[k] = state_.feature(k).rate();
      weights_[k] = state_.feature(k).beta;
    }
    intercept_ = state_.intercept;
  }

  // One sweep over the masks (`whole`: including features skipped because their rate is one), then weights, noise and
  // rates. True if a feature was pruned.
  bool iterate(bool whole) {
    remember();
    const bool pruned = sweep(whole);
    maximize();
    if (++done_ % rebuild_every == 0) state_.rebuild_residual();
    return pruned;
  }

  // Extrapolated parameters satisfy none of the update equations, so G is compared after one iteration from there.
  void try_squarem() {
    const double before = state_.objective();
    const Index pruned = result_.pruned;
    squarem_.extrapolate(state_);
    const bool lost = iterate(/*whole=*/false);
    if (!lost && state_.objective() >= before) {
      record();
      notify(false);
    } else {
      squarem_.undo(state_);
      result_.pruned = pruned;
    }
    squarem_.restart(state_);
  }

  bool sweep(bool whole) {
    const std::vector<Index> order = state_.active;
    Index pruned = 0;
    for (const Index k : order) {
      MaskFeature& f = state_.feature(k);
      if (f.certain && !whole && f.skips_left-- > 0) continue;
      if (survives(k)) {
        // Back-off: one sweep longer each time the rate is confirmed at one.
        f.skip_sweeps = f.certain ? std::min(max_skips, f.skip_sweeps + 1) : 0;
        f.skips_left = f.skip_sweeps;
        continue;
      }
      state_.remove(k);
      ++pruned;
    }
    result_.pruned += pruned;
    return pruned > 0;
  }

  bool survives(Index k) {
    // logit(delta) bounds the root search from below: a rate on its way under delta is pruned without reaching it.
    if (request_.algorithm == MaskAlgorithm::collapsed) return collapse_rate(state_, k, logit(min_rate_));
    expect_masks(state_, k);
    return state_.feature(k).sums.on >= min_rate_ * state_.samples;
  }

  bool follows_gradient() const {
    return request_.algorithm == MaskAlgorithm::eg ||
           (request_.algorithm == MaskAlgorithm::hybrid && done_ >= request_.switch_after);
  }

  void maximize() {
    if (follows_gradient()) {
      follow_gradient();
    } else {
      maximize_weights(state_);
    }
    maximize_noise(state_);
    if (request_.algorithm != MaskAlgorithm::collapsed && !follows_gradient()) maximize_rates(state_);
    state_.update_working_response();
  }

  void follow_gradient() {
    gradient_step(state_, {.weights = request_.learning_rate / (state_.samples * state_.noise_precision),
                           .rates = request_.learning_rate / state_.samples,
                           .reparametrized = request_.reparametrize});
  }

  void notify(bool converged) {
    if (observer_ == nullptr) return;
    observer_->trace(result_.trace.back());
    progress_ = std::max(progress_, fraction_done());
    observer_->progress(converged ? 1.0 : progress_, "masks");
  }

  // Gradient steps are as short as their learning rate, so their size proves nothing: convergence is measured by the
  // step that em would take, in the same units.
  double distance_to_em() const {
    const MaskGradient gradient = gradient_of(state_);
    const double sharpness = std::sqrt(state_.noise_precision * state_.samples);
    double distance = 0;
    for (Index a = 0; a < std::ssize(state_.active); ++a) {
      const MaskFeature& f = state_.feature(state_.active[a]);
      distance = std::max(distance, std::abs(gradient.weights[a]) / (f.size * sharpness));
      if (!f.certain) distance = std::max(distance, std::abs(f.sums.on - state_.samples * f.rate()));
    }
    return distance;
  }

  void record() {
    double change = 0;
    const double sharpness = std::sqrt(state_.noise_precision * state_.samples);
    for (const Index k : state_.active) {
      const MaskFeature& f = state_.feature(k);
      const Index s = k;
      change = std::max({change, state_.samples * std::abs(f.rate() - rates_[s]),
                         std::abs(f.beta - weights_[s]) * f.size * sharpness});
    }
    change = std::max(change, std::abs(state_.intercept - intercept_) * sharpness);
    result_.certificate = follows_gradient() ? std::max(change, distance_to_em()) : change;
    result_.trace.push_back({done_, state_.objective(), change, std::ssize(state_.active), result_.certificate});
  }

  // Progress: log of the change on its way from 1e3 to the tolerance.
  double fraction_done() const {
    const double worst = std::log(1e3 / request_.tolerance), left = std::log(result_.certificate / request_.tolerance);
    return std::clamp(1 - left / worst, 0.0, 0.99);
  }

  MaskResult ended(Status status) {
    result_.status = status;
    return std::move(result_);
  }

  MaskState& state_;
  const MaskRequest& request_;
  Observer* observer_;
  double min_rate_;
  Index limit_;
  std::vector<double> rates_, weights_;
  double intercept_ = 0, progress_ = 0;
  Index done_ = 0;
  bool check_all_ = false;  // the next sweep includes the skipped features
  MaskSquarem squarem_;
  MaskResult result_;
};

}  // namespace

MaskResult maximize_criterion(MaskState& state, const MaskRequest& request, Observer* observer) {
  return MaskOptimizer(state, request, observer).run();
}

}  // namespace tamis
