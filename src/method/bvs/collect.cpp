// Weighted draws of models, collected from the chains.
//
// Resampling systematic: draw d of weight w_d comes floor or ceil of N w_d times, with the fixed offset 1/2, so that
//            the result is a function of the draws and neighbors in a chain stay neighbors.
#include "method/bvs/collect.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis {
namespace {

constexpr Index most_posterior_draws = 2000, most_posterior_entries = 60'000;
constexpr Index most_samples = 1000;
constexpr double most_bytes = 2e9;
constexpr double digits = 7;

using Draw = KeptDraws::Draw;

std::vector<Draw> recorded(const BvsChain& chain, Index from) {
  std::vector<Draw> draws;
  for (const Draw& draw : chain.draws().draws()) {
    if (draw.step >= from) draws.push_back(draw);
  }
  if (draws.empty() && !chain.draws().draws().empty()) draws.push_back(chain.draws().draws().back());
  return draws;
}

// How often each draw comes among `wanted`.
std::vector<Index> systematic(std::span<const double> weights, Index wanted) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<Index> counts(weights.size(), 0);
  double sum = 0;
  Index given = 0;
  for (Index d = 0; d < std::ssize(weights); ++d) {
    sum += weights[d];
    const Index upto =
        std::min(wanted, static_cast<Index>(std::floor(sum / total * static_cast<double>(wanted) + 0.5)));
    counts[d] = upto - given;
    given = upto;
  }
  if (!counts.empty()) counts.back() += wanted - given;
  return counts;
}

double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double exponent = digits - 1 - std::floor(std::log10(std::abs(value)));
  if (std::abs(exponent) > 290) return value;
  // Division by a whole power of ten gives the double next to the decimal number.
  const double power = std::pow(10.0, std::abs(exponent));
  return exponent >= 0 ? std::round(value * power) / power : std::round(value / power) * power;
}

// One draw on the original scale, features in rising order.
struct OriginalDraw {
  std::vector<std::pair<Index, double>> coefficients;
  double intercept = 0;
};

OriginalDraw original(const ScaledProblem& scaled, const KeptDraws& kept, const Draw& draw) {
  OriginalDraw result;
  const auto features = kept.features_of(draw);
  const auto working = kept.coefficients_of(draw);
  result.intercept = scaled.original_intercept(draw.intercept, {});
  for (Index a = 0; a < std::ssize(features); ++a) {
    const Index k = features[a];
    const double b = scaled.original_coefficient(k, working[a]);
    result.coefficients.emplace_back(scaled.kept()[k], b);
    result.intercept -= b * scaled.center(k);
  }
  std::ranges::sort(result.coefficients);
  return result;
}

struct Weighted {
  const KeptDraws* kept;
  Draw draw;
};

std::vector<Weighted> all_recorded(const BvsRun& run) {
  std::vector<Weighted> all;
  for (const BvsChain& chain : run.chains()) {
    for (const Draw& draw : recorded(chain, run.recorded_from())) all.push_back({&chain.draws(), draw});
  }
  return all;
}

std::vector<double> weights_of(const std::vector<Weighted>& draws) {
  std::vector<double> weights;
  double total = 0;
  for (const Weighted& each : draws) total += each.draw.weight;
  for (const Weighted& each : draws) weights.push_back(total > 0 ? each.draw.weight / total : 1.0);
  return weights;
}

}  // namespace

ModelDraws collect_models(const BvsRun& run, const ScaledProblem& scaled) {
  const std::vector<Weighted> all = all_recorded(run);
  ModelDraws models{.weights = weights_of(all), .starts = {0}, .features = {}};
  for (const Weighted& each : all) {
    for (const std::int32_t k : each.kept->features_of(each.draw)) models.features.push_back(scaled.kept()[k]);
    std::sort(models.features.begin() + models.starts.back(), models.features.end());
    models.starts.push_back(std::ssize(models.features));
  }
  return models;
}

PosteriorDraws collect_posterior(const BvsRun& run, const ScaledProblem& scaled) {
  const std::vector<Weighted> all = all_recorded(run);
  std::vector<double> weights = weights_of(all);
  Index entries = 0;
  for (const Weighted& each : all) entries += each.draw.size;
  const Index count = std::ssize(all);
  const double share = std::min({1.0, static_cast<double>(most_posterior_draws) / static_cast<double>(count),
                                 static_cast<double>(most_posterior_entries) / static_cast<double>(entries + 1)});
  if (share < 1) {
    const auto wanted = std::max<Index>(1, static_cast<Index>(share * static_cast<double>(count)));
    const std::vector<Index> counts = systematic(weights, wanted);
    for (Index d = 0; d < count; ++d) weights[d] = static_cast<double>(counts[d]) / static_cast<double>(wanted);
  }
  PosteriorDraws draws;
  draws.models.starts = {0};
  const double unit = scaled.unit();
  for (Index d = 0; d < count; ++d) {
    if (weights[d] == 0) continue;
    const OriginalDraw draw = original(scaled, *all[d].kept, all[d].draw);
    draws.models.weights.push_back(share < 1 ? weights[d] : rounded(weights[d]));
    for (const auto& [feature, coefficient] : draw.coefficients) {
      draws.models.features.push_back(feature);
      draws.coefficients.push_back(rounded(coefficient));
    }
    draws.models.starts.push_back(std::ssize(draws.models.features));
    draws.intercepts.push_back(draw.intercept);
    if (scaled.gaussian()) draws.noise_variances.push_back(rounded(unit * unit * all[d].draw.noise_variance));
  }
  return draws;
}

Draws collect_draws(const BvsRun& run, const ScaledProblem& scaled, std::vector<std::string> feature_names) {
  const Index p = scaled.X().cols();
  const double per_sample = 2.0 * sizeof(double) * static_cast<double>(p * std::ssize(run.chains()));
  const Index samples = std::clamp<Index>(static_cast<Index>(most_bytes / per_sample), 1, most_samples);
  Draws draws{.chains = std::ssize(run.chains()), .samples = samples, .features = std::move(feature_names)};
  DrawnVariable coefficients{.name = "coefficients", .items = p, .listed = true};
  DrawnVariable inclusion{.name = "inclusion", .items = p, .listed = true};
  DrawnVariable intercept{.name = "intercept"}, noise{.name = "noise_variance"}, size{.name = "size"};
  for (const BvsChain& chain : run.chains()) {
    std::vector<Weighted> own;
    for (const Draw& draw : recorded(chain, run.recorded_from())) own.push_back({&chain.draws(), draw});
    const std::vector<Index> counts = systematic(weights_of(own), samples);
    for (Index d = 0; d < std::ssize(own); ++d) {
      if (counts[d] == 0) continue;
      const OriginalDraw draw = original(scaled, chain.draws(), own[d].draw);
      for (Index copy = 0; copy < counts[d]; ++copy) {
        const Index start = std::ssize(coefficients.values);
        coefficients.values.resize(start + p, 0.0);
        inclusion.values.resize(start + p, 0.0);
        for (const auto& [feature, b] : draw.coefficients) {
          coefficients.values[start + feature] = b;
          inclusion.values[start + feature] = 1;
        }
        intercept.values.push_back(draw.intercept);
        noise.values.push_back(scaled.unit() * scaled.unit() * own[d].draw.noise_variance);
        size.values.push_back(static_cast<double>(own[d].draw.size));
      }
    }
  }
  draws.posterior = {std::move(coefficients), std::move(inclusion), std::move(intercept)};
  if (scaled.gaussian()) draws.posterior.push_back(std::move(noise));
  draws.statistics = {std::move(size)};
  return draws;
}

}  // namespace tamis
