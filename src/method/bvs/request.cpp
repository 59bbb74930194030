// Options of bvs and their defaults.
//
// Model size  log of the expected number uniform from min(1, p/2) to min(p/2, max(2, n/10)). A row that is no normal
//             observation counts half: two classes tell less.
// Own priors  A feature with a prior inclusion of its own does not count in the model size.
// Steps       What 1.3e8 features of work buy, the cost of a step being in proportion to p: 131,072 on up to 1000
//             features, 1300 on 100,000.
#include "method/bvs/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

constexpr double work_of_chain = 1.3e8;
constexpr Index fewest_steps = 1300, usual_steps = 131'072;
constexpr double smallest_inclusion = 1e-12;

struct Range {
  double low, high;
};

std::optional<double> number_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "1,20", or one number for both.
Range range_of(const std::string& text, Index counted) {
  const auto comma = text.find(',');
  const auto low = number_of(text.substr(0, comma));
  const auto high = comma == text.npos ? low : number_of(text.substr(comma + 1));
  if (!low || !high || !(*low > 0) || !(*high >= *low) || !(*high < static_cast<double>(counted))) {
    throw InvalidOption(fmt::format(
        "expected_features: received '{}'; expected two numbers as 1,20 with 0 < low <= high < {}, the number of "
        "features that vary",
        text, counted));
  }
  return {*low, *high};
}

Range usual_range(const ScaledProblem& scaled, Index counted) {
  const double p = static_cast<double>(counted);
  const double per_feature = scaled.gaussian() ? 10 : 20;
  return {std::min(1.0, p / 2), std::min(p / 2, std::max(2.0, scaled.samples() / per_feature))};
}

OwnPriors own_priors(const Problem& problem, const ScaledProblem& scaled) {
  OwnPriors own;
  if (problem.feature_priors.empty()) return own;
  own.has_one.assign(scaled.features(), 0);
  for (Index k = 0; k < scaled.features(); ++k) {
    const double prior = problem.feature_priors[scaled.kept()[k]];
    if (std::isnan(prior)) continue;
    own.features.push_back(k);
    own.has_one[k] = 1;
    own.log_odds.push_back(prior <= 0 ? never : prior >= 1 ? always : std::log(prior) - std::log1p(-prior));
  }
  return own;
}

SizePrior size_prior(const ScaledProblem& scaled, const Options& options, Index counted, Index most) {
  const std::optional<double> inclusion = options.maybe_real("prior_inclusion");
  const bool given = options.has("expected_features");
  if (inclusion && given) {
    throw InvalidOption("expected_features: prior_inclusion fixes what this leaves open; give one of them");
  }
  if (inclusion) return SizePrior::fixed(std::max(*inclusion, smallest_inclusion), counted, most);
  if (counted == 0) return SizePrior::fixed(0.5, 0, most);
  const Range range = given ? range_of(options.text("expected_features"), counted) : usual_range(scaled, counted);
  return SizePrior::log_uniform(range.low, range.high, counted, most);
}

}  // namespace

bool has_g_prior(const Problem& problem, const Options& options) {
  const bool asked_otherwise = options.has("slab") && options.text("slab") == "independent";
  return problem.likelihood.is_quadratic() && !options.maybe_real("slab_variance") && !asked_otherwise;
}

BvsPrior bvs_prior(const Problem& problem, const ScaledProblem& scaled, const Options& options) {
  OwnPriors own = own_priors(problem, scaled);
  const Index counted = scaled.features() - std::ssize(own.features);
  const Index most = most_in_model(scaled);
  if (std::ranges::count(own.log_odds, always) > most) {
    throw InvalidOption(
        fmt::format("feature priors: {} features have prior inclusion 1; a model of {:g} rows holds at most {}; use a "
                    "number below 1",
                    std::ranges::count(own.log_odds, always), scaled.samples(), most));
  }
  const std::optional<double> variance = options.maybe_real("slab_variance");
  const std::string slab = options.has("slab") ? options.text("slab") : "";
  if (slab == "hyper-g" && (variance || !scaled.gaussian())) {
    throw InvalidOption(fmt::format(
        "slab: received hyper-g {}; use slab=independent",
        variance ? "with slab_variance, which a g-prior does not have" : "for a family without a noise variance"));
  }
  return {size_prior(scaled, options, counted, most), std::move(own), !has_g_prior(problem, options),
          variance.value_or(0)};
}

BvsPlan bvs_plan(const ScaledProblem& scaled, const Options& options, const Control& control) {
  const double affordable = work_of_chain / static_cast<double>(std::max<Index>(1, scaled.features()));
  const Index usual = std::clamp(static_cast<Index>(affordable), fewest_steps, usual_steps);
  return {.chains = options.integer("chains"),
          .most_steps = options.has("max_steps") ? options.integer("max_steps") : usual,
          .precision = options.real("precision"),
          .seed = control.seed,
          .observer = control.observer};
}

std::vector<Field> bvs_fields() {
  std::vector<Field> fields = {
      Field::real("precision", "largest Monte Carlo standard error of an inclusion probability at which chains end",
                  0.02, 0, 0.5, /*open_minimum=*/true),
      Field::integer("chains", "number of independent Markov chains; their disagreement is the Monte Carlo error", 4.0,
                     1, 1000),
      Field::integer("max_steps",
                     "most steps of a chain; default: 131072 on up to 1000 features, fewer on more, at least 1300", {},
                     1, 1e12),
      Field::text("expected_features",
                  "low,high: range of the expected number of features in the prior, log-uniform; default: 1,n/10 "
                  "(bernoulli: 1,n/20)"),
      Field::real("prior_inclusion", "prior probability that a feature is included; default: as expected_features says",
                  {}, 0, 1, /*open_minimum=*/true),
      Field::choice("slab", "prior of included coefficients: a g-prior with hyper-g/n, or independent normals",
                    {"hyper-g", "independent"}, "hyper-g"),
      Field::real("slab_variance",
                  "prior variance of an included coefficient of a standardized column, in units of the noise variance "
                  "if the family has one; makes the slab independent; default: sampled if the slab is independent",
                  {}, 0, 1e12, /*open_minimum=*/true),
      Field::choice("response",
                    "gaussian response that decides which features are in: as it is, its normal scores (for heavy "
                    "tails), or normal scores if residuals of a short first run have heavy tails",
                    {"raw", "normal-scores", "auto"}, "auto")};
  // Unset: what slab_variance and the family ask for.
  std::ranges::find(fields, "slab", &Field::name)->fallback = {};
  std::ranges::find(fields, "slab", &Field::name)->meaning +=
      "; default: hyper-g for gaussian, independent otherwise or with slab_variance";
  return fields;
}

}  // namespace tamis
