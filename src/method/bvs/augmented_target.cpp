// Families that are normal given a random precision of each row (bernoulli: Polya-Gamma): coefficients and intercept
// integrated out given the precisions.
//
// Model      log p(y | eta, omega) = sum_i z_i eta_i - omega_i eta_i^2 / 2, eta = b0 + X_g b, b0 flat, b_j ~ N(0, v),
//            v ~ inverse gamma(2, 1) unless given; offset o: z_i = shift_i - omega_i o_i
// Refresh    1 three random-walk steps on log v, b integrated out
//            2 b and b0 given precisions and v
//            3 every other time a Gibbs sweep over all indicators and coefficients given the precisions: without it
//              independent features mix worse than with a plain Gibbs sampler
//            4 precisions given the predictor, and all products with them afresh
//            Each part leaves the posterior as it is, without a Metropolis step but for v.
// Cost       flip into the model: a product X'Wx of a few columns at a time; refresh: the same for every feature inside
// Papers     Polson, Scott & Windle (2013) JASA 108; Zanella & Roberts (2019) JRSS B 81(3)
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numerical_failure.hpp"
#include "family/null_intercept.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"
#include "method/bvs/slab_evidence.hpp"
#include "method/bvs/target.hpp"

namespace tamis {
namespace {

// Of all events. Squared error times CPU time at n = 200, p = 1000 is a third below that of .25 at .06 to .12; at n =
// 80, p = 8 shares from .1 to .75 cost the same, and a step then tells the more the larger the share.
constexpr double share_of_refreshes = 0.1, share_on_few_features = 0.5;
constexpr Index few_features = 200;
constexpr Index refreshes_between_sweeps = 2;
constexpr Index ahead = 64;  // features correlated at a time in a sweep
constexpr std::uint64_t start_stream = 3;

class AugmentedTarget final : public Target {
 public:
  AugmentedTarget(const ScaledProblem& scaled, const BvsPrior& prior, Index most_columns, std::uint64_t seed,
                  Index chain);

  NormalEquations equations() override { return {&gram_, squares_, correlation_, 1 / slab_}; }
  OddsTerms terms(const ActiveModel& model, Index counted) const override;
  MomentTerms moments(const ActiveModel& model) const override {
    return {.intercept = intercept_mean(model.features(), model.coefficients())};
  }
  double refresh_share() const override {
    return scaled_.features() < few_features ? share_on_few_features : share_of_refreshes;
  }
  void refresh(ActiveModel& model, RandomStream& random) override;
  double log_likelihood(const ActiveModel&) const override { return log_likelihood_; }
  DrawnModel draw(const ActiveModel& model, RandomStream& random) const override;
  void exchange(Archive& archive) override;

 private:
  struct State {
    std::vector<Index> features;
    std::vector<double> coefficients;
    double intercept = 0;
  };
  void set_precisions(std::span<const double> precisions);
  void draw_precisions(std::span<const double> predictor, RandomStream& random);
  double intercept_mean(std::span<const Index> features, std::span<const double> coefficients) const;
  double draw_intercept(std::span<const Index> features, std::span<const double> coefficients,
                        RandomStream& random) const;
  State draw_state(const ActiveModel& model, RandomStream& random);
  void sweep(State& state, RandomStream& random) const;
  std::vector<double> predictor_of(const State& state) const;
  void pull_of(const State& state, std::span<double> pull) const;
  double prior_log_odds(Index j, Index others, Index counted) const;

  const ScaledProblem& scaled_;
  const BvsPrior& prior_;
  GramColumns gram_;
  std::vector<double> linear_;  // z
  std::vector<double> squares_, correlation_;
  double slab_;
  double log_likelihood_ = 0;
  Index refreshes_ = 0;
};

AugmentedTarget::AugmentedTarget(const ScaledProblem& scaled, const BvsPrior& prior, Index most_columns,
                                 std::uint64_t seed, Index chain)
    : scaled_(scaled),
      prior_(prior),
      gram_(scaled.X(), scaled.kept(), most_columns),
      linear_(scaled.rows()),
      squares_(scaled.features()),
      correlation_(scaled.features()),
      slab_(prior.slab_variance > 0 ? prior.slab_variance : 1.0) {
  RandomStream random(seed, static_cast<std::uint64_t>(chain), 0, start_stream);
  draw_precisions(predictor_of({}), random);
}

// Rows of weight 0 tell nothing and keep precision 0.
void AugmentedTarget::draw_precisions(std::span<const double> predictor, RandomStream& random) {
  const Augmentation& augmentation = *scaled_.family().augmentation();
  std::vector<double> precisions(scaled_.rows(), 0.0);
  for (Index i = 0; i < std::ssize(precisions); ++i) {
    const double weight = scaled_.weights()[i];
    if (weight > 0) {
      precisions[i] = augmentation.draw_precision(scaled_.response()[i], weight, predictor[i], random);
    }
  }
  set_precisions(precisions);
}

void AugmentedTarget::set_precisions(std::span<const double> precisions) {
  const Augmentation& augmentation = *scaled_.family().augmentation();
  const double total = std::accumulate(precisions.begin(), precisions.end(), 0.0);
  if (!(total > 0 && std::isfinite(total))) {
    throw NumericalFailure("the row weights sum to zero or overflow; rescale or remove weights");
  }
  gram_.reset(precisions, scaled_.has_intercept());
  for (Index i = 0; i < std::ssize(linear_); ++i) {
    const double weight = scaled_.weights()[i];
    linear_[i] = weight > 0 ? augmentation.shift(scaled_.response()[i], weight) : 0.0;
    if (!scaled_.offset().empty()) linear_[i] -= precisions[i] * scaled_.offset()[i];
  }
  gram_.squared_norms(squares_);
  gram_.correlate(linear_, correlation_);
}

OddsTerms AugmentedTarget::terms(const ActiveModel& model, Index counted) const {
  OddsTerms terms;
  terms.when_out = model.size() >= prior_.size.most() ? never : prior_.size.step(counted);
  terms.when_in = counted > 0 ? prior_.size.step(counted - 1) : 0;
  terms.independent = true;
  terms.log_slab = std::log(slab_);
  return terms;
}

double AugmentedTarget::intercept_mean(std::span<const Index> features, std::span<const double> coefficients) const {
  if (!scaled_.has_intercept()) return 0;
  double sum = std::accumulate(linear_.begin(), linear_.end(), 0.0);
  for (Index a = 0; a < std::ssize(features); ++a) sum -= gram_.sums()[features[a]] * coefficients[a];
  return sum / gram_.total();
}

double AugmentedTarget::draw_intercept(std::span<const Index> features, std::span<const double> coefficients,
                                       RandomStream& random) const {
  const double free = random.normal();
  if (!scaled_.has_intercept()) return 0;
  return intercept_mean(features, coefficients) + free / std::sqrt(gram_.total());
}

// b ~ N(F^-1 q, F^-1) at the slab variance of the moment, which the model's own C may be behind.
AugmentedTarget::State AugmentedTarget::draw_state(const ActiveModel& model, RandomStream& random) {
  const Index k = model.size();
  const double ridge = equations().ridge;
  if (prior_.slab_variance == 0) {
    const SlabEvidence evidence(model, correlation_, ridge);
    slab_ = walk_slab_variance(evidence, slab_, random, [](double v, const SlabEvidence::Value& value) {
      return -0.5 * value.log_determinant + 0.5 * value.explained - 2 * std::log(v) - 1 / v;
    });
  }
  const std::vector<double> packed = model.precision();
  Matrix F(k, k);
  for (Index b = 0; b < k; ++b) {
    for (Index a = b; a < k; ++a) F(a, b) = packed[b * k + a] + (a == b ? 1 / slab_ - ridge : 0.0);
  }
  if (!cholesky(F)) throw NumericalFailure("the precision of the coefficients is not positive definite");
  State state{.features = model.features(), .coefficients = std::vector<double>(k)};
  for (Index a = 0; a < k; ++a) state.coefficients[a] = correlation_[state.features[a]];
  // F = L L': b = L'^-1 (L^-1 q + z).
  if (k > 0) {
    solve_lower(F, MatrixView(state.coefficients));
    for (double& value : state.coefficients) value += random.normal();
    solve_lower(F, MatrixView(state.coefficients), /*transposed=*/true);
  }
  state.intercept = draw_intercept(state.features, state.coefficients, random);
  return state;
}

std::vector<double> AugmentedTarget::predictor_of(const State& state) const {
  std::vector<double> predictor(scaled_.rows(), state.intercept);
  std::vector<Index> columns;
  for (const Index j : state.features) columns.push_back(scaled_.kept()[j]);
  if (!columns.empty()) {
    scaled_.X().multiply_add(columns, std::span<const double>(state.coefficients), std::span(predictor));
  }
  for (Index i = 0; i < std::ssize(scaled_.offset()); ++i) predictor[i] += scaled_.offset()[i];
  return predictor;
}

// z - Omega X b of every row: what is left to explain.
void AugmentedTarget::pull_of(const State& state, std::span<double> pull) const {
  const std::vector<double> predictor = predictor_of(state);
  for (Index i = 0; i < std::ssize(pull); ++i) {
    const double offset = scaled_.offset().empty() ? 0.0 : scaled_.offset()[i];
    pull[i] = linear_[i] - gram_.weights()[i] * (predictor[i] - offset);
  }
}

// Of feature j beside `others` inside, of which `counted` share the prior of the model size.
double AugmentedTarget::prior_log_odds(Index j, Index others, Index counted) const {
  if (others >= prior_.size.most()) return never;
  const OwnPriors& own = prior_.own;
  if (own.counted(j)) return prior_.size.step(counted);
  return own.log_odds[std::ranges::find(own.features, j) - own.features.begin()];
}

// Indicator with b_j integrated out, then b_j, for every feature in turn, precisions and intercept fixed. Correlations
// of the next features are void after a change.
void AugmentedTarget::sweep(State& state, RandomStream& random) const {
  const Index p = scaled_.features(), n = scaled_.rows();
  const std::span<const double> precisions = gram_.weights();
  std::vector<double> b(p, 0.0), pull(n), correlations(ahead);
  for (Index a = 0; a < std::ssize(state.features); ++a) b[state.features[a]] = state.coefficients[a];
  pull_of(state, pull);
  const OwnPriors& own = prior_.own;
  Index inside = std::ssize(state.features);
  Index counted = std::ranges::count_if(state.features, [&](Index j) { return own.counted(j); });
  std::vector<double> moved(n);
  for (Index first = 0; first < p;) {
    const Index count = std::min(ahead, p - first);
    const std::span<const Index> columns = span_of(scaled_.kept().data() + first, count);
    scaled_.X().transpose_multiply(columns, std::span<const double>(pull), span_of(correlations.data(), count));
    Index k = 0;
    for (bool changed = false; k < count && !changed; ++k) {
      const Index j = first + k;
      const bool was = b[j] != 0;
      const Index others = inside - (was ? 1 : 0), others_counted = counted - (was && own.counted(j) ? 1 : 0);
      const double sum = scaled_.has_intercept() ? gram_.sums()[j] : 0.0;
      const double curvature = squares_[j] + (sum == 0 ? 0.0 : sum * sum / gram_.total());
      const double information = curvature + 1 / slab_;
      const double gradient = correlations[k] + curvature * b[j];
      double log_odds = prior_log_odds(j, others, others_counted);
      log_odds += 0.5 * (gradient * gradient / information - std::log(slab_ * information));
      const double uniform = random.uniform01(), free = random.normal();
      const bool in = log_odds > 0.5 * always || uniform * (1 + std::exp(-std::clamp(log_odds, -600.0, 600.0))) < 1;
      const bool blocked = log_odds < 0.5 * never;
      const double value = in && !blocked ? gradient / information + free / std::sqrt(information) : 0.0;
      const double change = value - b[j];
      if (change == 0) continue;
      changed = true;
      inside = others + (value != 0 ? 1 : 0);
      counted = others_counted + (value != 0 && own.counted(j) ? 1 : 0);
      b[j] = value;
      std::ranges::fill(moved, 0.0);
      scaled_.X().multiply_add(span_of(scaled_.kept().data() + j, 1), std::span<const double>(&change, 1),
                               std::span(moved));
      for (Index i = 0; i < n; ++i) pull[i] -= precisions[i] * moved[i];
    }
    first += k;
  }
  state.features.clear(), state.coefficients.clear();
  for (Index j = 0; j < p; ++j) {
    if (b[j] == 0) continue;
    state.features.push_back(j);
    state.coefficients.push_back(b[j]);
  }
}

void AugmentedTarget::refresh(ActiveModel& model, RandomStream& random) {
  State state = draw_state(model, random);
  if (refreshes_++ % refreshes_between_sweeps == 0) sweep(state, random);
  const std::vector<double> predictor = predictor_of(state);
  log_likelihood_ = scaled_.family().total_log_density(scaled_.response(), predictor, scaled_.weights());
  draw_precisions(predictor, random);
  static_cast<void>(model.rebuild(equations(), std::move(state.features)));
}

DrawnModel AugmentedTarget::draw(const ActiveModel& model, RandomStream& random) const {
  const Index k = model.size();
  Matrix L(k, k);
  std::copy(model.covariance().begin(), model.covariance().end(), L.col(0));
  const bool sound = cholesky(L);
  DrawnModel drawn;
  std::vector<double> z(k);
  random.normals(z);
  for (Index a = 0; a < k; ++a) {
    double noise = 0;
    for (Index b = 0; b <= a && sound; ++b) noise += L(a, b) * z[b];
    drawn.coefficients.push_back(model.coefficients()[a] + noise);
  }
  drawn.intercept = draw_intercept(model.features(), drawn.coefficients, random);
  return drawn;
}

void AugmentedTarget::exchange(Archive& archive) {
  std::vector<double> precisions(gram_.weights().begin(), gram_.weights().end());
  archive(precisions);
  archive(slab_);
  archive(log_likelihood_);
  archive(refreshes_);
  if (archive.loading()) set_precisions(precisions);
}

}  // namespace

std::unique_ptr<Target> augmented_target(const ScaledProblem& scaled, const BvsPrior& prior, Index chains,
                                         std::uint64_t seed, Index chain) {
  return std::make_unique<AugmentedTarget>(scaled, prior, gram_columns_within_memory(scaled) / chains, seed, chain);
}

}  // namespace tamis
