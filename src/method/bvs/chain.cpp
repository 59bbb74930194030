// Weighted tempered Gibbs sampling over models.
//
// Step       1 an event by its rate: the flip of one feature, chosen with probability w_j / (Z + xi), or with xi / (Z +
//              xi) a refresh of the auxiliary variables (target.hpp)
//            2 every fifth step a random-walk step on log g, which targets posterior times Z
//            3 every 25th step an exchange of two features for one (exchange.cpp), likewise
//            4 the state counts with weight 1 / (Z + xi)
// Tuning     xi, so that a set share of the events are refreshes, in the first steps only, which are burn-in: one
//            that kept depending on the state would change what the chain converges to.
// Invariant  a step is a function of (seed, chain, number of the step, state): checkpoints and threads change no bit.
// Papers     Zanella & Roberts (2019) JRSS B 81(3); Jankowiak (2023) Bayesian Analysis 18(3)
#include "method/bvs/chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

constexpr Index steps_between_rebuilds = 250, steps_between_scale_moves = 5, steps_between_exchanges = 25;
constexpr Index steps_between_moments = 4;
constexpr Index random_features = 10;
// Beyond this the three work arrays of an exchange are no small share of memory, and its passes of time.
constexpr Index most_for_exchanges = 30'000;
// Spreads of the random walk on log g, in turn; 0: a draw from its prior, whose tail is heavy and seldom visited by
// steps.
constexpr double scale_spreads[] = {1.2, 0.4, 0};
// Streams of one (seed, chain): steps by number, and what precedes them.
constexpr std::uint64_t step_stream = 0, start_stream = 1, draw_stream = 2;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

}  // namespace

BvsChain::BvsChain(std::unique_ptr<Target> target, const BvsPrior& prior, Index features, std::uint64_t seed,
                   Index number, Index tuning)
    : target_(std::move(target)),
      prior_(prior),
      seed_(seed),
      number_(static_cast<std::uint64_t>(number)),
      tuning_(tuning),
      model_(target_->equations()),
      rates_(features),
      tally_(features),
      log_refresh_rate_(minus_infinity) {
  if (features <= most_for_exchanges && features >= 3) pairs_.emplace(target_->equations(), features);
  start();
  update_rates();
  const double share = target_->refresh_share();
  if (share > 0) log_refresh_rate_ = rates_.log_total() + std::log(share / (1 - share));
  if (share > 0 && !std::isfinite(log_refresh_rate_)) log_refresh_rate_ = 0;
}

// Features that must be inside enter first. A feature in the span of those inside stays out.
void BvsChain::start() {
  const auto enter = [this](Index j) {
    const NormalEquations data = target_->equations();
    const bool room = model_.size() < prior_.size.most() && model_.place_of(j) < 0;
    if (room && model_.s()[j] > 1e-3 * data.squares[j]) model_.add(j);
  };
  const OwnPriors& own = prior_.own;
  for (Index k = 0; k < std::ssize(own.features); ++k) {
    if (own.log_odds[k] >= always) enter(own.features[k]);
  }
  if (number_ % 2 == 0) return;
  RandomStream random(seed_, number_, 0, start_stream);
  const Index p = std::ssize(model_.r());
  for (const Index j : random.sample(p, std::min(random_features, p))) {
    const auto listed = std::ranges::find(own.features, j);
    if (listed != own.features.end() && own.log_odds[listed - own.features.begin()] <= never) continue;
    if (model_.size() < std::max<Index>(1, prior_.size.most() / 2)) enter(j);
  }
}

void BvsChain::update_rates() {
  rates_.update(model_, target_->terms(model_, counted_inside(model_, prior_.own)), prior_.own);
}

double BvsChain::log_total() const { return log_sum_exp(rates_.log_total(), log_refresh_rate_); }

void BvsChain::run(Index first, Index count) {
  for (Index number = first; number < first + count; ++number) step(number);
}

void BvsChain::flip(RandomStream& random) {
  const Index j = rates_.choose(random.uniform01());
  if (j < 0) return;
  const Index place = model_.place_of(j);
  if (place >= 0) {
    model_.drop(place);
  } else {
    const bool known = target_->equations().gram->find(j) != nullptr;
    model_.add(j, known ? std::vector<Index>() : rates_.likely(model_));
  }
}

void BvsChain::step(Index number) {
  RandomStream random(seed_, number_, static_cast<std::uint64_t>(number), step_stream);
  const double share = log_refresh_rate_ > minus_infinity ? std::exp(log_refresh_rate_ - log_total()) : 0.0;
  const bool refreshing = share > 0 && random.uniform01() < share;
  if (share > 0 && number < tuning_) {
    log_refresh_rate_ += 0.2 * (target_->refresh_share() - share);
    log_refresh_rate_ = std::clamp(log_refresh_rate_, -50.0, 600.0);
  }
  if (refreshing) {
    target_->refresh(model_, random);
  } else {
    flip(random);
    if (model_.in_trouble() || number % steps_between_rebuilds == 0) static_cast<void>(model_.rebuild());
  }
  update_rates();
  if (target_->scale() > 0 && number % steps_between_scale_moves == 0) move_scale(number, random);
  if (pairs_ && number % steps_between_exchanges == 0) exchange_pair(random);
  // Where nothing can be flipped there is one state, and any weight is right.
  const double log_weight = -log_total();
  const double weight = std::isfinite(log_weight) ? std::exp(log_weight) : 1.0;
  tally_.record_inclusion(weight, rates_, model_.size());
  if (number % steps_between_moments == 0) tally_.record_moments(weight, model_, *target_, rates_);
  if (!draws_.wants(number)) return;
  RandomStream own(seed_, number_, static_cast<std::uint64_t>(number), draw_stream);
  draws_.keep(number, weight, model_.features(), target_->draw(model_, own));
}

// Metropolis step on log g. The chain targets posterior times Z, so Z is part of the ratio.
void BvsChain::move_scale(Index number, RandomStream& random) {
  const double before = target_->scale();
  const double spread = scale_spreads[number / steps_between_scale_moves % std::ssize(scale_spreads)];
  const auto log_density = [&] {
    return target_->log_scale_density(model_) + log_total() - (spread > 0 ? 0.0 : target_->log_scale_prior());
  };
  const double log_before = log_density();
  const double proposed =
      spread > 0 ? before * std::exp(spread * random.normal()) : target_->scale_quantile(random.uniform01());
  if (!(proposed > 1e-12 && proposed < 1e18)) return;
  target_->set_scale(proposed);
  update_rates();
  const double log_after = log_density();
  if (std::log(1 - random.uniform01()) < log_after - log_before) return;
  target_->set_scale(before);
  update_rates();
}

void BvsChain::exchange_pair(RandomStream& random) {
  if (!pairs_->propose(model_, log_total(), log_refresh_rate_, *target_, prior_, random)) return;
  std::swap(model_, pairs_->model());
  std::swap(rates_, pairs_->rates());
}

void BvsChain::exchange(Archive& archive) {
  target_->exchange(archive);
  model_.exchange(archive, target_->equations());
  tally_.exchange(archive);
  draws_.exchange(archive);
  archive(log_refresh_rate_);
  if (archive.loading()) update_rates();
}

}  // namespace tamis
