#include "method/laplace/slab_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace tamis {
namespace {

constexpr int most_rounds = 100;      // of alternating optimisation from one start
constexpr Index together = 16;        // duals per pass over X
constexpr std::size_t good_ends = 4;  // from which a search under another prior begins, where there are many rows
constexpr double starting_noises[] = {0.01, 0.001};  // of the response's variance

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

// Sizes of the first choices: close together where a feature more makes a difference. Where there are many rows large
// ones cost too much, and grow by themselves.
std::vector<Index> start_sizes(Index rows, Index features, bool many) {
  std::vector<Index> sizes;
  const Index most =
      std::min({rows, std::max<Index>(features / 2, std::min<Index>(features, 10)), Index{many ? 85 : 200}});
  for (const Index size : {0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 25, 30, 40, 50, 65, 85, 110, 150, 200}) {
    if (size <= most) sizes.push_back(size);
  }
  return sizes;
}

// log of the number of ways to choose so many features.
double log_choices(Index features, std::size_t chosen) {
  const auto p = static_cast<double>(features), k = static_cast<double>(chosen);
  return std::lgamma(p + 1) - std::lgamma(k + 1) - std::lgamma(p - k + 1);
}

std::vector<Index> ranked(std::span<const double> scores) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return std::abs(scores[at(j)]); });
  return order;
}

}  // namespace

PriorVariances variances_of(const std::vector<Index>& slab, const TwoNormal& prior) {
  return {prior.spike_variance(), slab, std::vector<double>(slab.size(), prior.slab_variance())};
}

SlabSearch::SlabSearch(RowModel& model, bool noise_is_given) : model_(model), noise_is_given_(noise_is_given) {
  rank_features();
}

// By correlation with the response, and by the coefficients of a ridge regression, which knows what features share.
void SlabSearch::rank_features() {
  const Index p = model_.features();
  const std::vector<double> nothing(at(model_.rows()), 0.0);
  Matrix duals(model_.rows(), 2), scores(p, 2);
  const double given = model_.noise_variance();
  model_.set_noise_variance(1);
  std::ranges::copy(model_.pull(nothing, model_.loss(nothing, 0).intercept), duals.col(0));
  // All coefficients together explain ten times what the noise does.
  const double share = 10.0 / (static_cast<double>(p) * model_.observations().mean_curvature());
  std::ranges::copy(model_.ranking_ridge(share).dual, duals.col(1));
  model_.set_noise_variance(given);
  model_.correlations(duals, scores);
  rankings_ = {ranked(scores.column(0)), ranked(scores.column(1))};
}

std::vector<std::vector<Index>> SlabSearch::starts() const {
  std::set<std::vector<Index>> slabs;
  for (const std::vector<Index>& ranking : rankings_) {
    for (const Index size : start_sizes(model_.observations().rows(), model_.features(), model_.is_rough())) {
      std::vector<Index> slab(ranking.begin(), ranking.begin() + size);
      std::ranges::sort(slab);
      slabs.insert(std::move(slab));
    }
  }
  return {slabs.begin(), slabs.end()};
}

// All starts move in step, so that one pass over X serves many. A start ends where it stands still or comes upon one
// that has been seen; it is given up when it would explain every row.
SlabSearch::Ends SlabSearch::settle(std::vector<std::vector<Index>> slabs, const TwoNormal& prior) const {
  const double threshold = prior.threshold();
  const auto most = at(std::max<Index>(1, std::min(model_.observations().rows() - 1, model_.features())));
  std::set<std::vector<Index>> seen(slabs.begin(), slabs.end());
  Ends ends;
  std::vector<RidgeMode> modes(slabs.size());
  for (int round = 0; round < most_rounds && !slabs.empty(); ++round) {
    std::vector<std::vector<Index>> open;
    std::vector<RidgeMode> open_modes;
    for (std::size_t first = 0; first < slabs.size(); first += at(together)) {
      const auto count = std::min(at(together), slabs.size() - first);
      Matrix duals(model_.rows(), static_cast<Index>(count)),
          correlations(model_.features(), static_cast<Index>(count));
      for (std::size_t k = 0; k < count; ++k) {
        RidgeMode& mode = modes[first + k];
        mode = model_.rough_ridge(variances_of(slabs[first + k], prior), mode.dual.empty() ? nullptr : &mode);
        std::ranges::copy(mode.dual, duals.col(static_cast<Index>(k)));
      }
      model_.correlations(duals, correlations);
      for (std::size_t k = 0; k < count; ++k) {
        const std::vector<Index>& slab = slabs[first + k];
        std::vector<Index> next;
        std::size_t member = 0;
        for (Index j = 0; j < model_.features(); ++j) {
          const bool in = member < slab.size() && slab[member] == j;
          member += in ? 1 : 0;
          const double variance = in ? prior.slab_variance() : prior.spike_variance();
          if (variance * std::abs(correlations(j, static_cast<Index>(k))) >= threshold) next.push_back(j);
        }
        if (next == slab) {
          ends.emplace(slab, modes[first + k]);
        } else if (next.size() <= most && seen.insert(next).second) {
          open.push_back(std::move(next));
          open_modes.push_back(std::move(modes[first + k]));
        }
      }
    }
    slabs = std::move(open);
    modes = std::move(open_modes);
  }
  return ends;
}

SlabState SlabSearch::judge(const std::vector<Index>& slab, const TwoNormal& prior, const RidgeMode* near) {
  const PriorVariances variances = variances_of(slab, prior);
  SlabState state{.slab = slab, .noise_variance = model_.noise_variance()};
  if (!noise_is_given_) state.noise_variance = model_.best_noise_variance(variances);
  const double before = model_.noise_variance();
  model_.set_noise_variance(state.noise_variance);
  const auto size = static_cast<double>(slab.size());
  state.log_evidence = model_.rough_ridge(variances, near).log_evidence;
  state.log_posterior = state.log_evidence + size * prior.prior_log_odds() +
                        static_cast<double>(model_.features()) * std::log1p(-prior.prior_inclusion());
  model_.set_noise_variance(before);
  return state;
}

// Which features are in depends on the noise, and the noise on them: as long as evidence rises.
SlabState SlabSearch::best(const TwoNormal& prior, const std::vector<std::vector<Index>>& more) {
  SlabState best;
  best.noise_variance = model_.noise_variance();
  best.log_posterior = -std::numeric_limits<double>::infinity();
  const double without = none(prior).log_evidence;
  const auto try_noise = [&](double noise) {
    if (!noise_is_given_) model_.set_noise_variance(noise);
    std::vector<std::vector<Index>> slabs = model_.is_rough() && !good_ends_.empty() ? good_ends_ : starts();
    slabs.insert(slabs.end(), more.begin(), more.end());
    if (best.log_posterior > -std::numeric_limits<double>::infinity()) slabs.push_back(best.slab);
    bool rose = false;
    std::vector<std::pair<double, std::vector<Index>>> ends;
    for (const auto& [slab, mode] : settle(std::move(slabs), prior)) {
      SlabState state = judge(slab, prior, &mode);
      ends.emplace_back(-state.log_posterior, slab);
      most_gain_ = std::max(most_gain_, state.log_evidence - without - log_choices(model_.features(), slab.size()));
      if (!(state.log_posterior > best.log_posterior + 1e-6)) continue;
      best = std::move(state);
      rose = true;
    }
    std::ranges::sort(ends);
    good_ends_.clear();
    for (std::size_t k = 0; k < std::min(ends.size(), good_ends); ++k) good_ends_.push_back(ends[k].second);
    return rose;
  };
  if (noise_is_given_) {
    try_noise(model_.noise_variance());
    return best;
  }
  for (const double noise : starting_noises) try_noise(noise);
  for (int round = 0; round < 3 && try_noise(best.noise_variance); ++round) {
  }
  model_.set_noise_variance(best.noise_variance);
  return best;
}

}  // namespace tamis
