// Hamiltonian Monte Carlo for factor models whose scores have a density: laplace, exponential, gaussian.
//
// Model      log joint of Eq. 8 of Mohamed, Heller & Ghahramani: rows x_n given v_n Theta, conjugate prior on Theta;
//              laplace      v_nk ~ b_k/2 e^(-b_k |v|)                    (LXPCA; variance 2 / b^2)
//              exponential  v_nk ~ b_k e^(-b_k v), v >= 0                (NXPCA; mean 1 / b, variance 1 / b^2)
//              gaussian     v_nk ~ N(mu_k, 1 / tau_k)                    (BXPCA)
//            b_k ~ Gamma(1, 1), or (mu_k, tau_k) ~ Normal-Gamma.
// Sweep      1 each row v_n by one trajectory in K dimensions, rows in parallel
//            2 each column of Theta with its intercept in K + 1 dimensions, columns in parallel
//            3 b_k | v ~ Gamma(1 + N, 1 + sum_n |v_nk|), or the slab's conditionals; a scale move per factor; noise
// Blocks     The paper leaves the moves open. Given Theta rows are independent, given V columns: a trajectory of each
//            is accepted by itself and runs in parallel, where one of all variables would need tiny steps.
// Mass       diagonal: the prior's precision and the expected curvature of the log likelihood, sum_d w_d theta_kd^2.
//            w_d is a typical curvature of a column and no function of psi: a mass that depends on the variables moved
//            would need another integrator. One step size serves all rows, another all columns.
// Kink       |v| has no gradient at 0: leapfrog steps across it make errors, which Metropolis corrects. v >= 0 by
//            reflection at 0.
#include "factor/continuous/sampler.hpp"

#include <cmath>

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"
#include "factor/continuous/hamiltonian.hpp"
#include "factor/continuous/step_size.hpp"
#include "factor/model/initial_intercepts.hpp"
#include "factor/model/line.hpp"
#include "factor/model/row_kernels.hpp"
#include "factor/sampling/slab.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index lines_per_task = 16;
constexpr double rate_shape = 1, rate_rate = 1;  // Gamma prior of the rates b

class HamiltonianSampler : public Sampler {
 public:
  HamiltonianSampler(const FactorTask& task, const HamiltonianSettings& settings, const ChainKey& key)
      : task_(task),
        cells_(task.cells),
        settings_(settings),
        key_(key),
        score_step_(settings.first_step, settings.target_acceptance),
        loading_step_(settings.first_step, settings.target_acceptance) {}

  FactorState start() override;
  void sweep(FactorState& state, Index sweep, bool burning) override;
  std::vector<double> memory() const override {
    std::vector<double> numbers = score_step_.memory();
    const std::vector<double> others = loading_step_.memory();
    numbers.insert(numbers.end(), others.begin(), others.end());
    return numbers;
  }
  void remember(const std::vector<double>& memory) override {
    score_step_.remember(memory.data());
    loading_step_.remember(memory.data() + memory.size() / 2);
  }

 private:
  // Kept as precision of the scores, tau = b^2 / 2 or b^2, so that all priors share FactorState and its file.
  // b of the Laplace and exponential priors, whose variances are 2 / b^2 and 1 / b^2.
  double rate(const FactorState& state, std::size_t k) const {
    return std::sqrt((settings_.shape == ScoreShape::laplace ? 2 : 1) * state.precisions[k]);
  }
  void set_rate(FactorState& state, std::size_t k, double b) const {
    const bool laplace = settings_.shape == ScoreShape::laplace;
    state.precisions[k] = laplace ? 0.5 * b * b : b * b;
    state.means[k] = laplace ? 0 : 1 / b;
  }
  double score_prior(const FactorState& state, std::span<const double> v, std::span<double> gradient) const;
  double draw_row(FactorState& state, Index n, const Trajectory& trajectory, std::span<const double> mass,
                  RandomStream random) const;
  double draw_column(FactorState& state, Index d, const Trajectory& trajectory, RandomStream random) const;
  std::vector<double> row_mass(const FactorState& state) const;
  void draw_hyper(FactorState& state, Index sweep) const;
  double mean_weight(const FactorState& state, Index d) const;
  template <class Draw>
  double mean_acceptance(Index count, const Draw& draw) const;

  const FactorTask& task_;
  const Cells& cells_;
  HamiltonianSettings settings_;
  ChainKey key_;
  StepSize score_step_, loading_step_;
};

FactorState HamiltonianSampler::start() {
  FactorState state(cells_, task_.problem.factors, task_.problem.intercept);
  RandomStream random = key_.stream(0, ChainKey::start);
  random.normals(state.scores);
  if (settings_.shape == ScoreShape::exponential) {
    for (double& v : state.scores) v = std::abs(v);
  }
  for (double& theta : state.loadings) theta = 0.1 * random.normal();
  start_sampler_at_column_means(cells_, state);
  for (Index k = 0; k < std::ssize(state.inclusion); ++k) {
    state.inclusion[k] = 1;
    if (settings_.shape != ScoreShape::gaussian) set_rate(state, k, 1);
  }
  return state;
}

// A typical curvature of one cell of column d: what the mass stands for. Not a function of psi.
double HamiltonianSampler::mean_weight(const FactorState& state, Index d) const {
  const auto count = static_cast<double>(cells_.observed_in_column(d));
  return cells_.family().typical_curvature(cells_.column_sum(d), count) / state.noise_variance;
}

std::vector<double> HamiltonianSampler::row_mass(const FactorState& state) const {
  std::vector<double> mass;
  for (Index k = 0; k < state.factors; ++k) {
    double sum = state.precisions[k];
    for (Index d = 0; d < state.cols; ++d)
      sum += mean_weight(state, d) * state.loading_row(k)[d] * state.loading_row(k)[d];
    mass.push_back(sum);
  }
  return mass;
}

double HamiltonianSampler::score_prior(const FactorState& state, std::span<const double> v,
                                       std::span<double> gradient) const {
  double sum = 0;
  for (Index k = 0; k < std::ssize(v); ++k) {
    if (settings_.shape == ScoreShape::gaussian) {
      const double deviation = v[k] - state.means[k];
      sum -= 0.5 * state.precisions[k] * deviation * deviation;
      gradient[k] = -state.precisions[k] * deviation;
    } else {
      const double b = rate(state, k);
      sum -= b * std::abs(v[k]);
      gradient[k] = v[k] < 0 ? b : -b;
    }
  }
  return sum;
}

// Target: log p(v) + sum_d log p(x_nd | psi_nd) / s^2 and its gradient; 2 K D per evaluation, L + 1 evaluations. psi is
// made anew each time: all K scores have moved.
double HamiltonianSampler::draw_row(FactorState& state, Index n, const Trajectory& trajectory,
                                    std::span<const double> mass, RandomStream random) const {
  const Index cols = cells_.cols();
  const Scratch psi(cols), r(cols), w(cols), buffer(cols);
  const double* x = cells_.row(n, buffer.data());
  const double precision = 1 / state.noise_variance;
  const LogDensity target = [&](std::span<const double> v, std::span<double> gradient) {
    // v is the row of the state itself.
    state.predictor_row(n, psi.data());
    const double loss = quadratic_line(cells_, x, psi.data(), cols, cells_.missing_in_row(n), r.data(), w.data());
    const double prior = score_prior(state, v, gradient);
    simd_dispatch([&] {
      for (Index k = 0; k < state.factors; ++k) {
        gradient[k] += precision * dot(state.loading_row(k), r.data(), cols);
      }
    });
    return prior - precision * loss;
  };
  return draw_hamiltonian(target, mass, trajectory, span_of(state.score_row(n), state.factors), random);
}

// The prior adds half the number of its pseudo-cells to the mass, for the built-in families within a factor of 2 of its
// curvature at the mode.
double HamiltonianSampler::draw_column(FactorState& state, Index d, const Trajectory& trajectory,
                                       RandomStream random) const {
  const Index rows = cells_.rows(), lines = state.lines();
  const Scratch x(rows), psi(rows), r(rows), w(rows), theta(lines), mass(lines);
  cells_.column(d, x.data());
  const double precision = 1 / state.noise_variance, weight = mean_weight(state, d);
  const std::unique_ptr<const LoadingPrior> prior = cells_.family().loading_prior();
  for (Index k = 0; k < lines; ++k) {
    theta[k] = state.loading_row(k)[d];
    mass[k] = 0.5 * prior->count();
  }
  for (Index n = 0; n < rows; ++n) {
    for (Index k = 0; k < state.factors; ++k) mass[k] += weight * state.score_row(n)[k] * state.score_row(n)[k];
    if (state.intercept) mass[state.factors] += weight;
  }
  const LogDensity target = [&](std::span<const double> q, std::span<double> gradient) {
    const double constant = state.intercept ? q.back() : 0;
    for (Index n = 0; n < rows; ++n) psi[n] = constant + dot(q.data(), state.score_row(n), state.factors);
    const double loss =
        quadratic_line(cells_, x.data(), psi.data(), rows, cells_.missing_in_column(d), r.data(), w.data());
    double density = -precision * loss;
    for (Index k = 0; k < std::ssize(q); ++k) {
      density += prior->log_density(q[k]);
      gradient[k] = prior->slope(q[k]);
    }
    for (Index n = 0; n < rows; ++n) {
      const double slope = precision * r[n];
      const double* v = state.score_row(n);
      for (Index k = 0; k < state.factors; ++k) gradient[k] += slope * v[k];
      if (state.intercept) gradient.back() += slope;
    }
    return density;
  };
  const double acceptance = draw_hamiltonian(target, mass.span(), trajectory, theta.span(), random);
  for (Index k = 0; k < lines; ++k) state.loading_row(k)[d] = theta[k];
  return acceptance;
}

// In a fixed order, whatever the threads.
template <class Draw>
double HamiltonianSampler::mean_acceptance(Index count, const Draw& draw) const {
  std::vector<double> each(count);
  parallel_for(count, lines_per_task, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) each[i] = draw(i);
  });
  double sum = 0;
  for (const double acceptance : each) sum += acceptance;
  return sum / static_cast<double>(count);
}

// Conjugate: N scores of rate b and the Gamma prior. The gaussian shape is a slab without spike, pi = 1.
void HamiltonianSampler::draw_hyper(FactorState& state, Index sweep) const {
  if (settings_.shape == ScoreShape::gaussian) {
    draw_slab({}, key_.stream(sweep, ChainKey::hyper), state);
    for (double& share : state.inclusion) share = 1;
    draw_scales(SlabPrior{}, cells_.family(), key_.stream(sweep, ChainKey::scale), state);
    return;
  }
  RandomStream random = key_.stream(sweep, ChainKey::hyper);
  std::vector<double> sizes(state.factors, 0.0);
  for (Index n = 0; n < state.rows; ++n) {
    for (Index k = 0; k < std::ssize(sizes); ++k) sizes[k] += std::abs(state.score_row(n)[k]);
  }
  for (Index k = 0; k < std::ssize(sizes); ++k) {
    set_rate(state, k, draw_gamma(rate_shape + static_cast<double>(state.rows), rate_rate + sizes[k], random));
  }
  // Scale move (v, b, theta) -> (c v, b / c, theta / c). N densities b e^(-b |v|) and the Jacobian c^N of the scores
  // cancel; left are the prior of b and its Jacobian c^-1.
  const auto gamma = [&](double, double precision, double log_scale) {
    const double b = std::sqrt((settings_.shape == ScoreShape::laplace ? 2 : 1) * precision);
    return (rate_shape - 1) * std::log(b) - rate_rate * b - log_scale;
  };
  draw_scales(gamma, cells_.family(), key_.stream(sweep, ChainKey::scale), state);
}

void HamiltonianSampler::sweep(FactorState& state, Index sweep, bool burning) {
  const std::vector<double> mass = row_mass(state);
  const Trajectory rows{score_step_.value(burning), settings_.leapfrog_steps,
                        settings_.shape == ScoreShape::exponential};
  const double row_acceptance = mean_acceptance(
      cells_.rows(), [&](Index n) { return draw_row(state, n, rows, mass, key_.stream(sweep, ChainKey::scores, n)); });
  const Trajectory columns{loading_step_.value(burning), settings_.leapfrog_steps, false};
  const double column_acceptance = mean_acceptance(cells_.cols(), [&](Index d) {
    return draw_column(state, d, columns, key_.stream(sweep, ChainKey::loadings, d));
  });
  // Step sizes adapt in burn-in only: draws from an adapting chain do not have the posterior as their distribution.
  if (burning) {
    score_step_.learn(row_acceptance);
    loading_step_.learn(column_acceptance);
  }
  draw_hyper(state, sweep);
  draw_noise(cells_, key_.stream(sweep, ChainKey::noise), state);
}

}  // namespace

std::unique_ptr<Sampler> hamiltonian_sampler(const FactorTask& task, const HamiltonianSettings& settings,
                                             const ChainKey& key) {
  return std::make_unique<HamiltonianSampler>(task, settings, key);
}

}  // namespace tamis::factor
