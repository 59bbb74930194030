// The benchmark problems: 20 true nonzeros with |b| from .5 to 1.5, variance of the signal three times that of the
// noise, a test set as large. Sizes can be changed: timings over n and p use the same designs.
#include <algorithm>
#include <cmath>

#include "experiments/generators.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

void set_benchmark_coefficients(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p");
  std::vector<double> coefficients(p);
  RandomStream size = stream(out.seed, Part::truth, Purpose::sizes);
  for (const Index j : random_places(out, p, parameters.whole("active"))) {
    const double sign = size.uniform01() < 0.5 ? -1 : 1;
    coefficients[j] = sign * (0.5 + size.uniform01());
  }
  set_coefficients(out, coefficients);
}

// b'Cb for the features' covariance C, and from it the noise.
template <class Covariance>
double signal_variance(const Truth& truth, const Covariance& covariance) {
  double sum = 0;
  for (const Index i : truth.support) {
    for (const Index j : truth.support) {
      sum += truth.coefficients(i, 0) * truth.coefficients(j, 0) * covariance(i, j);
    }
  }
  return sum;
}

void draw_autoregressive_features(const Parameters& parameters, Simulation& out) {
  set_benchmark_coefficients(parameters, out);
  const double decay = parameters.real("correlation");
  draw_columns(out, parameters.whole("n"), 0, parameters.whole("test"), [&](Index n, Part part) {
    return autoregressive_columns(n, parameters.whole("p"), decay, out.seed, part);
  });
  out.truth.extra["signal_variance"] = signal_variance(
      out.truth, [&](Index i, Index j) { return std::pow(decay, static_cast<double>(std::abs(i - j))); });
}

void add_noisy_responses(const Parameters& parameters, Simulation& out) {
  out.truth.noise_variance = out.truth.extra.at("signal_variance") / parameters.real("signal_to_noise");
  add_gaussian_responses(out);
}

void draw_autoregressive(const Parameters& parameters, Simulation& out) {
  draw_autoregressive_features(parameters, out);
  add_noisy_responses(parameters, out);
}

void draw_logistic(const Parameters& parameters, Simulation& out) {
  draw_autoregressive_features(parameters, out);
  add_bernoulli_responses(out);
}

void draw_blocks(const Parameters& parameters, Simulation& out) {
  set_benchmark_coefficients(parameters, out);
  const Index block = parameters.whole("block");
  const double within = parameters.real("correlation");
  draw_columns(out, parameters.whole("n"), 0, parameters.whole("test"), [&](Index n, Part part) {
    return block_columns(n, parameters.whole("p"), block, within, out.seed, part);
  });
  out.truth.extra["signal_variance"] = signal_variance(out.truth, [&](Index i, Index j) {
    return i == j ? 1 : i / block == j / block ? within : 0;
  });
  add_noisy_responses(parameters, out);
}

// Walks the filled rows of a column: each cell is filled with the same probability, so the gaps are geometric.
template <class Visit>
void for_each_filled_row(Index n, double filled, RandomStream random, const Visit& visit) {
  const double scale = 1 / std::log1p(-filled);
  double row = -1;
  while (true) {
    row += 1 + std::floor(std::log(1 - random.uniform01()) * scale);
    if (row >= static_cast<double>(n)) return;
    visit(static_cast<std::int32_t>(row));
  }
}

// Counted first, then filled in place: the same stream twice costs less than moving the numbers.
SparseColumns sparse_columns(Index n, Index p, double filled, std::uint64_t seed, Part part) {
  SparseColumns X;
  X.rows = n;
  X.cols = p;
  X.starts.assign(static_cast<std::size_t>(p) + 1, 0);
  const auto places = [&](Index j) { return stream(seed, part, Purpose::places, j); };
  constexpr Index grain = 256;
  parallel_for(p, grain, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      Index& count = X.starts[j + 1];
      for_each_filled_row(n, filled, places(j), [&](std::int32_t) { ++count; });
    }
  });
  for (Index j = 1; j < std::ssize(X.starts); ++j) X.starts[j] += X.starts[j - 1];
  X.indices.resize(X.starts.back());
  X.values.resize(X.indices.size());
  parallel_for(p, grain, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      Index k = X.starts[j];
      const std::size_t begin = k;
      for_each_filled_row(n, filled, places(j), [&](std::int32_t row) { X.indices[k++] = row; });
      stream(seed, part, Purpose::values, j).normals(std::span(X.values).subspan(begin, k - begin));
    }
  });
  return X;
}

void draw_sparse(const Parameters& parameters, Simulation& out) {
  set_benchmark_coefficients(parameters, out);
  const Index p = parameters.whole("p");
  const double filled = parameters.real("filled");
  out.train.sparse = sparse_columns(parameters.whole("n"), p, filled, out.seed, Part::train);
  out.test.sparse = sparse_columns(parameters.whole("test"), p, filled, out.seed, Part::test);
  out.truth.extra["signal_variance"] =
      signal_variance(out.truth, [&](Index i, Index j) { return i == j ? filled : 0; });
  add_noisy_responses(parameters, out);
}

std::vector<DesignParameter> benchmark_sizes(double n, double p, double nonzero) {
  return {{"n", "training samples", n, 1, 1e8, true},
          {"test", "test samples", n, 0, 1e8, true},
          features(p),
          active(nonzero)};
}

DesignParameter signal_to_noise() {
  return {"signal_to_noise", "signal-to-noise ratio (of variances)", 3, 1e-6, 1e12, false};
}

}  // namespace

std::vector<DesignEntry> benchmark_designs() {
  const std::string paper = "benchmark problem ";
  const DesignParameter neighbors = correlation("correlation of neighboring features", 0.5);
  const std::vector<DesignParameter> blocks = {correlation("correlation within a block", 0.6),
                                               {"block", "number of features in a block", 50, 1, 1e6, true},
                                               signal_to_noise()};
  return {
      {{"bench.a", "dense and wide, neighbors correlated .5", paper + "A", "gaussian",
        join(benchmark_sizes(1000, 10000, 20), {neighbors, signal_to_noise()})},
       draw_autoregressive},
      {{"bench.b", "very wide, blocks of 50 features correlated .6: more signals than the samples can identify",
        paper + "B", "gaussian", join(benchmark_sizes(200, 20000, 20), blocks)},
       draw_blocks},
      {{"bench.b5", "the same with five signals", paper + "B5", "gaussian",
        join(benchmark_sizes(200, 20000, 5), blocks)},
       draw_blocks},
      {{"bench.c", "tall, neighbors correlated .5", paper + "C", "gaussian",
        join(benchmark_sizes(20000, 500, 20), {neighbors, signal_to_noise()})},
       draw_autoregressive},
      {{"bench.d", "sparse, one entry in 200 nonzero", paper + "D", "gaussian",
        join(benchmark_sizes(10000, 50000, 20),
             {{"filled", "probability that an entry is nonzero", 0.005, 1e-9, 0.999, false}, signal_to_noise()})},
       draw_sparse},
      {{"bench.e", "two classes, wide, neighbors correlated .5", paper + "E", "bernoulli",
        join(benchmark_sizes(1000, 10000, 20), {neighbors})},
       draw_logistic},
  };
}

}  // namespace tamis::experiments
