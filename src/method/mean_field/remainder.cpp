// Damping of the remainder of a MeanFieldPath: the joint contribution of all features outside the working set.
//
// Model      each of those features has m < 0.01; together they may be ten thousand. f = sum_j m_j mean_j x_j is their
//            part of the predictor. A pass over X gives every (m_j, mean_j) at the residual that contains the f assumed
//            so far: a Jacobi step f_found = T(f_assumed), whose fixed point is wanted
// Algorithm  accept a point when |f_found - f_assumed| is below the tolerance, in posterior sds; otherwise assume
//              f_assumed + damping / stiffness (f_found - f_assumed)
//            stiffness estimates -dT/df + 1 along the last step (a secant); damping halves when the distance to the
//            fixed point shrinks by less than the step promised, and recovers when it does
// Why        all of them answer the same residual, each as if it moved alone, so a plain Jacobi step overshoots.
//            Gauss-Seidel would not, but is sequential: no second thread and no pass shared with folds.
// Measured   docs/decisions/0005: at p = 1,000,000 and n = 100 a path takes 35 passes over X instead of 65.
#include <algorithm>
#include <cmath>

#include "method/mean_field/mean_field_path.hpp"

namespace tamis {

// Replaces the remainder that pending point k was solved with by the one found for it. With d = f_found - f_assumed and
// centered residual r the expected square changes by |d|^2 - 2 r'Wd, so the free energy gets its part without another
// pass; the certificate is |d| in posterior sds of the predictor.
void MeanFieldPath::update_remainder(Index k) {
  MeanFieldPoint& point = block_[checks_[k]];
  const std::vector<double>& found = found_[k].fit;
  const std::vector<double>& used = assumed_[k].fit;
  double mean = 0, square = 0, along = 0;
  if (!found.empty() || !used.empty()) {
    for (Index i = 0; i < n_; ++i) {
      const double d = (found.empty() ? 0.0 : found[i]) - (used.empty() ? 0.0 : used[i]);
      mean += problem_.weights[i] * d;
      square += problem_.weights[i] * d * d;
      along += residuals_(i, k) * d;
    }
    if (problem_.intercept) square -= mean * mean;
  }
  const double precision = point.precision;
  point.certificate = std::sqrt(std::max(0.0, square) * precision);
  if (recording_ && (hyper_.learn_slab || hyper_.learn_odds)) {
    MeanFieldParameters next = hyper_;  // a recorded point is the only one of its block, and still in place
    point.certificate = std::max(point.certificate, field_.update_hyper(next, found_[k]));
  }
  point.total += found_[k].total;
  point.free_energy += found_[k].local + precision * (0.5 * (found_[k].variance + square) - along);
}

// Elasticity of the remainder's expected size to the prior odds, from two priors: 1 while each m is proportional to the
// odds, more where the noise falls along the path. predict_remainder extrapolates with it.
void MeanFieldPath::update_growth(Index k) {
  const double odds = checked(k).hyper.prior.log_odds, total = found_[k].total;
  if (growth_total_ > 0 && total > 0 && std::abs(odds - growth_log_odds_) > 1e-3) {
    growth_ = std::clamp(std::log(total / growth_total_) / (odds - growth_log_odds_), 0.5, 2.0);
  }
  if (odds != growth_log_odds_) {
    growth_log_odds_ = odds;
    growth_total_ = total;
  }
}

// Secant estimate of the overshoot from two passes at the same point: the step asked for, T(f) - f, shrinks by
// `stiffness` times what f has moved. Neighboring points are alike, so the estimate is kept along the path. Folds,
// which are checked rarely and loosely, leave it at 1: a shorter step would only make their remainder lag behind.
void MeanFieldPath::estimate_overshoot() {
  if (!checks_all() || last_movement_.empty() || found_.front().fit.empty()) return;
  const std::vector<double>&used = assumed_.front().fit, &found = found_.front().fit;
  double along = 0, square = 0;
  for (Index i = 0; i < std::ssize(found); ++i) {
    const double now = used.empty() ? 0.0 : used[i], moved = now - last_assumed_[i];
    along -= problem_.weights[i] * moved * (found[i] - now - last_movement_[i]);
    square += problem_.weights[i] * moved * moved;
  }
  if (square > 0) stiffness_ = std::clamp(along / square, 1.0, 4.0);
}

// Backtracking for points that are rejected again and again without coming nearer to the fixed point: half the step,
// and half of that, down to 1/256; doubled again when the distance falls as a step of this length should make it.
void MeanFieldPath::damp_remainder(Index k, bool sent_back) {
  const double distance = checked(k).certificate;
  if (!sent_back || rejections_ < 2) {
    damping_ = 1;
  } else if (last_distance_ > 0) {
    // A fraction `damping` of a step shortens the distance by at most that fraction.
    const double nearer = 1 - distance / last_distance_;
    if (nearer < 0.3 * damping_) damping_ = std::max(damping_ / 2, 1.0 / 256);
    if (nearer > 0.6 * damping_) damping_ = std::min(1.0, 2 * damping_);
  }
  last_distance_ = distance;
  const std::vector<double>&used = assumed_[k].fit, &found = found_[k].fit;
  last_movement_.clear();
  if (sent_back && !found.empty()) {
    last_assumed_ = used.empty() ? std::vector<double>(found.size()) : used;
    last_movement_ = found;
    for (Index i = 0; i < std::ssize(found); ++i) last_movement_[i] -= last_assumed_[i];
  }
  const double share = damping_ / stiffness_;
  for (Index l = k; l < pending() && share < 1; ++l) found_[l].mix(assumed_[l], share);
}

}  // namespace tamis
