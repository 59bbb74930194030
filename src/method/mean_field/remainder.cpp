// How the background of a MeanFieldPath comes to rest.
#include <algorithm>
#include <cmath>

#include "method/mean_field/mean_field_path.hpp"

namespace tamis {
namespace {}  // namespace

// Puts the background that was found at pending point k in place of the one that the point was solved with: its free
// energy, and how far the joint fit has moved, in posterior sds.
void MeanFieldPath::update_remainder(Index k) {
  MeanFieldPoint& point = block_[checks_[k]];
  const std::vector<double>& found = found_[k].fit;
  const std::vector<double>& used = used_[k].fit;
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

// How fast the background grows with the prior's log odds: as the odds themselves, or faster as the noise falls.
void MeanFieldPath::note_growth(Index k) {
  const double odds = checked(k).hyper.prior.log_odds, total = found_[k].total;
  if (noted_total_ > 0 && total > 0 && std::abs(odds - noted_odds_) > 1e-3) {
    growth_ = std::clamp(std::log(total / noted_total_) / (odds - noted_odds_), 0.5, 2.0);
  }
  if (odds != noted_odds_) {
    noted_odds_ = odds;
    noted_total_ = total;
  }
}

// Many features answer the same residual, each as if it were alone, so all of them together go too far, and come back:
// the movement that a point asks for shrinks by `stiffness` times what the background has moved. Two looks at the same
// point tell how stiff it is, and the neighboring points are alike. (Where few points are checked, and loosely, the
// background would only lag behind.)
void MeanFieldPath::estimate_overshoot() {
  if (!checks_all() || last_movement_.empty() || found_.front().fit.empty()) return;
  const std::vector<double>&used = used_.front().fit, &found = found_.front().fit;
  double along = 0, square = 0;
  for (Index i = 0; i < std::ssize(found); ++i) {
    const double now = used.empty() ? 0.0 : used[i], moved = now - last_used_[i];
    along -= problem_.weights[i] * moved * (found[i] - now - last_movement_[i]);
    square += problem_.weights[i] * moved * moved;
  }
  if (square > 0) stiffness_ = std::clamp(along / square, 1.0, 4.0);
}

// Where that is not enough, and a point that keeps being sent back does not come nearer, the background goes half of
// the way, and half of that, until it does.
void MeanFieldPath::damp_remainder(Index k, bool sent_back) {
  const double distance = checked(k).certificate;
  if (!sent_back || rejections_ < 2) {
    damping_ = 1;
  } else if (last_distance_ > 0) {
    // A step of which only a part was made can at best come nearer by that part.
    const double nearer = 1 - distance / last_distance_;
    if (nearer < 0.3 * damping_) damping_ = std::max(damping_ / 2, 1.0 / 256);
    if (nearer > 0.6 * damping_) damping_ = std::min(1.0, 2 * damping_);
  }
  last_distance_ = distance;
  const std::vector<double>&used = used_[k].fit, &found = found_[k].fit;
  last_movement_.clear();
  if (sent_back && !found.empty()) {
    last_used_ = used.empty() ? std::vector<double>(found.size()) : used;
    last_movement_ = found;
    for (Index i = 0; i < std::ssize(found); ++i) last_movement_[i] -= last_used_[i];
  }
  const double share = damping_ / stiffness_;
  for (Index l = k; l < pending() && share < 1; ++l) found_[l].mix(used_[l], share);
}

}  // namespace tamis
