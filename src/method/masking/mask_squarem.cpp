// SQUAREM extrapolation of collapsed iterations: Varadhan & Roland (2008), Scandinavian Journal of Statistics 35, S3.
//
// Model      x0, x1, x2 consecutive iterates, r = x1 - x0, v = x2 - x1 - r, a = |r| / |v|
//              x = x0 + 2 a r + a^2 v
// Unknowns   weights, log odds of the rates below one, intercept, log noise precision, each divided by its approximate
//            standard deviation: otherwise the unknown in the smallest units would decide a.
// Safeguards masks are recomputed at x, one iteration follows, and everything is undone if G is lower than before or
//            a feature was pruned; active features and rates at one must be the same in all three iterates.
// Effect     30 to 47 % fewer iterations.
#include "method/masking/mask_squarem.hpp"

#include <algorithm>
#include <cmath>

#include "method/masking/mask_steps.hpp"

namespace tamis {
namespace {

// Bound on a; longer extrapolations are undone too often to pay.
constexpr double longest = 64;
// Bound on the change of a log odds: further, the first root that the walk of collapse_rate would stop at may be
// passed.
constexpr double longest_log_odds = 2;

}  // namespace

MaskSquarem::Point MaskSquarem::point_of(const MaskState& state) {
  Point point;
  point.active = state.active;
  const double sharpness = std::sqrt(state.noise_precision * state.samples);
  for (const Index k : state.active) {
    const MaskFeature& f = state.feature(k);
    point.unknowns.push_back(f.beta);
    point.units.push_back(f.size * sharpness);
    if (f.certain) continue;
    point.uncertain.push_back(k);
    point.unknowns.push_back(f.log_odds);
    point.units.push_back(std::sqrt(state.samples * f.rate() * (1 - f.rate())));
  }
  point.unknowns.push_back(state.intercept);
  point.units.push_back(sharpness);
  point.unknowns.push_back(std::log(state.noise_precision));
  point.units.push_back(std::sqrt(state.samples / 2));
  return point;
}

void MaskSquarem::remember(const MaskState& state) {
  Point point = point_of(state);
  if (!points_.empty() && (points_.back().active != point.active || points_.back().uncertain != point.uncertain)) {
    points_.clear();
  }
  if (points_.size() == 3) points_.erase(points_.begin());
  points_.push_back(std::move(point));
}

void MaskSquarem::restart(const MaskState& state) {
  points_.clear();
  remember(state);
}

// a = |r| / |v|, the length of the extrapolation in iterations.
double MaskSquarem::length() const {
  double first = 0, bend = 0;
  for (Index i = 0; i < std::ssize(points_[2].unknowns); ++i) {
    const double r = (points_[1].unknowns[i] - points_[0].unknowns[i]) * points_[2].units[i];
    const double v = (points_[2].unknowns[i] - points_[1].unknowns[i]) * points_[2].units[i] - r;
    first += r * r;
    bend += v * v;
  }
  return bend > 0 ? std::min(longest, std::sqrt(first / bend)) : 1.0;
}

bool MaskSquarem::ready() const { return points_.size() == 3 && !points_[2].uncertain.empty() && length() > 1; }

void MaskSquarem::extrapolate(MaskState& state) {
  // What undo() needs. Of the n x p masks only columns that may change are copied.
  features_ = state.features;
  active_ = state.active;
  masked_.clear();
  for (const Index k : points_[2].uncertain)
    masked_.emplace_back(state.masked.col(k), state.masked.col(k) + state.rows());
  residual_ = state.residual;
  target_ = state.target;
  precisions_ = state.precisions;
  row_weights_ = state.row_weights;
  intercept_ = state.intercept;
  noise_precision_ = state.noise_precision;
  constant_ = state.constant;

  const double a = length();
  std::size_t i = 0;
  const auto next = [&](double now) {
    const double r = points_[1].unknowns[i] - points_[0].unknowns[i];
    const double v = points_[2].unknowns[i] - points_[1].unknowns[i] - r;
    const double there = points_[0].unknowns[i++] + 2 * a * r + a * a * v;
    return std::isfinite(there) ? there : now;
  };
  for (const Index k : state.active) {
    MaskFeature& f = state.feature(k);
    f.beta = next(f.beta);
    if (!f.certain)
      f.log_odds = std::clamp(next(f.log_odds), f.log_odds - longest_log_odds, f.log_odds + longest_log_odds);
  }
  state.intercept = next(state.intercept);
  const double log_precision = next(std::log(state.noise_precision));
  if (state.learn_noise) state.noise_precision = std::exp(log_precision);
  state.rebuild_residual();
  for (const Index k : points_[2].uncertain) expect_masks(state, k);
}

void MaskSquarem::undo(MaskState& state) const {
  std::size_t stored = 0;
  std::vector<Index> changed;
  for (const Index k : active_) {
    // Masks at one before and after: the column did not change.
    if (features_[k].certain && state.feature(k).certain) continue;
    changed.push_back(k);
    if (features_[k].certain) {
      std::copy_n(state.data.X.col(k), state.rows(), state.masked.col(k));
    } else {
      std::ranges::copy(masked_[stored++], state.masked.col(k));
    }
  }
  state.features = features_;
  for (const Index k : changed) state.feature(k).stale = true;
  state.active = active_;
  state.residual = residual_;
  state.target = target_;
  state.precisions = precisions_;
  state.row_weights = row_weights_;
  state.intercept = intercept_;
  state.noise_precision = noise_precision_;
  state.constant = constant_;
}

}  // namespace tamis
