// Twins of the data sets in Table 1 of Naqvi et al. (2016), in their shapes with a tenth of the rows for training: word
// counts of documents of two kinds, and gene expressions that share a few factors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/generators.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

// A document: its kind, and how many words it has.
struct Documents {
  std::vector<double> kind, words;
  double longest = 0;
};

Documents draw_documents(Index n, double words, std::uint64_t seed, Part part) {
  Documents documents{std::vector<double>(n), std::vector<double>(n)};
  RandomStream numbers = stream(seed, part, Purpose::sizes);
  for (Index i = 0; i < std::ssize(documents.kind); ++i) {
    documents.kind[i] = numbers.uniform01() < 0.5 ? 0 : 1;
    documents.words[i] = words * std::exp(0.5 * numbers.normal());
    documents.longest = std::max(documents.longest, documents.words[i]);
  }
  return documents;
}

// The number of times that a word occurs, given that it does: Poisson without 0, by inversion.
double occurrences(double rate, RandomStream& random) {
  double left = random.uniform01() * -std::expm1(-rate), probability = rate * std::exp(-rate), count = 1;
  while (left > probability && count < 1000) {
    left -= probability;
    probability *= rate / ++count;
  }
  return count;
}

// One word: rows in which it occurs are reached by geometric gaps of the largest rate, and kept by their own.
template <class Visit>
void for_each_occurrence(const Documents& documents, double frequency, double effect, RandomStream random,
                         const Visit& visit) {
  const double most = documents.longest * frequency * std::exp(0.5 * std::abs(effect));
  double row = -1;
  while (true) {
    row += 1 + std::floor(std::log(1 - random.uniform01()) / -most);
    if (row >= static_cast<double>(documents.kind.size())) return;
    const Index i = static_cast<Index>(row);
    const double rate = documents.words[i] * frequency * std::exp(effect * (documents.kind[i] - 0.5));
    const bool occurs = random.uniform01() * -std::expm1(-most) < -std::expm1(-rate);
    const double count = occurrences(rate, random);
    if (occurs) visit(static_cast<std::int32_t>(i), std::log1p(count));
  }
}

SimulatedSet draw_set(Index n, const std::vector<double>& frequencies, const Truth& truth, double words,
                      std::uint64_t seed, Part part) {
  SimulatedSet set;
  const Documents documents = draw_documents(n, words, seed, part);
  const Index p = frequencies.size();
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns(frequencies.size());
  parallel_for(p, 256, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      for_each_occurrence(documents, frequencies[j], truth.coefficients(j, 0), stream(seed, part, Purpose::values, j),
                          [&](std::int32_t row, double value) { columns[j].emplace_back(row, value); });
    }
  });
  SparseColumns X{.rows = n, .cols = p, .starts = {0}, .indices = {}, .values = {}};
  for (const auto& column : columns) {
    for (const auto& [row, value] : column) {
      X.indices.push_back(row);
      X.values.push_back(value);
    }
    X.starts.push_back(std::ssize(X.values));
  }
  set.sparse = std::move(X);
  set.y = Matrix(n, 1);
  std::ranges::copy(documents.kind, set.y.col(0));
  return set;
}

// Frequencies fall as 1 / (rank + 20) (Zipf). Topical words are among the thousand most frequent, but for the first
// fifty; each is exp(effect) times as frequent in documents of kind 1 as in those of kind 0.
void draw_text(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p");
  std::vector<double> frequencies(p), effects(p, 0.0);
  double total = 0;
  for (Index j = 0; j < std::ssize(frequencies); ++j) total += frequencies[j] = 1 / (static_cast<double>(j) + 20);
  for (double& f : frequencies) f /= total;
  const Index first = std::min<Index>(50, p / 4), last = std::max(first + 1, std::min<Index>(1000, p / 2));
  RandomStream sizes = stream(out.seed, Part::truth, Purpose::sizes);
  for (const Index j : random_places(out, last - first, parameters.whole("active"))) {
    const double size = parameters.real("effect") * (0.5 + sizes.uniform01());
    effects[first + j] = sizes.uniform01() < 0.5 ? -size : size;
  }
  set_coefficients(out, effects);
  const double words = parameters.real("words");
  out.train = draw_set(parameters.whole("n"), frequencies, out.truth, words, out.seed, Part::train);
  out.test = draw_set(parameters.whole("test"), frequencies, out.truth, words, out.seed, Part::test);
}

// x_j = sum over factors + noise of its own, unit variance; `shared` of it from the factors.
Matrix expressions(Index n, const Matrix& loadings, double shared, std::uint64_t seed, Part part) {
  Matrix X = normal_columns(n, loadings.cols(), seed, part);
  Matrix factors(n, loadings.rows());
  for (Index k = 0; k < factors.cols(); ++k) stream(seed, part, Purpose::blocks, k).normals(factors.column(k));
  const double own = std::sqrt(1 - shared), common = std::sqrt(shared);
  parallel_for(X.cols(), 64, [&](Index first, Index last) {
    for (Index j = first; j < last; ++j) {
      for (double& x : X.column(j)) x *= own;
      for (Index k = 0; k < factors.cols(); ++k) {
        for (Index i = 0; i < n; ++i) X(i, j) += common * loadings(k, j) * factors(i, k);
      }
    }
  });
  return X;
}

void draw_expression(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p"), count = parameters.whole("factors");
  Matrix loadings(count, p);  // columns of unit length
  for (Index j = 0; j < p; ++j) {
    stream(out.seed, Part::truth, Purpose::values, j).normals(loadings.column(j));
    double square = 0;
    for (const double l : loadings.column(j)) square += l * l;
    for (double& l : loadings.column(j)) l /= std::sqrt(square);
  }
  std::vector<double> coefficients(p, 0.0);
  RandomStream sizes = stream(out.seed, Part::truth, Purpose::sizes);
  for (const Index j : random_places(out, p, parameters.whole("active"))) {
    coefficients[j] = (sizes.uniform01() < 0.5 ? -1 : 1) * (0.5 + sizes.uniform01());
  }
  set_coefficients(out, coefficients);
  const double shared = parameters.real("shared");
  draw_columns(out, parameters.whole("n"), 0, parameters.whole("test"),
               [&](Index n, Part part) { return expressions(n, loadings, shared, out.seed, part); });
  out.truth.noise_variance = parameters.real("noise_variance");
  add_gaussian_responses(out);
}

std::vector<DesignParameter> table_sizes(double rows, double p, double relevant) {
  const double n = std::floor(rows / 10);
  return {{"n", "training samples", n, 1, 1e8, true},
          {"test", "test samples", rows - n, 0, 1e8, true},
          features(p),
          active(relevant)};
}

}  // namespace

std::vector<DesignEntry> laplace_table_designs() {
  const std::string paper = "Naqvi et al. (2016), Fast Laplace approximation for spike and slab, Table 1";
  const std::vector<DesignParameter> text = {
      {"words", "number of words in a typical document", 150, 1, 1e6, false},
      {"effect", "typical log ratio of the frequencies of a topical word in the two classes", 1.2, 0, 10, false}};
  const std::vector<DesignParameter> expression = {
      noise_variance(1),
      {"factors", "number of latent factors shared by the genes", 10, 1, 1000, true},
      {"shared", "fraction of the variance of a gene explained by the factors", 0.6, 0, 0.9999, false}};
  const auto like = [&](const char* name, const char* kind, double rows, double p) {
    return fmt::format("simulated in the shape of {}: {} rows of {} {}, a tenth for training", name, rows, p, kind);
  };
  return {
      {{"flas.text-hitech", like("hitech", "words", 2301, 10080), paper, "bernoulli",
        join(table_sizes(2301, 10080, 150), text)},
       draw_text},
      {{"flas.text-reviews", like("reviews", "words", 4069, 18483), paper, "bernoulli",
        join(table_sizes(4069, 18483, 150), text)},
       draw_text},
      {{"flas.expression-gse5680", like("gse5680", "genes", 120, 18976), paper, "gaussian",
        join(table_sizes(120, 18976, 10), expression)},
       draw_expression},
      {{"flas.expression-dlbcl", like("dlbcl", "genes", 240, 7399), paper, "gaussian",
        join(table_sizes(240, 7399, 10), expression)},
       draw_expression},
  };
}

}  // namespace tamis::experiments
