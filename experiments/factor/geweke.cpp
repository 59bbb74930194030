#include "experiments/factor/geweke.hpp"

#include <algorithm>
#include <boost/random/poisson_distribution.hpp>
#include <cmath>
#include <functional>
#include <memory>

#include "factor/continuous/sampler.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/family/family.hpp"

namespace tamis::experiments::factor_models {
namespace {

using namespace tamis::factor;

constexpr Index rows = 4, cols = 3, factors = 2;
constexpr double rate_limit = 2.5;  // log; counts without end would take all the time
constexpr double step_of_trajectories = 0.3;

double gamma_draw(double shape, double rate, RandomStream& random) { return draw_gamma(shape, rate, random); }

struct Shape {
  std::string family;
  std::string prior;
  Family::Response response = tamis::family(family).traits().response;
  bool has_noise = tamis::family(family).has_noise();
  bool spike() const { return prior == "spike-slab"; }
  ScoreShape score_shape() const {
    return prior == "laplace"       ? ScoreShape::laplace
           : prior == "exponential" ? ScoreShape::exponential
                                    : ScoreShape::gaussian;
  }
};

// All parameters from their priors.
class PriorDraws {
 public:
  explicit PriorDraws(Shape shape) : shape_(std::move(shape)) {}

  void draw(RandomStream& random, FactorState& state) const {
    for (Index k = 0; k < factors; ++k) draw_hyper(random, k, state);
    for (Index n = 0; n < rows; ++n) {
      for (Index k = 0; k < factors; ++k) state.score_row(n)[k] = score(random, k, state);
    }
    for (double& theta : state.loadings) theta = loading(random);
    state.noise_variance = shape_.has_noise ? 1 / gamma_draw(1, 0.1, random) : 1;
  }

 private:
  void draw_hyper(RandomStream& random, std::size_t k, FactorState& state) const {
    const SlabPrior prior;
    state.inclusion[k] = shape_.spike() ? random.uniform01() : 1;
    if (shape_.spike() || shape_.prior == "gaussian") {
      state.precisions[k] = gamma_draw(prior.shape, prior.rate, random);
      state.means[k] = prior.mean + random.normal() / std::sqrt(prior.mean_weight * state.precisions[k]);
      return;
    }
    const double b = gamma_draw(1, 1, random);
    state.precisions[k] = shape_.prior == "laplace" ? 0.5 * b * b : b * b;
    state.means[k] = shape_.prior == "laplace" ? 0 : 1 / b;
  }

  double score(RandomStream& random, std::size_t k, const FactorState& state) const {
    if (random.uniform01() >= state.inclusion[k]) return 0;
    if (shape_.spike() || shape_.prior == "gaussian") {
      return state.means[k] + random.normal() / std::sqrt(state.precisions[k]);
    }
    const bool laplace = shape_.prior == "laplace";
    const double b = std::sqrt((laplace ? 2 : 1) * state.precisions[k]);
    const double size = gamma_draw(1, b, random);
    return laplace && random.uniform01() < 0.5 ? -size : size;
  }

  double loading(RandomStream& random) const {
    if (shape_.response == Family::Response::real) return random.normal();
    if (shape_.response == Family::Response::binary) return logit(random.uniform01() + 0x1p-54);
    return std::log(gamma_draw(1, 1, random));
  }

  Shape shape_;
};

// One cell of the data is always missing.
Matrix draw_data(const Shape& shape, const FactorState& state, RandomStream& random) {
  Matrix x(rows, cols);
  for (Index n = 0; n < rows; ++n) {
    for (Index d = 0; d < cols; ++d) {
      const double psi = state.predictor(n, d);
      if (shape.response == Family::Response::real) {
        x(n, d) = psi + std::sqrt(state.noise_variance) * random.normal();
      } else if (shape.response == Family::Response::binary) {
        x(n, d) = random.uniform01() < logistic(psi) ? 1 : 0;
      } else {
        const double rate = std::max(std::exp(std::min(psi, rate_limit)), 1e-300);
        x(n, d) = static_cast<double>(boost::random::poisson_distribution<long, double>(rate)(random));
      }
    }
  }
  x(1, 2) = std::nan("");
  return x;
}

// A plain reading of the conditional of (z, v) for gaussian data, with or without the determinant.
void draw_scores_plainly(const Cells& cells, bool with_determinant, RandomStream& random, FactorState& state) {
  std::vector<double> buffer(cols);
  for (Index n = 0; n < rows; ++n) {
    const double* x = cells.row(n, buffer.data());
    const auto missing = cells.missing_in_row(n);
    for (Index k = 0; k < factors; ++k) {
      const Index f = k;
      double& v = state.score_row(n)[k];
      v = 0;
      double a = 0, b = 0;
      for (Index d = 0; d < cols; ++d) {
        if (std::find(missing.begin(), missing.end(), d) != missing.end()) continue;
        const double theta = state.loading_row(k)[d];
        a += theta * (x[d] - state.predictor(n, d)) / state.noise_variance;
        b += theta * theta / state.noise_variance;
      }
      const double tau = state.precisions[f], mu = state.means[f], precision = tau + b,
                   mean = (tau * mu + a) / precision;
      double log_odds = logit(state.inclusion[f]) + 0.5 * mean * mean * precision - 0.5 * tau * mu * mu;
      if (with_determinant) log_odds += 0.5 * std::log(tau / precision);
      if (random.uniform01() < logistic(log_odds)) v = mean + random.normal() / std::sqrt(precision);
    }
  }
}

// pi rightly, mu and tau as if a zero were a draw from the slab.
void draw_slab_from_all_rows(const RandomStream& random, FactorState& state) {
  FactorState all = state;
  draw_slab({}, random, state);
  for (double& v : all.scores) v = v == 0 ? 1e-300 : v;
  draw_slab({}, random, all);
  state.means = all.means;
  state.precisions = all.precisions;
}

class Transition {
 public:
  Transition(const GewekeSettings& settings, Shape shape) : settings_(settings), shape_(std::move(shape)) {
    problem_.family = shape_.family;
    problem_.factors = factors;
    problem_.standardize = false;
    problem_.largest_log_rate = rate_limit;
  }

  // The parameters given new data.
  void operator()(const Matrix& data, Index sweep, FactorState& state) {
    problem_.dense = data;
    Cells cells(problem_);
    const FactorTask task{problem_, cells, options_, control_};
    const ChainKey key{settings_.seed, 1};
    if (!shape_.spike()) {
      const HamiltonianSettings trajectories{
          .shape = shape_.score_shape(), .leapfrog_steps = 5, .first_step = step_of_trajectories};
      hamiltonian_sampler(task, trajectories, key)->sweep(state, sweep, false);
      return;
    }
    const auto sampler = spike_slab_sampler(task, {}, key);
    if (settings_.bug == PlantedBug::none) {
      sampler->sweep(state, sweep, false);
      return;
    }
    RandomStream random = key.stream(sweep, ChainKey::scores, -1);
    if (settings_.bug == PlantedBug::missing_determinant) {
      draw_scores_plainly(cells, false, random, state);
    } else {
      sampler->draw_scores(state, sweep);
    }
    sampler->draw_loadings(state, sweep);
    const RandomStream hyper = key.stream(sweep, ChainKey::hyper);
    settings_.bug == PlantedBug::hyper_over_all_rows ? draw_slab_from_all_rows(hyper, state)
                                                     : draw_slab({}, hyper, state);
    draw_scales(SlabPrior{}, cells.family(), key.stream(sweep, ChainKey::scale), state);
    draw_noise(cells, key.stream(sweep, ChainKey::noise), state);
  }

 private:
  GewekeSettings settings_;
  Shape shape_;
  FactorProblem problem_;
  Options options_;
  FactorControl control_;
};

// Bounded, or nearly: some priors have no moments.
struct NamedFunction {
  std::string name;
  std::function<double(const FactorState&)> value;
};

std::vector<NamedFunction> functions_of(const Shape& shape) {
  std::vector<NamedFunction> all = {
      {"log precision", [](const FactorState& s) { return std::log(s.precisions[0]); }},
      {"loading", [](const FactorState& s) { return std::atan(s.loadings[0]); }},
      {"loading squared", [](const FactorState& s) { return std::pow(std::atan(s.loadings[4]), 2); }},
      {"intercept", [](const FactorState& s) { return std::atan(s.loading_row(factors)[1]); }},
      {"score", [](const FactorState& s) { return std::atan(s.scores[0]); }},
      {"score squared", [](const FactorState& s) { return std::pow(std::atan(s.scores[3]), 2); }},
      {"predictor", [](const FactorState& s) { return std::atan(s.predictor(0, 0)); }},
      {"missing predictor squared", [](const FactorState& s) { return std::pow(std::atan(s.predictor(1, 2)), 2); }},
  };
  if (shape.spike() || shape.prior == "gaussian") {
    all.push_back({"mean", [](const FactorState& s) { return std::atan(s.means[0]); }});
    all.push_back({"mean squared", [](const FactorState& s) { return std::pow(std::atan(s.means[1]), 2); }});
  }
  if (shape.spike()) {
    all.push_back({"inclusion", [](const FactorState& s) { return s.inclusion[0]; }});
    all.push_back({"inclusion squared", [](const FactorState& s) { return s.inclusion[1] * s.inclusion[1]; }});
    all.push_back({"share active", [](const FactorState& s) { return static_cast<double>(s.active()); }});
  }
  if (shape.has_noise) {
    all.push_back({"log noise", [](const FactorState& s) { return std::log(s.noise_variance); }});
  }
  return all;
}

struct MeanAndError {
  double mean = 0;
  double error = 0;
};

// Of independent values.
MeanAndError summary_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

}  // namespace

GewekeOutcome geweke_test(const GewekeSettings& settings) {
  const Shape shape{settings.family, settings.prior};
  const PriorDraws prior(shape);
  const std::vector<NamedFunction> functions = functions_of(shape);
  FactorProblem problem;
  const Matrix zeros(rows, cols);
  problem.dense = zeros;
  problem.standardize = false;
  FactorState state(Cells(problem), factors, true);

  std::vector<std::vector<double>> independent(functions.size()), chains(functions.size());
  RandomStream random(settings.seed, 0x67657765ULL);
  constexpr Index prior_draws = 20000;
  for (Index i = 0; i < prior_draws; ++i) {
    prior.draw(random, state);
    for (Index f = 0; f < std::ssize(functions); ++f) independent[f].push_back(functions[f].value(state));
  }
  Transition transition(settings, shape);
  for (Index chain = 0; chain < settings.chains; ++chain) {
    prior.draw(random, state);
    std::vector<double> sums(functions.size(), 0.0);
    for (Index i = 0; i < settings.sweeps; ++i) {
      transition(draw_data(shape, state, random), chain * settings.sweeps + i, state);
      // An error needs time to show: the second half counts.
      if (2 * i < settings.sweeps) continue;
      for (Index f = 0; f < std::ssize(functions); ++f) sums[f] += functions[f].value(state);
    }
    const Index counted_sweeps = settings.sweeps / 2;  // those from the middle on
    const auto counted = static_cast<double>(counted_sweeps);
    for (Index f = 0; f < std::ssize(functions); ++f) chains[f].push_back(sums[f] / counted);
  }
  GewekeOutcome outcome;
  double largest = 0;
  for (Index f = 0; f < std::ssize(functions); ++f) {
    const MeanAndError theirs = summary_of(independent[f]), ours = summary_of(chains[f]);
    const double z = (ours.mean - theirs.mean) / std::hypot(ours.error, theirs.error);
    outcome.statistics.push_back({functions[f].name, theirs.mean, ours.mean, z});
    largest = std::max(largest, std::abs(z));
  }
  outcome.p_value = std::min(1.0, static_cast<double>(functions.size()) * std::erfc(largest / std::sqrt(2.0)));
  return outcome;
}

}  // namespace tamis::experiments::factor_models
