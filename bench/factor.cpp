#include "bench/factor.hpp"

#include <cmath>

#include "experiments/designs.hpp"
#include "factor/model/task.hpp"
#include "factor/spike_slab/samplers.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::bench {

using namespace tamis::factor;

struct FactorBench::Model {
  Matrix data;
  FactorProblem problem;
  std::unique_ptr<Cells> cells;
  Options options;
  FactorControl control;
  std::unique_ptr<FactorTask> task;
  std::unique_ptr<SpikeSlabSampler> sampler;
  FactorState state;
  Index sweeps = 0;

  // Warms up caches and lets the hyperparameters find their places.
  void settle() {
    with_threads(0, [&] {
      for (int i = 0; i < 3; ++i) sampler->sweep(state, sweeps++, false);
    });
  }
};

FactorBench::~FactorBench() = default;

FactorBench::FactorBench(const std::string& design, Index rows, Index factors, double holes)
    : model_(std::make_unique<Model>()) {
  Model& m = *model_;
  experiments::Simulation drawn = experiments::simulate(design, 1, {{"n", static_cast<double>(rows)}});
  m.data = drawn.train.X;
  RandomStream random(7);
  if (holes > 0) {
    for (Index d = 0; d < m.data.cols(); ++d) {
      for (double& x : m.data.column(d)) x = random.uniform01() < holes ? std::nan("") : x;
    }
  }
  m.problem.dense = m.data;
  m.problem.family = drawn.family;
  m.problem.factors = factors;
  m.problem.standardize = false;
  m.cells = std::make_unique<Cells>(m.problem);
  m.task = std::make_unique<FactorTask>(FactorTask{m.problem, *m.cells, m.options, m.control});
  m.sampler = spike_slab_sampler(*m.task, {}, ChainKey{1, 0});
  m.state = m.sampler->start();
  const experiments::Truth& truth = drawn.truth;
  for (Index k = 0; k < std::min(factors, truth.loadings.rows()); ++k) {
    for (Index n = 0; n < rows; ++n) m.state.score_row(n)[k] = truth.scores(n, k);
    for (Index d = 0; d < m.data.cols(); ++d) m.state.loading_row(k)[d] = truth.loadings(k, d);
  }
  m.state.noise_variance = truth.noise_variance > 0 ? truth.noise_variance : 1;
  m.settle();
}

Measured FactorBench::scores(int threads, Index sweeps) {
  Model& m = *model_;
  Measured measured = measure([&] {
    with_threads(threads, [&] {
      for (Index i = 0; i < sweeps; ++i) m.sampler->draw_scores(m.state, m.sweeps++);
    });
  });
  measured.seconds /= static_cast<double>(sweeps);
  measured.processor_seconds /= static_cast<double>(sweeps);
  return measured;
}

Measured FactorBench::sweep(int threads, Index sweeps) {
  Model& m = *model_;
  Measured measured = measure([&] {
    with_threads(threads, [&] {
      for (Index i = 0; i < sweeps; ++i) m.sampler->sweep(m.state, m.sweeps++, false);
    });
  });
  measured.seconds /= static_cast<double>(sweeps);
  measured.processor_seconds /= static_cast<double>(sweeps);
  return measured;
}

Measured FactorBench::run(int threads, Index sweeps) {
  const Model& m = *model_;
  const double half = std::floor(0.5 * static_cast<double>(sweeps));
  const std::map<std::string, OptionValue> options = {{"chains", 2.0},
                                                      {"burn_in", half},
                                                      {"samples", static_cast<double>(sweeps) - half},
                                                      {"start", std::string("random")}};
  return measure([&] { factor_prior("spike-slab").fit(m.problem, options, {.threads = threads}); });
}

double FactorBench::data_bytes() const {
  return static_cast<double>(model_->data.rows() * model_->data.cols()) * sizeof(double);
}

double FactorBench::factor_bytes() const {
  return static_cast<double>(model_->state.scores.size() + model_->state.loadings.size()) * sizeof(double);
}

Measured sparse_counts(const std::string& prior, Index rows, Index cols, Index iterations) {
  SparseColumns sparse{rows, cols, {0}, {}, {}};
  RandomStream random(3);
  for (Index d = 0; d < cols; ++d) {
    for (const Index n : random.sample(rows, rows / 100)) {
      sparse.indices.push_back(static_cast<std::int32_t>(n));
      sparse.values.push_back(static_cast<double>(1 + random.index(3)));
    }
    sparse.starts.push_back(std::ssize(sparse.values));
  }
  FactorProblem problem;
  problem.sparse = &sparse;
  problem.family = "poisson";
  problem.factors = 5;
  std::map<std::string, OptionValue> options = {{"iterations", static_cast<double>(iterations)}};
  if (prior == "l1") options["penalty"] = 1.0;
  if (prior == "vb") options["starts"] = 1.0;
  return measure([&] { factor_prior(prior).fit(problem, options, {.threads = 0}); });
}

}  // namespace tamis::bench
