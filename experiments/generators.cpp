#include "experiments/generators.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

// Columns or rows that one task takes: a few thousand numbers at least, and independent of the threads.
Index grain(Index numbers_each) { return std::max<Index>(1, 16384 / std::max<Index>(1, numbers_each)); }

template <class Work>
void for_each_set(Simulation& out, const Work& work) {
  work(out.train, Part::train);
  work(out.validation, Part::validation);
  work(out.test, Part::test);
}

}  // namespace

std::vector<DesignParameter> sizes(double n, double validation, double test) {
  return {{"n", "training samples", n, 1, 1e8, true},
          {"validation", "validation samples", validation, 0, 1e8, true},
          {"test", "test samples", test, 0, 1e8, true}};
}

std::vector<DesignParameter> join(std::vector<DesignParameter> first, const std::vector<DesignParameter>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

DesignParameter active(double fallback) {
  return {"active", "number of features with a nonzero coefficient", fallback, 0, 1e7, true};
}

DesignParameter features(double fallback, double minimum) {
  return {"p", "number of features", fallback, minimum, 1e7, true};
}

DesignParameter noise_variance(double fallback) {
  return {"noise_variance", "noise variance", fallback, 0, 1e6, false};
}

DesignParameter correlation(std::string meaning, double fallback) {
  return {"correlation", std::move(meaning), fallback, 0, 0.9999, false};
}

RandomStream stream(std::uint64_t seed, Part part, Purpose purpose, Index item) {
  return RandomStream(seed, static_cast<std::uint64_t>(part), static_cast<std::uint64_t>(purpose),
                      static_cast<std::uint64_t>(item));
}

Matrix normal_columns(Index n, Index p, std::uint64_t seed, Part part) {
  Matrix X(n, p);
  parallel_for(p, grain(n), [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) stream(seed, part, Purpose::values, j).normals(X.column(j));
  });
  return X;
}

Matrix autoregressive_columns(Index n, Index p, double decay, std::uint64_t seed, Part part) {
  Matrix X = normal_columns(n, p, seed, part);
  const double fresh = std::sqrt(1 - decay * decay);
  // Column after column, each task its own rows.
  parallel_for(n, 256, [&](Index first, Index last) {
    for (Index j = 1; j < p; ++j) {
      const double* before = X.col(j - 1);
      double* column = X.col(j);
      for (Index i = first; i < last; ++i) column[i] = decay * before[i] + fresh * column[i];
    }
  });
  return X;
}

Matrix block_columns(Index n, Index p, Index block, double within, std::uint64_t seed, Part part) {
  Matrix X = normal_columns(n, p, seed, part);
  const double shared = std::sqrt(within), own = std::sqrt(1 - within);
  const Index blocks = (p + block - 1) / block;
  parallel_for(blocks, grain(n * block), [&](Index first, Index last) {
    std::vector<double> common(n);
    for (Index b = first; b < last; ++b) {
      stream(seed, part, Purpose::blocks, b).normals(common);
      for (Index j = b * block; j < std::min(p, (b + 1) * block); ++j) {
        double* column = X.col(j);
        for (Index i = 0; i < n; ++i) column[i] = shared * common[i] + own * column[i];
      }
    }
  });
  return X;
}

Matrix uniform_columns(Index n, Index p, std::uint64_t seed, Part part) {
  Matrix X(n, p);
  parallel_for(p, grain(n), [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      RandomStream numbers = stream(seed, part, Purpose::values, j);
      for (double& value : X.column(j)) value = numbers.uniform01();
    }
  });
  return X;
}

std::vector<Index> random_places(const Simulation& out, Index p, Index count) {
  return stream(out.seed, Part::truth, Purpose::places).sample(p, std::min(p, count));
}

void set_coefficients(Simulation& out, std::vector<double> coefficients) {
  out.truth.coefficients = Matrix(std::ssize(coefficients), 1);
  std::copy(coefficients.begin(), coefficients.end(), out.truth.coefficients.col(0));
  out.truth.support.clear();
  for (Index j = 0; j < std::ssize(coefficients); ++j) {
    if (coefficients[j] != 0) out.truth.support.push_back(j);
  }
}

Matrix predictor(const SimulatedSet& set, const Truth& truth) {
  const Index responses = truth.coefficients.cols();
  Matrix eta(set.rows(), responses);
  for (Index t = 0; t < responses; ++t) {
    double* column = eta.col(t);
    std::fill(column, column + eta.rows(), truth.intercept);
    for (const Index j : truth.support) {
      const double weight = truth.coefficients(j, t);
      if (set.sparse) {
        const SparseColumns& sparse = *set.sparse;
        for (Index k = sparse.starts[j]; k < sparse.starts[j + 1]; ++k) {
          column[sparse.indices[k]] += weight * sparse.values[k];
        }
      } else {
        const double* x = set.X.col(j);
        for (Index i = 0; i < eta.rows(); ++i) column[i] += weight * x[i];
      }
    }
  }
  return eta;
}

void add_gaussian_responses(Simulation& out) {
  const double deviation = std::sqrt(out.truth.noise_variance);
  for_each_set(out, [&](SimulatedSet& set, Part part) {
    set.y = predictor(set, out.truth);
    for (Index t = 0; t < set.y.cols(); ++t) {
      RandomStream noise = stream(out.seed, part, Purpose::noise, t);
      for (double& value : set.y.column(t)) value += deviation * noise.normal();
    }
  });
}

void add_bernoulli_responses(Simulation& out) {
  for_each_set(out, [&](SimulatedSet& set, Part part) {
    set.y = predictor(set, out.truth);
    RandomStream coin = stream(out.seed, part, Purpose::noise);
    for (double& value : set.y.column(0)) value = coin.uniform01() < logistic(value) ? 1 : 0;
  });
}

}  // namespace tamis::experiments
