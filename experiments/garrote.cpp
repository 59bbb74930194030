// Simulations of Kappen & Gomez, "The variational garrote", Machine Learning 96 (2014). The paper writes p for
// samples and n for features; here n is samples and p features, as everywhere in tamis.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "experiments/generators.hpp"

namespace tamis::experiments {
namespace {

const std::string paper = "Kappen & Gomez (2014), The variational garrote, ";

std::vector<double> ones_at(Index p, const std::vector<Index>& places) {
  std::vector<double> coefficients(p);
  for (const Index j : places) coefficients[j] = 1;
  return coefficients;
}

// X with correlation decay^|i - j|, and a response with the noise variance of the parameters.
void draw_autoregressive(const Parameters& parameters, Simulation& out) {
  out.truth.noise_variance = parameters.real("noise_variance");
  const double decay = parameters.real("correlation");
  const Index p = parameters.whole("p");
  draw_columns(out, parameters,
               [&](Index n, Part part) { return autoregressive_columns(n, p, decay, out.seed, part); });
  add_gaussian_responses(out);
}

void draw_one_feature(const Parameters& parameters, Simulation& out) {
  set_coefficients(out, ones_at(parameters.whole("p"), {0}));
  draw_autoregressive(parameters, out);
}

void draw_five_features(const Parameters& parameters, Simulation& out) {
  set_coefficients(out, ones_at(parameters.whole("p"), {0, 1, 4, 9, 49}));
  draw_autoregressive(parameters, out);
}

// Zhao & Yu (2006): x3 = 2/3 x1 + 2/3 x2 + a little of its own. The lasso cannot tell it from x1 + x2 when both
// have the same sign. The garrote paper prints the third input's own part with deviation 1; Zhao & Yu have 1/3,
// and only that gives the paper's Table 3.
void draw_three_features(const Parameters& parameters, Simulation& out, double first) {
  set_coefficients(out, {first, 3, 0});
  out.truth.noise_variance = parameters.real("noise_variance");
  const double own = parameters.real("own");
  draw_columns(out, parameters, [&](Index n, Part part) {
    Matrix X = normal_columns(n, 3, out.seed, part);
    for (Index i = 0; i < n; ++i) X(i, 2) = 2.0 / 3 * X(i, 0) + 2.0 / 3 * X(i, 1) + own * X(i, 2);
    return X;
  });
  add_gaussian_responses(out);
}

void draw_inconsistent(const Parameters& parameters, Simulation& out) { draw_three_features(parameters, out, 2); }
void draw_consistent(const Parameters& parameters, Simulation& out) { draw_three_features(parameters, out, -2); }

void draw_noise_study(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p");
  set_coefficients(out, ones_at(p, random_places(out, p, parameters.whole("active"))));
  draw_autoregressive(parameters, out);
}

// The k-th smallest value of the column goes where the k-th largest was: the same values, the opposite order.
void reverse_order(std::span<double> column) {
  std::vector<std::size_t> rank(column.size());
  std::iota(rank.begin(), rank.end(), std::size_t{0});
  std::sort(rank.begin(), rank.end(), [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
  for (Index low = 0; low < std::ssize(rank) / 2; ++low) {
    std::swap(column[rank[low]], column[rank[rank.size() - 1 - low]]);
  }
}

Matrix row_range(const Matrix& X, Index first, Index count) {
  Matrix part(count, X.cols());
  for (Index j = 0; j < X.cols(); ++j) std::copy_n(X.col(j) + first, count, part.col(j));
  return part;
}

// Weights of both signs and inputs correlated both ways. The order of half of the columns is reversed over all
// three sets together, for reversing five validation samples alone would be another distribution.
void draw_mixed_noise_study(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p"), n = parameters.whole("n");
  const Index validation = parameters.whole("validation"), test = parameters.whole("test");
  std::vector<double> coefficients(p);
  RandomStream sign = stream(out.seed, Part::truth, Purpose::signs);
  for (const Index j : random_places(out, p, parameters.whole("active"))) {
    coefficients[j] = sign.uniform01() < 0.5 ? -1 : 1;
  }
  set_coefficients(out, coefficients);
  out.truth.noise_variance = parameters.real("noise_variance");
  Matrix X = autoregressive_columns(n + validation + test, p, parameters.real("correlation"), out.seed, Part::train);
  const std::vector<Index> reversed = stream(out.seed, Part::truth, Purpose::blocks).sample(p, p / 2);
  for (const Index j : reversed) reverse_order(X.column(j));
  out.train.X = row_range(X, 0, n);
  out.validation.X = row_range(X, n, validation);
  out.test.X = row_range(X, n + validation, test);
  add_gaussian_responses(out);
}

// Weights 1, 2, 3, ... at random places.
void draw_samples(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p"), n = parameters.whole("n");
  std::vector<double> coefficients(p);
  double weight = 0;
  for (const Index j : random_places(out, p, std::lround(parameters.real("active_fraction") * parameters.real("p")))) {
    coefficients[j] = ++weight;
  }
  set_coefficients(out, coefficients);
  out.truth.noise_variance = parameters.real("noise_variance");
  const Index validation = std::lround(parameters.real("validation_fraction") * static_cast<double>(n));
  draw_columns(out, n, validation, parameters.whole("test"),
               [&](Index count, Part part) { return normal_columns(count, p, out.seed, part); });
  add_gaussian_responses(out);
}

std::vector<DesignParameter> autoregressive_parameters(double p, double noise, double decay) {
  return {features(p), noise_variance(noise), correlation("correlation of neighboring features", decay)};
}

std::vector<DesignParameter> three_feature_parameters() {
  return join(sizes(1000, 1000, 1000),
              {noise_variance(1), {"own", "standard deviation of the independent part of x3", 1.0 / 3, 0, 100, false}});
}

std::vector<DesignParameter> five_feature_parameters(double p, double noise, double decay) {
  return {features(p, 50), noise_variance(noise), correlation("correlation of neighboring features", decay)};
}

std::vector<DesignParameter> sample_parameters() {
  return {
      {"n", "training samples (the paper: up to 500)", 200, 1, 1e8, true},
      {"validation_fraction", "number of validation samples per training sample", 0.1, 0, 100, false},
      {"test", "test samples", 400, 0, 1e8, true},
      features(500),
      {"active_fraction", "fraction of features with a nonzero coefficient (the paper: .1 and .25)", 0.1, 0, 1, false},
      noise_variance(1)};
}

}  // namespace

std::vector<DesignEntry> garrote_designs() {
  const std::string noise_range = " (the paper: noise variance from 1e-8 to 10)";
  return {
      {{"vg.example1", "one relevant feature among 100 independent ones", paper + "Example 1 (Table 1)", "gaussian",
        join(sizes(50, 50, 400), autoregressive_parameters(100, 1, 0))},
       draw_one_feature},
      {{"vg.example2", "five relevant features among 100 correlated ones", paper + "Example 2 (Table 2)", "gaussian",
        join(sizes(50, 50, 400), five_feature_parameters(100, 1, 0.5))},
       draw_five_features},
      {{"vg.example3a", "three features on which the lasso is inconsistent, weights 2, 3, 0", paper + "Table 3, a",
        "gaussian", three_feature_parameters()},
       draw_inconsistent},
      {{"vg.example3b", "three features on which the lasso is consistent, weights -2, 3, 0", paper + "Table 3, b",
        "gaussian", three_feature_parameters()},
       draw_consistent},
      {{"vg.noise", "ten unit weights among 100 weakly correlated features" + noise_range, paper + "Fig. 6a",
        "gaussian", join(sizes(100, 20, 400), join(autoregressive_parameters(100, 0.01, 0.5), {active(10)}))},
       draw_noise_study},
      {{"vg.noise-correlated", "the same with strongly correlated features" + noise_range, paper + "Fig. 6b",
        "gaussian", join(sizes(100, 20, 400), join(autoregressive_parameters(100, 0.01, 0.95), {active(10)}))},
       draw_noise_study},
      {{"vg.noise-mixed", "weights and correlations of both signs, few samples" + noise_range, paper + "Fig. 6c",
        "gaussian", join(sizes(60, 5, 400), join(autoregressive_parameters(100, 0.01, 0.95), {active(10)}))},
       draw_mixed_noise_study},
      {{"vg.samples", "weights 1, 2, 3, ... on independent features, for recovery against the sample size",
        paper + "Fig. 8", "gaussian", sample_parameters()},
       draw_samples},
      genotype_design(),
      {{"vg.scaling", "five unit weights among any number of independent features", paper + "Fig. 11", "gaussian",
        join(sizes(100, 100, 400), five_feature_parameters(1000, 0.5, 0))},
       draw_five_features},
  };
}

}  // namespace tamis::experiments
