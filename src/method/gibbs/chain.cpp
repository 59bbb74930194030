// One chain of the spike-and-slab Gibbs sampler.
//
// Model      b_j ~ pi N(0, slab) + (1 - pi) N(0, spike); pi ~ Beta, variances ~ inverse gamma (prior/hyper_prior.hpp)
// Algorithm  a sweep
//              1 augmentation: bernoulli rows get Polya-Gamma precisions, then the intercept (products.cpp)
//              2 for each j: indicator with b_j integrated out, then b_j given the indicator
//              3 every eighth sweep, point mass only: exchange of an included feature with an excluded one
//              4 pi, slab variance and noise variance from their conjugate conditionals
// Products   x_j'W(y - Xb) from a Gram matrix while that is the cheaper way, otherwise from columns of X; the two are
//            template arguments of one engine, so that their inner loops are compiled together with the draw
// Invariant  a sweep is a function of (seed, chain, iteration, state): random streams are keyed by these, nothing else
//            is remembered. Checkpoints and any number of threads give the same draws to the bit.
// Papers     George & McCulloch (1997), Statistica Sinica 7; Polson, Scott & Windle (2013), JASA 108
#include "method/gibbs/chain.hpp"

#include <algorithm>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "method/gibbs/products.hpp"

namespace tamis {
namespace {

// Products that are updated by differences accumulate rounding errors; this often they are formed afresh.
constexpr Index sweeps_between_rebuilds = 256;
// Streams of one (seed, chain, iteration).
constexpr std::uint64_t sweep_stream = 0, start_stream = 1, intercept_stream = 2, exchange_stream = 3;
// Sweeps from one exchange of features to the next. It costs about as much as a sweep, so this adds an eighth.
constexpr Index sweeps_between_exchanges = 8;
// Largest Gram matrix: 32 MB.
constexpr Index most_gram_features = 2000;

double gamma(double shape, RandomStream& random) { return boost::random::gamma_distribution<double>(shape)(random); }

double inverse_gamma(double shape, double scale, RandomStream& random) { return scale / gamma(shape, random); }

double beta(double in, double out, RandomStream& random) {
  const double a = gamma(in, random);
  const double b = gamma(out, random);
  // Shapes far below one may underflow both to 0. The clamp keeps both log odds finite.
  return a + b > 0 ? std::clamp(a / (a + b), 1e-300, 1 - 1e-16) : in / (in + out);
}

}  // namespace

ChainData::ChainData(const ScaledProblem& scaled, bool point_mass, std::vector<double> own_inclusion)
    : scaled_(scaled), own_inclusion_(std::move(own_inclusion)) {
  const Index p = scaled.features();
  // A sweep by the Gram matrix costs p per coefficient that changes, by columns 2 n for each. Under a point mass few
  // change; with a continuous spike all do, p^2 against 2 n p. Polya-Gamma precisions would need a new Gram matrix
  // each.
  const bool cheaper = point_mass || p <= 2 * scaled.rows();
  if (!scaled.gaussian() || p > most_gram_features || !cheaper) return;
  gram_ = Matrix(p, p);
  scaled.X().gram(scaled.kept(), scaled.weights(), gram_);
  std::vector<double> weighted(scaled.response().begin(), scaled.response().end());
  for (Index i = 0; i < std::ssize(weighted); ++i) weighted[i] *= scaled.weights()[i];
  correlation_.resize(p);
  scaled.X().transpose_multiply(scaled.kept(), std::span<const double>(weighted), std::span(correlation_));
}

void ChainState::exchange(Archive& archive) {
  for (double* value :
       {&hyper.prior_inclusion, &hyper.slab_variance, &hyper.spike_variance, &hyper.noise_variance, &intercept}) {
    archive(*value);
  }
  archive(coefficients);
  archive(included);
  archive(products);
  archive(changes);
}

class Chain::Engine {
 public:
  Engine(const ChainData& data, const HyperPrior& prior, std::uint64_t seed, Index number)
      : data_(data), prior_(prior), seed_(seed), number_(static_cast<std::uint64_t>(number)) {
    const Index p = data.scaled().features();
    state_.hyper = prior.start;
    state_.coefficients.assign(p, 0.0);
    state_.included.assign(p, 0);
    conditionals_.resize(p);
    if (number > 0) draw_overdispersed_start();
  }
  virtual ~Engine() = default;
  virtual void sweep(Index iteration) = 0;
  virtual double log_likelihood() const = 0;

  RandomStream stream(Index iteration, std::uint64_t item) const {
    return RandomStream(seed_, number_, static_cast<std::uint64_t>(iteration), item);
  }

  const ChainData& data_;
  const HyperPrior prior_;
  ChainState state_;
  std::vector<Conditional> conditionals_;

 protected:
  void draw_hyper(double residual_square, RandomStream& random);

 private:
  // Overdispersed start, so that R-hat can tell chains that have not mixed: a random quarter as many features as rows,
  // with coefficients that together have the variance of the response.
  void draw_overdispersed_start() {
    RandomStream random = stream(0, start_stream);
    const ScaledProblem& data = data_.scaled();
    const double p = static_cast<double>(state_.coefficients.size());
    const double share = std::min(0.5, data.samples() / (4 * p));
    const double spread = 1 / std::sqrt(std::max(1.0, share * p) * data.mean_curvature());
    for (Index j = 0; j < std::ssize(state_.coefficients); ++j) {
      state_.included[j] = random.uniform01() < share ? 1 : 0;
      if (state_.included[j] != 0) state_.coefficients[j] = spread * random.normal();
    }
  }

  std::uint64_t seed_;
  std::uint64_t number_;
};

// Conjugate conditionals given indicators and coefficients. Spike coefficients do not enter the slab's, and the flat
// intercept takes one degree of freedom of the noise's.
void Chain::Engine::draw_hyper(double residual_square, RandomStream& random) {
  if (!prior_.sample_inclusion && !prior_.sample_slab && !prior_.sample_noise) return;
  double in = 0, squares = 0, common = 0, common_in = 0;
  for (Index j = 0; j < std::ssize(state_.coefficients); ++j) {
    const double shares = data_.has_own_inclusion(j) ? 0 : 1;
    common += shares;
    if (state_.included[j] == 0) continue;
    ++in;
    common_in += shares;
    squares += state_.coefficients[j] * state_.coefficients[j];
  }
  if (prior_.sample_inclusion) {
    state_.hyper.prior_inclusion =
        beta(prior_.inclusion_in + common_in, prior_.inclusion_out + common - common_in, random);
  }
  if (prior_.sample_slab) {
    state_.hyper.slab_variance = inverse_gamma(prior_.slab_shape + 0.5 * in, prior_.slab_scale + 0.5 * squares, random);
  }
  if (prior_.sample_noise) {
    state_.hyper.noise_variance = inverse_gamma(prior_.noise_shape + 0.5 * data_.scaled().degrees_of_freedom(),
                                                prior_.noise_scale + 0.5 * residual_square, random);
  }
}

namespace {

// Terms of a feature's conditional that do not depend on its correlation: two logarithms and two roots per feature,
// renewed only when hyperparameters or row precisions have changed.
struct FeatureTerms : SpikeSlabTerms {
  FeatureTerms() = default;
  FeatureTerms(const SpikeSlabHyper& hyper, double information)
      : SpikeSlabTerms(hyper, information),
        slab_deviation(std::sqrt(slab_spread)),
        spike_deviation(std::sqrt(spike_spread)) {}
  double slab_deviation = 0;
  double spike_deviation = 0;
};

class FeatureTermsTable {
 public:
  void update(const SpikeSlabHyper& hyper, std::span<const double> curvature, bool curvature_is_constant,
              const ChainData& data) {
    if (curvature_is_constant && terms_.size() == curvature.size() && hyper == hyper_) return;
    hyper_ = hyper;
    terms_.resize(curvature.size());
    for (Index j = 0; j < std::ssize(curvature); ++j) {
      // Standardized columns have equal curvature: one set of terms serves all.
      const bool same = j > 0 && curvature[j] == curvature[j - 1];
      terms_[j] = same ? terms_[j - 1] : FeatureTerms(hyper, curvature[j] / hyper.noise_variance);
    }
    // After all of them, for each may be the next one's copy. Finite even at 0 and 1, where e^log_odds is exactly 0 or
    // beyond all others.
    constexpr double certain = 1e5;
    for (Index j = 0; j < std::ssize(data.own_inclusion()); ++j) {
      if (!data.has_own_inclusion(j)) continue;
      SpikeSlabHyper even = hyper;
      even.prior_inclusion = 0.5;
      terms_[j] = FeatureTerms(even, curvature[j] / hyper.noise_variance);
      terms_[j].log_odds += std::clamp(logit(data.own_inclusion()[j]), -certain, certain);
    }
  }
  const FeatureTerms& operator[](Index j) const { return terms_[j]; }

 private:
  SpikeSlabHyper hyper_;
  std::vector<FeatureTerms> terms_;
};

// Joint draw of (s_j, b_j) given all others. With pull = (x_j'W r + chi_j b_j) / noise and information = chi_j / noise
//   log odds of s_j = logit pi - (log(1 + information slab) - log(1 + information spike)) / 2
//                     + pull^2 / 2 (slab / (1 + information slab) - spike / (1 + information spike)),
// b_j integrated out: drawn given b_j, a point mass would never let a feature in. Then b_j | s_j is normal with
// variance v / (1 + information v) and mean variance * pull, v the variance of the component. The conditional moments
// are kept for Rao-Blackwellized averages.
class FeatureStep {
 public:
  FeatureStep(ChainState& state, const FeatureTermsTable& terms, std::vector<Conditional>& conditionals,
              RandomStream& random)
      : state_(state),
        terms_(terms),
        conditionals_(conditionals),
        random_(random),
        precision_(1 / state.hyper.noise_variance) {}

  double operator()(Index feature, double correlation, double curvature) {
    const Index j = feature;
    double& b = state_.coefficients[j];
    const FeatureTerms& terms = terms_[j];
    const double pull = precision_ * (correlation + curvature * b);
    const double log_odds = terms.log_odds + terms.half_contrast * pull * pull;
    const double e = std::exp(-std::abs(log_odds));
    const double q = (log_odds > 0 ? 1.0 : e) / (1 + e);
    const double slab_mean = terms.slab_spread * pull, spike_mean = terms.spike_spread * pull;
    conditionals_[j] = {
        q, q * slab_mean + (1 - q) * spike_mean,
        q * (slab_mean * slab_mean + terms.slab_spread) + (1 - q) * (spike_mean * spike_mean + terms.spike_spread)};
    const bool in = random_.uniform01() < q;
    state_.included[j] = in ? 1 : 0;
    const double before = b;
    if (in) {
      b = slab_mean + terms.slab_deviation * random_.normal();
    } else {
      b = terms.spike_deviation > 0 ? spike_mean + terms.spike_deviation * random_.normal() : 0.0;
    }
    return b - before;
  }

 private:
  ChainState& state_;
  const FeatureTermsTable& terms_;
  std::vector<Conditional>& conditionals_;
  RandomStream& random_;
  double precision_;
};

}  // namespace

template <class Products>
class ProductsEngine final : public Chain::Engine {
 public:
  ProductsEngine(const ChainData& data, const HyperPrior& prior, std::uint64_t seed, Index number)
      : Engine(data, prior, seed, number), products_(data) {
    products_.rebuild(state_);
  }

  void sweep(Index iteration) override {
    RandomStream random = stream(iteration, sweep_stream);
    if (iteration % sweeps_between_rebuilds == 0) products_.rebuild(state_);
    products_.begin_sweep(state_, random);
    terms_.update(state_.hyper, products_.curvature(), data_.scaled().gaussian(), data_);
    products_.visit_features(state_, FeatureStep(state_, terms_, conditionals_, random));
    const bool point_mass = state_.hyper.spike_variance == 0;
    if (point_mass && iteration % sweeps_between_exchanges == 0) exchange_features(iteration);
    draw_hyper(prior_.sample_noise ? products_.residual_square(state_) : 0.0, random);
  }
  double log_likelihood() const override { return products_.log_likelihood(state_); }

 private:
  void exchange_features(Index iteration);

  Products products_;
  FeatureTermsTable terms_;
  std::vector<double> weights_;
};

// Exchange move for correlated features, a Gibbs step on the pair (which of the included is taken out, which feature
// takes its place): a uniformly chosen included feature is removed, its successor is drawn from all excluded ones,
// itself among them, with weights proportional to their odds given the rest. The number of included features stays, so
// the choice is reversible. One at a time two near-copies hardly ever trade places: the state between has both or
// neither.
template <class Products>
void ProductsEngine<Products>::exchange_features(Index iteration) {
  RandomStream random = stream(iteration, exchange_stream);
  std::vector<std::uint8_t>& included = state_.included;
  const Index in = std::ranges::count(included, 1);
  if (in == 0) return;
  Index chosen = 0;
  for (Index before = static_cast<Index>(random.uniform01() * static_cast<double>(in));
       included[chosen] == 0 || before-- > 0;)
    ++chosen;
  included[chosen] = 0;
  products_.shift(state_, chosen, -std::exchange(state_.coefficients[chosen], 0.0));

  const std::span<const double> correlations = products_.correlations(state_);
  const double precision = 1 / state_.hyper.noise_variance;
  weights_.assign(included.size(), -std::numeric_limits<double>::infinity());
  for (Index j = 0; j < std::ssize(included); ++j) {
    const double pull = precision * correlations[j];
    if (included[j] == 0) weights_[j] = terms_[j].log_odds + terms_[j].half_contrast * pull * pull;
  }
  const double largest = std::ranges::max(weights_);
  double total = 0;
  for (double& weight : weights_) total += weight = std::exp(weight - largest);
  double left = total * random.uniform01();
  for (Index j = 0; j < std::ssize(included) && left >= 0; ++j) {
    if (weights_[j] == 0) continue;
    chosen = j;
    left -= weights_[j];
  }
  included[chosen] = 1;
  const FeatureTerms& terms = terms_[chosen];
  const double drawn = terms.slab_spread * precision * correlations[chosen] + terms.slab_deviation * random.normal();
  state_.coefficients[chosen] = drawn;
  products_.shift(state_, chosen, drawn);
}

// The products decide the type of the engine once per chain; inside a sweep there is no virtual call.
Chain::Chain(const ChainData& data, const HyperPrior& prior, std::uint64_t seed, Index number) {
  if (data.has_gram()) {
    engine_ = std::make_unique<ProductsEngine<GramProducts>>(data, prior, seed, number);
  } else {
    engine_ = std::make_unique<ProductsEngine<ColumnProducts>>(data, prior, seed, number);
  }
}

Chain::~Chain() = default;
Chain::Chain(Chain&&) noexcept = default;

void Chain::sweep(Index iteration) { engine_->sweep(iteration); }
const ChainState& Chain::state() const { return engine_->state_; }
void Chain::exchange(Archive& archive) { engine_->state_.exchange(archive); }
std::span<const Conditional> Chain::conditionals() const { return engine_->conditionals_; }
Index Chain::included() const { return std::ranges::count(engine_->state_.included, 1); }
double Chain::log_likelihood() const { return engine_->log_likelihood(); }

// The flat gaussian intercept is integrated out of the chain; given the rest it is N(0, noise / n) on the centered
// scale, from a stream of its own, so that asking for draws does not change the chain.
double Chain::intercept_draw(Index iteration) const {
  const ScaledProblem& data = engine_->data_.scaled();
  if (!data.gaussian() || !data.has_intercept()) return engine_->state_.intercept;
  RandomStream random = engine_->stream(iteration, intercept_stream);
  return std::sqrt(engine_->state_.hyper.noise_variance / data.samples()) * random.normal();
}

}  // namespace tamis
