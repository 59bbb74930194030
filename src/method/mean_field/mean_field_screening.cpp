// Screening by one pass over X: which features the working set lacks, and what all others add up to.
//
// Algorithm  for each pending point k of the block and each feature j outside the working set, from c = x_j'W r_k
//              posterior (m, mean) of j given the residual of point k                              compute_posteriors
//              m > 0.01: j is a violation of point k and joins the working set; the path goes back to that point
//              m <= 0.01: j adds to the remainder of point k: expected size, variance, free energy; joint fit
//            features near the threshold at the last point are candidates: admitted while there is room
//            the joint fit of all m_j mean_j x_j of a panel is one product with the columns that are in cache
// Invariant  points are accepted in order, the first rejected one discards all after it. An accepted point has no
//            violation, and its remainder has converged to remainder_tolerance() (or most_rejections have passed)
// Cost       one pass serves up to 8 points of each problem; all state per feature is local to the panel. Features
//            whose m is below 1e-13 at every point are left after one multiplication and a comparison.
#include <algorithm>
#include <cmath>

#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "method/mean_field/mean_field_path.hpp"

namespace tamis {
namespace {

constexpr double negligible_logit = -30;  // m = 1e-13
constexpr Index few_features = 384;       // up to this many, all are in the working set from the beginning
constexpr Index ends_dense_above = 1024;  // features; with fewer the dense end costs nothing and is followed
constexpr int most_rejections = 200;      // of one point, before it is accepted with the certificate that it has

}  // namespace

// At the null model a feature alone gains beta n c^2 / (2 chi) in log odds. The maximum places the first gamma (Eq. 13
// of the garrote), the strongest features are the first working set.
void MeanFieldPath::check_start(Index first, ConstMatrixView c) {
  for (Index r = 0; r < c.rows; ++r) {
    const double chi = problem_.curvature[first + r];
    if (!(chi > 0)) continue;
    const double gain = 0.5 * checked(0).precision * c(r, 0) * c(r, 0) / chi;
    strongest_ = std::max(strongest_, gain);
    if (gain >= candidate_bar_) candidates_.push_back({first + r, 0, gain, {c(r, 0)}});
  }
  keep_best_candidates(p_ <= few_features ? field_.capacity() : 2 * most_candidates());
}

void MeanFieldPath::keep_best_candidates(Index count) {
  if (std::ssize(candidates_) <= count) return;
  const auto last = candidates_.begin() + count;
  std::ranges::nth_element(candidates_, last, std::ranges::greater(), &Newcomer::rank);
  candidate_bar_ = last->rank;
  candidates_.erase(last, candidates_.end());
}

// Posteriors of a panel's features at pending point k from their correlations with the residual. If the remainder is in
// the residual, so is each feature's own part, which has to be added back: c = correlation + chi m mean, where m and
// mean depend on c in turn. With own part `part` the mean is mean_alone / (1 - shrinkage part); since part < 0.01, a
// few fixed-point rounds converge. False: all of them are negligible. Branch-free inner loops, for the vectorizer.
bool MeanFieldPath::compute_posteriors(Index k, Index first, std::span<const double> correlations,
                                       CandidatePosteriors& out) const {
  const MeanFieldParameters& hyper = checked(k).hyper;
  const double precision = checked(k).precision;
  const Index count = std::ssize(correlations);
  const double* c = correlations.data();
  const double* chi = problem_.curvature.data() + first;
  double *prior = out.prior.data(), *shrinkage = out.shrinkage.data();
  double *mean = out.mean.data(), *logit = out.logit.data(), *m = out.m.data();
  double last_chi = -1;
  SpikeSlab::Terms terms{};
  for (Index r = 0; r < count; ++r) {
    if (chi[r] != last_chi) terms = hyper.prior.terms(precision * chi[r]);
    last_chi = chi[r];
    prior[r] = terms.prior_logit;
    shrinkage[r] = terms.shrinkage;
  }
  double largest = 2 * negligible_logit;
  simd_dispatch([=, &largest] {
    double top = largest;
    for (Index r = 0; r < count; ++r) {
      mean[r] = chi[r] > 0 ? shrinkage[r] * c[r] / chi[r] : 0.0;
      logit[r] =
          chi[r] > 0 ? prior[r] + 0.5 * precision * chi[r] * mean[r] * mean[r] / shrinkage[r] : 2 * negligible_logit;
      top = top > logit[r] ? top : logit[r];
    }
    largest = top;
  });
  if (largest < negligible_logit) return false;
  // The rounds contract by about m times the log odds gained: one or two are enough where all m are small.
  const bool puts_back = !assumed_[k].fit.empty();
  const int of_larger = !puts_back ? 0 : recording_ ? 5 : 2, of_small = !puts_back ? 0 : recording_ ? 2 : 1;
  const double least = least_in_fit(), most = working_set_threshold;
  simd_dispatch([=] {
    constexpr Index together = 16;
    constexpr double small = -9.2;  // m = 1e-4
    for (Index begin = 0; begin < count; begin += together) {
      const Index end = begin + together < count ? begin + together : count;
      double top = logit[begin];
      for (Index r = begin; r < end; ++r) top = top > logit[r] ? top : logit[r];
      const int rounds = top < small ? of_small : of_larger;
      for (Index r = begin; r < end; ++r) {
        const double alone = mean[r], half = 0.5 * precision * chi[r] / shrinkage[r];
        double l = logit[r];
        const auto logistic = [](double x) { return 1 / (1 + vector_math::exp(-(x > -700 ? x : -700))); };
        double own = logistic(l);
        for (int round = 0; round < rounds; ++round) {
          // Features below least_in_fit are not in the joint fit and have nothing to add back.
          const double part = own < least ? 0.0 : own < most ? own : most;
          const double whole = alone / (1 - shrinkage[r] * part);
          mean[r] = whole;
          l = prior[r] + half * whole * whole;
          own = logistic(l);
        }
        logit[r] = chi[r] > 0 ? l : 2 * negligible_logit;
        m[r] = own;
      }
    }
  });
  return true;
}

MeanFieldPath::CandidatePosterior MeanFieldPath::posterior_of(Index k, Index j, double correlation) const {
  CandidatePosteriors one(1);
  compute_posteriors(k, j, std::span(&correlation, 1), one);
  return one.at(0);
}

// Adds one feature to the remainder's sums, with sign -1 removes it. At its own optimum a feature contributes
// log(1 - m) to the free energy, here by its series, as m < 0.01; features of the joint fit interact through it, so for
// them the gain of log odds is taken back and the variance is counted with the fit instead.
void MeanFieldPath::add_to(Remainder& remainder, const MeanFieldPoint& point, double chi, const CandidatePosterior& b,
                           double sign) const {
  const MeanFieldParameters& hyper = point.hyper;
  const double m = b.m, square = b.mean * b.mean;
  const double information = point.precision * chi;
  const double variance = hyper.prior.slab_is_normal ? b.shrinkage / information : 0.0;
  const double second = m * (square + variance);
  remainder.total += sign * m;
  remainder.second += sign * second;
  remainder.local -= sign * m * (1 + m * (0.5 + m * (1.0 / 3 + m * 0.25)));  // -log(1 - m)
  if (m < least_in_fit()) return;
  double gain = b.logit - b.prior;  // inclusion cost + log odds
  if (hyper.prior.slab_is_normal) gain += 0.5 * ((square + variance) / hyper.prior.slab_variance - 1);
  if (hyper.prior.weight_variance > 0) gain += 0.5 * square / hyper.prior.weight_variance;
  remainder.local += sign * m * gain;
  remainder.variance += sign * chi * (second - m * m * square);
}

// One panel of the pass, first .. first + c.rows, with correlations for all pending points. Members refresh their exact
// correlation at the last point; all others are screened at every point.
void MeanFieldPath::take_correlations(Index first, ConstMatrixView c) {
  if (!started_) return check_start(first, c);
  const Index points = pending();
  for (Index r = 0; r < c.rows; ++r) {
    const std::int32_t place = position_[first + r];
    if (place >= 0) fresh_correlations_[place] = c(r, points - 1);
  }
  const Index rows = c.rows;
  CandidatePosteriors posteriors(rows);
  Matrix fits(c.rows, points);
  std::vector<Index> missed(rows, points);
  std::vector<bool> counts(rows, false);
  for (Index k = 0; k < points; ++k) {
    const bool any = compute_posteriors(k, first, c.column(k), posteriors);
    if (!any && !recording_) continue;
    for (Index r = 0; r < rows; ++r) {
      const auto j = first + r;
      if (position_[j] >= 0) continue;
      const CandidatePosterior b = posteriors.at(r);
      if (recording_) record_posterior(j, b);
      if (b.logit < negligible_logit) continue;
      if (b.m > working_set_threshold) {
        missed[r] = std::min(missed[r], k);
        continue;
      }
      add_to(found_[k], checked(k), problem_.curvature[j], b, 1);
      if (b.m < least_in_fit()) continue;
      fits(r, k) = b.m * b.mean;
      counts[r] = true;
    }
    if (k + 1 < points) continue;
    for (Index r = 0; r < rows; ++r) {
      const bool wanted = missed[r] < points || posteriors.logit[r] > candidate_bar_;
      if (position_[first + r] < 0 && wanted) record_newcomer(first, r, c, missed[r], posteriors.logit[r]);
    }
  }
  keep_best_candidates(most_candidates());
  add_joint_fit(first, counts, fits);
}

void MeanFieldPath::record_newcomer(Index first, Index r, ConstMatrixView c, Index missed, double logit) {
  Newcomer newcomer{first + r, missed, logit, {}};
  for (Index k = 0; k < c.cols; ++k) newcomer.correlations[k] = c(r, k);
  (missed < c.cols ? violators_ : candidates_).push_back(newcomer);
}

void MeanFieldPath::add_joint_fit(Index first, const std::vector<bool>& counts, const Matrix& fits) {
  std::vector<Index> columns;
  for (Index r = 0; r < std::ssize(counts); ++r) {
    if (counts[r]) columns.push_back(first + r);
  }
  if (columns.empty()) return;
  Matrix chosen(std::ssize(columns), fits.cols());
  for (Index k = 0; k < fits.cols(); ++k) {
    for (Index s = 0; s < std::ssize(columns); ++s) chosen(s, k) = fits(columns[s] - first, k);
  }
  if (joint_fits_.cols() != fits.cols()) joint_fits_ = Matrix(n_, fits.cols());
  problem_.X.multiply_add(Columns(columns), chosen, joint_fits_);
}

void MeanFieldPath::record_posterior(Index j, const CandidatePosterior& b) {
  all_.logits[j] = b.logit;
  all_.means[j] = b.mean;
  const double information = checked(0).precision * problem_.curvature[j];
  all_.variances[j] = hyper_.prior.slab_is_normal ? b.shrinkage / information : 0.0;
}

// Removes a newcomer's share from the remainder found at a pending point, so that it is not counted twice; returns its
// posterior there.
MeanFieldPath::CandidatePosterior MeanFieldPath::remove_from(Remainder& remainder, Index point,
                                                             const Newcomer& newcomer) const {
  CandidatePosterior b = posterior_of(point, newcomer.feature, newcomer.correlations[point]);
  if (b.m > working_set_threshold) b.m = 0;  // it had no share
  if (b.m == 0) return b;
  add_to(remainder, checked(point), problem_.curvature[newcomer.feature], b, -1);
  if (b.m >= least_in_fit() && !remainder.fit.empty()) {
    const double taken = -b.m * b.mean;
    problem_.X.multiply_add(Columns::range(newcomer.feature, 1), std::span(&taken, 1), std::span(remainder.fit));
  }
  return b;
}

// Admits violations, and candidates while there is room. While recording, each starts from its posterior in the
// remainder, so that the free energy of the trace stays monotone. False: more violations than the capacity holds.
bool MeanFieldPath::admit_newcomers(Index point) {
  const Index missed = violators_.size();
  const Index room = field_.capacity() - make_room(missed, missed + std::ssize(candidates_));
  if (missed > room) return false;
  keep_best_candidates(room - missed);
  std::vector<Index> features;
  std::vector<double> correlations;
  std::vector<CandidatePosterior> posteriors;
  for (const std::vector<Newcomer>* list : {&violators_, &candidates_}) {
    for (const Newcomer& newcomer : *list) {
      features.push_back(newcomer.feature);
      correlations.push_back(newcomer.correlations[point]);
      posteriors.push_back(remove_from(remainder_, point, newcomer));
      for (Index k = 0; k < std::ssize(predicted_remainders_); ++k) {
        remove_from(predicted_remainders_[k], point + 1 + k, newcomer);
      }
    }
  }
  if (!features.empty()) {  // the point will not be the same
    last_movement_.clear();
    last_distance_ = 0;
  }
  const Index before = field_.size();
  admit(features, correlations);
  for (Index k = 0; k < std::ssize(posteriors) && recording_; ++k) {
    if (posteriors[k].m == 0) continue;
    const double chi = problem_.curvature[features[k]];
    const bool normal = hyper_.prior.slab_is_normal;
    field_.set_member(before + k, posteriors[k].logit, posteriors[k].mean,
                      normal ? posteriors[k].shrinkage / (checked(point).precision * chi) : 0.0);
  }
  return true;
}

// End of a path towards denser priors: where the features with m < 1/2 have an expected number above 5 and above a
// quarter of that of the features with m > 1/2. Solutions beyond select nothing, were never chosen on the benchmarks
// and took most of the time. Returns how many of the first `count` points of the block lie before that.
Index MeanFieldPath::before_dense_end(Index count) const {
  if (p_ <= ends_dense_above || !goes_denser_) return count;
  for (Index k = 0; k < count; ++k) {
    const MeanFieldPoint& point = block_[k];
    double named = 0;
    for (const double l : point.logits) named += l > 0 ? logistic(l) : 0.0;
    if (point.total - named > std::max(5.0, named / 4)) return k;
  }
  return count;
}

// Accepts the points up to the first violation or unconverged remainder, rewinds to that one, and sets the length of
// the next block: doubled after a full success, the same points again if only remainders moved, otherwise as many as
// passed.
Index MeanFieldPath::accept_points() {
  if (!started_) return finish_start();
  const Index points = pending();
  if (points == 0) return 0;
  for (Index k = 0; k < joint_fits_.cols(); ++k) {
    found_[k].fit.assign(joint_fits_.col(k), joint_fits_.col(k) + n_);
  }
  joint_fits_ = {};
  Index good = points;  // checks passed
  for (const Newcomer& v : violators_) good = std::min(good, v.point);
  for (Index k = 0; k < good; ++k) {
    update_remainder(k);
    const bool rests = checked(k).certificate <= remainder_tolerance() || (k == 0 && rejections_ >= most_rejections);
    if (!rests) good = k;
  }
  const Index next = std::min(good, points - 1);
  const Index passed = good == 0 ? 0 : checks_[good - 1] + 1;  // points of the block
  const Index taken = before_dense_end(passed);
  rejections_ = taken == 0 ? rejections_ + 1 : good < points ? 1 : 0;
  update_growth(next);
  estimate_overshoot();
  damp_remainder(next, good < points);
  const bool stays = !recording_ && good == points && assumed_.back().fit.empty() && found_.back().fit.empty();
  if (stays) std::ranges::copy(fresh_correlations_, field_.correlations().begin());
  remainder_ = std::move(found_[next]);
  predicted_remainders_.clear();
  points_.insert(points_.end(), block_.begin(), block_.begin() + taken);
  if (good < points) {
    set_state(block_[taken]);
    // Without violations the rest of the block is solved again as a whole, each point with the remainder found for it.
    const bool same_again = violators_.empty() && checks_all();
    if (same_again)
      std::ranges::move(found_.begin() + next + 1, found_.end(), std::back_inserter(predicted_remainders_));
    if (same_again && !(recording_ && rejections_ == 1)) candidates_.clear();
    block_length_ = std::max<Index>(1, same_again ? std::ssize(block_) - taken : taken);
    interpolation_ahead_ = false;
  } else {
    block_length_ = std::min(settings_.longest_block, 2 * block_length_);
    if (interpolation_ahead_) {
      interpolation_ahead_ = false;
      block_length_ = 1;  // solved alone, the next point shows whether it interpolates
    }
  }
  interpolates_ = interpolates_ || taken < passed;
  // A recorded point is returned as checked, so nothing is admitted after it.
  if (!(recording_ && good == points) && !admit_newcomers(next)) {
    // More violations than capacity: the dense end of the path, unless a long block has gone too far ahead.
    interpolates_ = interpolates_ || (taken == 0 && block_.size() == 1);
    block_length_ = std::max<Index>(1, std::ssize(block_) / 2);
  }
  if (!stays) {
    rebuild_residual();
    update_working_set_correlations();
  }
  clear_block();
  return taken;
}

// After the pass over the null model: the strongest features are the first working set.
Index MeanFieldPath::finish_start() {
  started_ = true;
  std::vector<Index> features;
  std::vector<double> correlations;
  for (const Newcomer& v : candidates_) {
    features.push_back(v.feature);
    correlations.push_back(v.correlations[0]);
  }
  clear_block();
  admit(features, correlations);
  return 0;
}

void MeanFieldPath::clear_block() {
  violators_.clear();
  candidates_.clear();
  block_.clear();
  checks_.clear();
  assumed_.clear();
}

}  // namespace tamis
