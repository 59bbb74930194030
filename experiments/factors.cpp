// Simulations for Mohamed, Heller & Ghahramani, "Bayesian and L1 approaches for sparse unsupervised learning"
// (ICML 2012): the block images of their benchmark, and data drawn from sparse factor models with the shape of
// their natural image patches and newsgroup counts. The data are X; there is no response.
#include <algorithm>
#include <array>
#include <boost/random/poisson_distribution.hpp>
#include <cmath>
#include <numbers>
#include <string_view>

#include "experiments/generators.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

const std::string paper = "Mohamed, Heller & Ghahramani (2012), Sparse unsupervised learning, ";

// The four blocks of Griffiths & Ghahramani (2006), one in each quarter of a 6 x 6 image.
constexpr std::array<std::string_view, 4> blocks = {
    ".#...."
    "###..."
    ".#...."
    "......"
    "......"
    "......",
    "...###"
    "...#.#"
    "...###"
    "......"
    "......"
    "......",
    "......"
    "......"
    "......"
    "#....."
    "##...."
    "###...",
    "......"
    "......"
    "......"
    "...###"
    "....#."
    "....#."};

// scores * loadings + intercept, the noiseless predictor.
Matrix factor_predictor(const Truth& truth) {
  const Index n = truth.scores.rows(), d = truth.loadings.cols();
  Matrix eta(n, d);
  parallel_for(d, 16, [&](Index first, Index last) {
    for (Index c = first; c < last; ++c) {
      for (Index k = 0; k < truth.loadings.rows(); ++k) {
        const double weight = truth.loadings(k, c);
        for (Index i = 0; i < n; ++i) eta(i, c) += weight * truth.scores(i, k);
      }
      if (truth.factor_intercept.empty()) continue;
      for (double& value : eta.column(c)) value += truth.factor_intercept[c];
    }
  });
  return eta;
}

void draw_block_images(const Parameters& parameters, Simulation& out) {
  const Index n = parameters.whole("n"), d = std::ssize(blocks[0]);
  const double flips = parameters.real("flips");
  Truth& truth = out.truth;
  truth.scores = Matrix(n, std::ssize(blocks));
  truth.loadings = Matrix(std::ssize(blocks), d);
  for (Index k = 0; k < truth.loadings.rows(); ++k) {
    RandomStream coin = stream(out.seed, Part::truth, Purpose::places, k);
    for (double& present : truth.scores.column(k)) present = coin.uniform01() < parameters.real("inclusion") ? 1 : 0;
    for (Index c = 0; c < d; ++c) {
      truth.loadings(k, c) = blocks[k][c] == '#' ? 1 : 0;
    }
  }
  truth.extra["flips"] = flips;
  out.train.X = factor_predictor(truth);  // the blocks do not overlap: a sum is an "or"
  for (Index c = 0; c < d; ++c) {
    RandomStream coin = stream(out.seed, Part::train, Purpose::noise, c);
    for (double& bit : out.train.X.column(c)) bit = coin.uniform01() < flips ? 1 - bit : bit;
  }
}

// An edge detector of unit length: a grating under a round window, at a random place, size, angle and phase.
void draw_grating(Index side, RandomStream& random, double* out, Index stride) {
  const auto extent = static_cast<double>(side);
  const double center_x = extent * random.uniform01(), center_y = extent * random.uniform01();
  const double angle = std::numbers::pi * random.uniform01(), phase = 2 * std::numbers::pi * random.uniform01();
  const double width = extent * (0.08 + 0.12 * random.uniform01());
  const double wavelength = width * (2 + 2 * random.uniform01());
  double norm = 0;
  for (Index pixel = 0; pixel < side * side; ++pixel) {
    const Index column = pixel % side, row = pixel / side;
    const double x = static_cast<double>(column) + 0.5 - center_x;
    const double y = static_cast<double>(row) + 0.5 - center_y;
    const double along = x * std::cos(angle) + y * std::sin(angle);
    const double value = std::exp(-0.5 * (x * x + y * y) / (width * width)) *
                         std::cos(2 * std::numbers::pi * along / wavelength + phase);
    out[pixel * stride] = value;
    norm += value * value;
  }
  for (Index pixel = 0; pixel < side * side; ++pixel) out[pixel * stride] /= std::sqrt(norm);
}

// Spike and slab: zero, or standard normal with probability `inclusion`.
Matrix sparse_scores(Index n, Index k, double inclusion, std::uint64_t seed) {
  Matrix scores(n, k);
  parallel_for(k, 8, [&](Index first, Index last) {
    for (Index f = first; f < last; ++f) {
      RandomStream random = stream(seed, Part::truth, Purpose::values, f);
      for (double& score : scores.column(f)) score = random.uniform01() < inclusion ? random.normal() : 0;
    }
  });
  return scores;
}

void draw_patches(const Parameters& parameters, Simulation& out) {
  const Index side = parameters.whole("side"), factors = parameters.whole("factors");
  Truth& truth = out.truth;
  truth.scores = sparse_scores(parameters.whole("n"), factors, parameters.real("inclusion"), out.seed);
  truth.loadings = Matrix(factors, side * side);
  for (Index k = 0; k < factors; ++k) {
    RandomStream random = stream(out.seed, Part::truth, Purpose::blocks, k);
    draw_grating(side, random, truth.loadings.col(0) + k, factors);
  }
  truth.noise_variance = parameters.real("noise_variance");
  const double deviation = std::sqrt(truth.noise_variance);
  out.train.X = factor_predictor(truth);
  for (Index c = 0; c < out.train.X.cols(); ++c) {
    RandomStream noise = stream(out.seed, Part::train, Purpose::noise, c);
    for (double& value : out.train.X.column(c)) value += deviation * noise.normal();
  }
}

// The intercept at which the share of zeros among poisson counts with these log rates is as wished.
double intercept_for_zeros(const Matrix& eta, double zeros) {
  const double cells = static_cast<double>(eta.rows() * eta.cols());
  double low = -40, high = 20;
  while (high - low > 1e-9) {
    const double middle = 0.5 * (low + high);
    double expected = 0;
    for (Index c = 0; c < eta.cols(); ++c) {
      for (const double value : eta.column(c)) expected += std::exp(-std::exp(middle + value));
    }
    (expected / cells > zeros ? low : high) = middle;
  }
  return low;
}

// Attributes of things: each is there or not, and a few kinds of things explain which go together.
void draw_attributes(const Parameters& parameters, Simulation& out) {
  const Index d = parameters.whole("p"), factors = parameters.whole("factors");
  const double spread = parameters.real("spread");
  Truth& truth = out.truth;
  truth.scores = sparse_scores(parameters.whole("n"), factors, parameters.real("inclusion"), out.seed);
  truth.loadings = Matrix(factors, d);
  truth.factor_intercept.resize(d);
  stream(out.seed, Part::truth, Purpose::sizes).normals(truth.factor_intercept);
  for (double& value : truth.factor_intercept) value -= 1;  // most attributes are rare
  for (Index c = 0; c < d; ++c) {
    stream(out.seed, Part::truth, Purpose::blocks, c).normals(truth.loadings.column(c));
    for (double& value : truth.loadings.column(c)) value *= spread;
  }
  out.train.X = factor_predictor(truth);
  for (Index c = 0; c < d; ++c) {
    RandomStream coin = stream(out.seed, Part::train, Purpose::noise, c);
    for (double& value : out.train.X.column(c)) value = coin.uniform01() < 1 / (1 + std::exp(-value)) ? 1 : 0;
  }
}

void draw_counts(const Parameters& parameters, Simulation& out) {
  const Index d = parameters.whole("p"), factors = parameters.whole("factors");
  Truth& truth = out.truth;
  truth.scores = sparse_scores(parameters.whole("n"), factors, parameters.real("inclusion"), out.seed);
  truth.loadings = Matrix(factors, d);
  for (Index c = 0; c < d; ++c) stream(out.seed, Part::truth, Purpose::blocks, c).normals(truth.loadings.column(c));
  out.train.X = factor_predictor(truth);
  const double intercept = intercept_for_zeros(out.train.X, parameters.real("zeros"));
  truth.factor_intercept.assign(d, intercept);
  for (Index c = 0; c < d; ++c) {
    RandomStream random = stream(out.seed, Part::train, Purpose::noise, c);
    for (double& value : out.train.X.column(c)) {
      boost::random::poisson_distribution<long, double> count(std::exp(intercept + value));
      value = static_cast<double>(count(random));
    }
  }
}

}  // namespace

std::vector<DesignEntry> factor_designs() {
  const auto rows = [](std::string meaning, double fallback) {
    return DesignParameter{"n", std::move(meaning), fallback, 1, 1e7, true};
  };
  const auto inclusion = [](double fallback) {
    return DesignParameter{"inclusion", "probability that a factor is active in a row", fallback, 0, 1, false};
  };
  const auto factors = [](double fallback) {
    return DesignParameter{"factors", "number of factors", fallback, 1, 1e5, true};
  };
  return {
      {{"factor.block-images",
        "6 x 6 binary images made of four blocks, with flipped pixels",
        paper + "Fig. 2a; blocks of Griffiths & Ghahramani (2006)",
        "bernoulli",
        {rows("images", 100), inclusion(0.5), {"flips", "probability that a pixel is flipped", 0.1, 0, 0.5, false}}},
       draw_block_images},
      {{"factor.patches",
        "image patches from an overcomplete sparse code of gratings",
        paper + "Fig. 2b, simulated (the paper: 10,000 natural patches)",
        "gaussian",
        {rows("patches", 1000),
         {"side", "number of pixels per side", 12, 2, 1000, true},
         factors(192),
         inclusion(0.05),
         noise_variance(0.01)}},
       draw_patches},
      {{"factor.attributes",
        "binary attributes of a few objects",
        paper + "Fig. 3, simulated (the paper: 33 animals with 102 attributes)",
        "bernoulli",
        {rows("things", 33),
         {"p", "attributes", 102, 1, 1e6, true},
         factors(5),
         inclusion(0.5),
         {"spread", "standard deviation of the loadings", 2, 0, 100, false}}},
       draw_attributes},
      {{"factor.counts",
        "word counts, almost all zero",
        paper + "Fig. 4b, simulated (the paper: 20 newsgroups)",
        "poisson",
        {rows("documents", 100),
         {"p", "words", 200, 1, 1e6, true},
         factors(5),
         inclusion(0.3),
         {"zeros", "fraction of zero counts", 0.93, 0.01, 0.999, false}}},
       draw_counts},
  };
}

}  // namespace tamis::experiments
