// Genotypes in place of the private ones of Kappen & Gomez (2014), section 5.6.2: each feature counts the minor
// alleles (0, 1, 2) of one person at one site; neighbors within a block are strongly correlated, blocks are not.
// Two chromosomes per person; on each an autoregressive gaussian runs along the block, and a site carries the minor
// allele where it falls below the quantile of the site's allele frequency.
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>

#include "experiments/generators.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::experiments {
namespace {

// The paper keeps features with an entropy of at least .9; in bits that is an allele frequency of .134.
constexpr double least_frequency = 0.134;

std::vector<double> thresholds(Index p, std::uint64_t seed) {
  RandomStream frequencies = stream(seed, Part::truth, Purpose::sizes);
  const boost::math::normal standard;
  std::vector<double> out(p);
  for (double& threshold : out) {
    threshold = quantile(standard, least_frequency + (0.5 - least_frequency) * frequencies.uniform01());
  }
  return out;
}

Matrix genotype_columns(Index n, const std::vector<double>& threshold, Index block, double decay, std::uint64_t seed,
                        Part part) {
  const Index p = threshold.size();
  const double fresh = std::sqrt(1 - decay * decay);
  Matrix X(n, p);
  parallel_for((p + block - 1) / block, 1, [&](Index first, Index last) {
    std::vector<double> latent(n), step(latent.size());
    for (Index b = first; b < last; ++b) {
      for (Index chromosome = 0; chromosome < 2; ++chromosome) {
        for (Index j = b * block; j < std::min(p, (b + 1) * block); ++j) {
          stream(seed, part, Purpose::values, 2 * j + chromosome).normals(step);
          const bool starts = j == b * block;
          for (Index i = 0; i < std::ssize(latent); ++i) {
            latent[i] = starts ? step[i] : decay * latent[i] + fresh * step[i];
            X(i, j) += latent[i] < threshold[j] ? 1 : 0;
          }
        }
      }
    }
  });
  return X;
}

double correlation_of(std::span<const double> a, std::span<const double> b) {
  const double n = static_cast<double>(a.size());
  const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n;
  const double mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
  double ab = 0, aa = 0, bb = 0;
  for (Index i = 0; i < std::ssize(a); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

// Features one after the other in random order, each only if it is not too close to those already taken.
std::vector<Index> separated_places(const Matrix& X, Index count, double largest, std::uint64_t seed) {
  std::vector<Index> taken;
  for (const Index j : stream(seed, Part::truth, Purpose::places).permutation(X.cols())) {
    if (std::ssize(taken) == count) break;
    const bool apart = std::all_of(taken.begin(), taken.end(), [&](Index k) {
      return std::abs(correlation_of(X.column(j), X.column(k))) <= largest;
    });
    if (apart) taken.push_back(j);
  }
  std::sort(taken.begin(), taken.end());
  return taken;
}

void draw_genotypes(const Parameters& parameters, Simulation& out) {
  const Index p = parameters.whole("p"), n = parameters.whole("n");
  const std::vector<double> threshold = thresholds(p, out.seed);
  const Index validation = std::lround(parameters.real("validation_fraction") * static_cast<double>(n));
  draw_columns(out, n, validation, parameters.whole("test"), [&](Index count, Part part) {
    return genotype_columns(count, threshold, parameters.whole("block"), parameters.real("correlation"), out.seed,
                            part);
  });
  const Index count = std::lround(parameters.real("active_fraction") * static_cast<double>(p));
  std::vector<double> coefficients(p);
  double weight = 0;
  for (const Index j : separated_places(out.train.X, count, 0.9, out.seed)) {
    coefficients[j] = ++weight;
  }
  set_coefficients(out, coefficients);
  out.truth.noise_variance = parameters.real("noise_variance");
  add_gaussian_responses(out);
}

}  // namespace

DesignEntry genotype_design() {
  return {{"vg.genotypes",
           "weights 1, 2, 3, ... on simulated genotypes (0, 1, 2) correlated in blocks",
           "Kappen & Gomez (2014), The variational garrote, Fig. 10; their genotypes are private",
           "gaussian",
           {{"n", "training samples (the paper: up to 500)", 300, 1, 1e8, true},
            {"validation_fraction", "number of validation samples per training sample", 0.1, 0, 100, false},
            {"test", "test samples", 400, 0, 1e8, true},
            features(500),
            {"active_fraction", "fraction of features with a nonzero coefficient (the paper: .1 and .25)", 0.1, 0, 1,
             false},
            noise_variance(1),
            {"block", "number of features in a correlated block", 25, 1, 1e6, true},
            correlation("correlation of neighbors on a chromosome, before counting alleles", 0.98)}},
          draw_genotypes};
}

}  // namespace tamis::experiments
