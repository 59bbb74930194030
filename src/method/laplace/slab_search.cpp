// Search for the slab features of largest posterior probability, by alternating optimization from many starts.
//
// Starts     the first m features of two rankings, m = 0, 1, 2, 3, 6, ... 200: by correlation with y, and by ridge
//            coefficients, which account for correlation among features
// Algorithm  per prior (r0, r1, pi) and per start noise
//              1 from every start: w = ridge mode under the support; support = {|w_j| >= a}; repeat      (alternate)
//              2 distinct end points, each with the noise of largest evidence                   (evaluate_modes)
//              3 keep the largest evidence times prior of the support; again at its noise while it rises
// Starts     are many because alternation only reaches a fixed point near its start.
// Cost       all starts advance together, so that one pass over X serves 32 of them; end points are given up by the
//            bound of best_noise as soon as they cannot win; evidence is cached per support.
#include "method/laplace/slab_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace tamis {
namespace {

constexpr int max_rounds = 100;            // of alternating optimization from one start
constexpr Index together = 32;             // duals per pass over X
constexpr std::size_t max_kept_modes = 4;  // from which a search under another prior begins, where there are many rows
constexpr double starting_noises[] = {0.01, 0.001};  // of the response's variance

// Sizes of the starting supports: dense where one more feature matters. With many rows large starts are too expensive,
// and small ones grow by themselves.
constexpr Index largest_start = 200;

std::vector<Index> start_sizes(Index rows, Index features, bool many) {
  std::vector<Index> sizes;
  const Index most =
      std::min({rows, std::max<Index>(features / 2, std::min<Index>(features, 10)), many ? Index{85} : largest_start});
  for (const Index size : {0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 25, 30, 40, 50, 65, 85, 110, 150, 200}) {
    if (size <= most) sizes.push_back(size);
  }
  return sizes;
}

// log of the binomial coefficient: the prior cost of one support among all of its size.
double log_choices(Index features, std::size_t chosen) {
  const auto p = static_cast<double>(features), k = static_cast<double>(chosen);
  return std::lgamma(p + 1) - std::lgamma(k + 1) - std::lgamma(p - k + 1);
}

// The features of the largest scores, as many as the largest start; of equals the first.
std::vector<Index> ranked(std::span<const double> scores) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto before = [&](Index i, Index j) {
    const double a = std::abs(scores[i]), b = std::abs(scores[j]);
    return a != b ? a > b : i < j;
  };
  const auto count = std::min<Index>(std::ssize(order), largest_start);
  std::ranges::partial_sort(order, order.begin() + count, before);
  order.resize(count);
  return order;
}

}  // namespace

PriorVariances variances_of(const std::vector<Index>& slab, const TwoNormal& prior) {
  return {prior.spike_variance(), slab, std::vector<double>(slab.size(), prior.slab_variance())};
}

SlabSearch::SlabSearch(DualModel& model, bool noise_is_given) : model_(model), noise_is_given_(noise_is_given) {
  rank_features();
}

// Two rankings: marginal correlation, and ridge coefficients, which discount what correlated features share.
void SlabSearch::rank_features() {
  const Index p = model_.features();
  const std::vector<double> nothing(model_.rows(), 0.0);
  Matrix duals(model_.rows(), 2), scores(p, 2);
  const double given = model_.noise_variance();
  model_.set_noise_variance(1);
  std::ranges::copy(model_.score(nothing, model_.loss(nothing, 0).intercept), duals.col(0));
  // Ridge variance at which all coefficients together explain ten times the noise.
  const double share = 10.0 / (static_cast<double>(p) * model_.scaled().mean_curvature());
  std::ranges::copy(model_.ranking_ridge(share).dual, duals.col(1));
  model_.set_noise_variance(given);
  model_.correlations(duals, scores);
  rankings_ = {ranked(scores.column(0)), ranked(scores.column(1))};
}

// In increasing size within each ranking, so that each mode is a warm start of the next.
std::vector<SlabSearch::Support> SlabSearch::starts() const {
  std::vector<Support> choices;
  for (const std::vector<Index>& ranking : rankings_) {
    for (const Index size : start_sizes(model_.scaled().rows(), model_.features(), model_.is_approximate())) {
      std::vector<Index> slab(ranking.begin(), ranking.begin() + size);
      std::ranges::sort(slab);
      choices.push_back({std::move(slab), {}});
    }
  }
  return choices;
}

// Next support: |w_j| = variance_j |x_j'd| >= a. A slab feature needs a smaller dual correlation to stay than a spike
// feature to enter, which is the hysteresis of the alternation.
std::vector<std::vector<Index>> SlabSearch::next_supports(std::span<const Support> choices,
                                                          const TwoNormal& prior) const {
  Matrix duals(model_.rows(), std::ssize(choices));
  std::vector<std::vector<Index>> slabs;
  for (const Support& choice : choices) {
    std::ranges::copy(choice.mode.dual, duals.col(std::ssize(slabs)));
    slabs.push_back(choice.slab);
  }
  return model_.large_correlations(duals, slabs, prior.threshold() / prior.slab_variance(),
                                   prior.threshold() / prior.spike_variance());
}

// Advances all starts together. A start ends when its support repeats (a fixed point) or when it meets a support that
// was visited before; it is dropped when it would interpolate the rows.
SlabSearch::Modes SlabSearch::alternate(std::vector<Support> choices, const TwoNormal& prior) const {
  const auto most = (std::max<Index>(1, std::min(model_.scaled().rows() - 1, model_.features())));
  std::set<std::vector<Index>> seen;
  std::erase_if(choices, [&](const Support& choice) { return !seen.insert(choice.slab).second; });
  Modes modes;
  for (int round = 0; round < max_rounds && !choices.empty(); ++round) {
    for (Index k = 0; k < std::ssize(choices); ++k) {
      const bool grown = k > 0 && choices[k - 1].slab.size() < choices[k].slab.size();
      const RidgeMode* near = grown ? &choices[k - 1].mode : nullptr;
      if (!choices[k].mode.dual.empty()) near = &choices[k].mode;
      choices[k].mode = model_.approximate_ridge(variances_of(choices[k].slab, prior), near);
    }
    std::vector<Support> open;
    for (Index first = 0; first < std::ssize(choices); first += together) {
      const std::span some = std::span(choices).subspan(first, std::min<Index>(together, std::ssize(choices) - first));
      std::vector<std::vector<Index>> next = next_supports(some, prior);
      for (Index k = 0; k < std::ssize(some); ++k) {
        if (next[k] == some[k].slab) {
          modes.emplace(some[k].slab, std::move(some[k].mode));
        } else if (std::ssize(next[k]) <= most && seen.insert(next[k]).second) {
          open.push_back({std::move(next[k]), std::move(some[k].mode)});
        }
      }
    }
    choices = std::move(open);
  }
  return modes;
}

double SlabSearch::log_prior(const std::vector<Index>& slab, const TwoNormal& prior) const {
  return static_cast<double>(slab.size()) * prior.prior_log_odds() +
         static_cast<double>(model_.features()) * std::log1p(-prior.prior_inclusion());
}

// Evidence at the best noise depends on the support and (r0, r1) only, not on pi: it is cached while the variances
// stay. An entry may be an upper bound (less_than) where the search was given up.
SlabSearch::Evidence SlabSearch::evidence(const std::vector<Index>& slab, const TwoNormal& prior, double min_evidence) {
  const std::pair variances_now{prior.spike_variance(), prior.slab_variance()};
  if (variances_now != evaluated_for_) evaluated_.clear();
  evaluated_for_ = variances_now;
  Evidence& here = evaluated_[slab];
  if (here.known || here.less_than <= min_evidence) return here;
  const PriorVariances variances = variances_of(slab, prior);
  const std::optional<double> noise = model_.best_noise_variance(variances, min_evidence);
  if (noise) {
    const double before = model_.noise_variance();
    model_.set_noise_variance(*noise);
    here = {*noise, model_.approximate_ridge(variances, nullptr).log_evidence, HUGE_VAL, true};
    model_.set_noise_variance(before);
  } else {
    here.less_than = min_evidence;
  }
  return here;
}

SlabState SlabSearch::evaluate(const std::vector<Index>& slab, const TwoNormal& prior, RidgeMode mode,
                               double min_evidence) {
  Evidence found{model_.noise_variance(), mode.log_evidence, HUGE_VAL, true};
  if (!noise_is_given_) found = evidence(slab, prior, min_evidence);
  const double log_value = found.known ? found.log_value : -HUGE_VAL;
  return {slab, found.noise_variance, log_value, log_value + log_prior(slab, prior), std::move(mode)};
}

// The reference for found_anything(), and the result if nothing was found.
SlabState SlabSearch::none(const TwoNormal& prior) {
  return evaluate({}, prior, model_.approximate_ridge(variances_of({}, prior), nullptr), -HUGE_VAL);
}

// Order by posterior at the current noise. Approximate modes are within less than 1 of their evidence, so only those
// within 5 of the best are refined before the order is final.
void SlabSearch::sort_by_posterior(std::vector<Support>& choices, const TwoNormal& prior) const {
  constexpr double undecided = 5;
  const auto posterior = [&](const Support& c) { return c.mode.log_evidence + log_prior(c.slab, prior); };
  std::ranges::stable_sort(choices, std::ranges::greater(), posterior);
  if (!model_.is_approximate() || choices.empty()) return;
  const double least = posterior(choices.front()) - undecided;
  for (Support& choice : choices) {
    if (posterior(choice) < least) break;
    choice.mode = model_.approximate_ridge(variances_of(choice.slab, prior), &choice.mode);
  }
  std::ranges::stable_sort(choices, std::ranges::greater(), posterior);
}

// Evaluates end points best first, so that the bound can drop most of the later ones.
std::vector<SlabState> SlabSearch::evaluate_modes(std::vector<Support> choices, const TwoNormal& prior, double least) {
  constexpr double rounding = 1e-3;  // of evidence
  std::vector<Support> order;
  for (auto& [slab, mode] : alternate(std::move(choices), prior)) order.push_back({slab, std::move(mode)});
  sort_by_posterior(order, prior);
  const double without = found_anything() ? 0 : none(prior).log_evidence;
  std::vector<SlabState> modes;
  for (Support& choice : order) {
    const double cost = log_choices(model_.features(), choice.slab.size());
    double min_evidence = least - rounding - log_prior(choice.slab, prior);
    if (!found_anything()) min_evidence = std::min(min_evidence, without + cost + min_gain);
    SlabState end = evaluate(choice.slab, prior, std::move(choice.mode), min_evidence);
    if (!found_anything()) max_gain_ = std::max(max_gain_, end.log_evidence - without - cost);
    least = std::max(least, end.log_posterior);
    if (end.log_posterior > -HUGE_VAL) modes.push_back(std::move(end));
  }
  std::ranges::stable_sort(modes, std::ranges::greater(), &SlabState::log_posterior);
  return modes;
}

// Support and noise depend on each other: alternates between them while the posterior rises, at most three times.
SlabState SlabSearch::best(const TwoNormal& prior, const SlabState* known) {
  SlabState best;
  best.noise_variance = model_.noise_variance();
  best.log_posterior = -HUGE_VAL;
  const auto try_noise = [&](double noise) {
    if (!noise_is_given_) model_.set_noise_variance(noise);
    std::vector<Support> choices = model_.is_approximate() && !kept_modes_.empty() ? std::move(kept_modes_) : starts();
    if (known != nullptr) choices.push_back({known->slab, known->mode});
    if (best.log_posterior > -HUGE_VAL) choices.push_back({best.slab, best.mode});
    std::vector<SlabState> modes = evaluate_modes(std::move(choices), prior, best.log_posterior);
    kept_modes_.clear();
    for (const SlabState& end : modes) {
      if (kept_modes_.size() < max_kept_modes) kept_modes_.push_back({end.slab, end.mode});
    }
    const bool rose = !modes.empty() && modes.front().log_posterior > best.log_posterior + 1e-6;
    if (rose) best = std::move(modes.front());
    return rose;
  };
  if (noise_is_given_) {
    try_noise(model_.noise_variance());
    if (!model_.is_approximate()) return best;
    // The evidence belongs to the quadratic model at which Newton's last step began: once more, at the mode itself.
    return evaluate(best.slab, prior, model_.approximate_ridge(variances_of(best.slab, prior), &best.mode), -HUGE_VAL);
  }
  for (const double noise : starting_noises) try_noise(noise);
  for (int round = 0; round < 3 && try_noise(best.noise_variance); ++round) {
  }
  model_.set_noise_variance(best.noise_variance);
  return best;
}

}  // namespace tamis
