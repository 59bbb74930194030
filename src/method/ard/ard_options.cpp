// Options of ard: names, defaults and the combinations that are refused.
//
// Every default is the variant that works without tuning: reweighted-l1 (the only algorithm here that leaves gamma =
// 0), the robust noise rule (maximum evidence collapses when p > n) and a start that is invariant to the scale of
// columns. What the paper does instead (z = 1, no penalty) stays reachable, so that its results can be reproduced.
#include "method/ard/ard_options.hpp"

#include <fmt/format.h>

#include "problem/null_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {

std::vector<Field> ard_fields() {
  return {
      Field::choice("algorithm",
                    "algorithm that minimizes the cost; with noise=robust the noise search always uses reweighted-l1 "
                    "and the algorithm computes the final fit",
                    {relevance_algorithms.begin(), relevance_algorithms.end()}, std::string(relevance_algorithms[0])),
      Field::real("noise_variance", "noise variance; default: estimated by the rule in 'noise'", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::choice(
          "noise",
          "how the noise variance is estimated when it is not given: robust (least squares on the support selected "
          "with the multiplicity penalty) or evidence (maximum evidence; unreliable with more features than samples)",
          {"robust", "evidence"}, "robust"),
      Field::real("penalty",
                  "multiplicity penalty c: a feature enters if theta > 1 + c; default: 2 log p - 1 for feature "
                  "selection by the robust rule and for family bernoulli, 0 otherwise",
                  {}, 0, 1e6),
      Field::choice("start",
                    "initial weights of reweighted-l1: scale-free, or lasso (z = 1 as in the paper; depends on the "
                    "units of the data)",
                    {"scale-free", "lasso"}, "scale-free"),
      Field::boolean("anneal", "anneal the noise variance down to noise_variance, which helps to escape local minima",
                     false),
      Field::boolean("nonnegative", "constrain coefficients to be nonnegative (reweighted-l1 only)", false),
      Field::text("groups", "CSV file with columns feature,group; the features of a group share one prior variance"),
      Field::integer(
          "iterations",
          "maximum number of iterations of reweighted-l1; the fixed-point algorithms take up to 20 times as many",
          100.0, 1, 1e6),
      Field::real("tolerance",
                  "convergence tolerance: change of the prior variances in the last iteration, relative to the largest "
                  "variance",
                  1e-3, 1e-10, 1e-1),
  };
}

ArdOptions::ArdOptions(const Options& options)
    : algorithm(options.text("algorithm")),
      noise_variance(options.maybe_real("noise_variance")),
      penalty(options.maybe_real("penalty")),
      learn_noise(options.text("noise") == "evidence"),
      paper_start(options.text("start") == "lasso"),
      anneal(options.boolean("anneal")),
      nonnegative(options.boolean("nonnegative")),
      has_groups(options.has("groups")),
      max_iterations(options.integer("iterations")),
      tolerance(options.real("tolerance")) {}

// Refused here and not ignored: an option without effect would make a fit look like what it is not.
void ArdOptions::check(const Problem& problem) const {
  // The fixed-point rules take the posterior mean of unconstrained coefficients; only the lasso step can hold a sign.
  if (nonnegative && algorithm != "reweighted-l1") {
    throw InvalidOption(fmt::format(
        "nonnegative: algorithm {} cannot constrain the sign of coefficients; use algorithm=reweighted-l1", algorithm));
  }
  // The closed form of one gamma holds for rank-one changes of Sigma; a group changes it by its size.
  if (algorithm == "sequential" && !problem.groups.empty()) {
    throw InvalidOption("groups: algorithm sequential does not support groups of features; use another algorithm");
  }
  if (has_groups && problem.groups.empty()) {
    throw InvalidOption(
        "groups: this option names a file that only the command line program reads; in library calls set "
        "Problem::groups");
  }
  if (anneal && !noise_variance) {
    throw InvalidOption("anneal: received no noise_variance; set noise_variance to the value at which annealing ends");
  }
  if (!problem.components.empty()) check_components(problem);
  if (problem.likelihood.has_noise()) return;
  if (noise_variance) throw InvalidOption(no_noise_message("noise_variance", problem.likelihood));
  if (learn_noise) throw InvalidOption(no_noise_message("noise", problem.likelihood));
}

// What the variances of components do not go together with.
void ArdOptions::check_components(const Problem& problem) const {
  if (!problem.likelihood.is_quadratic()) {
    throw InvalidOption(fmt::format("components: received family {}; covariance components need a gaussian response",
                                    problem.likelihood.name()));
  }
  if (!problem.groups.empty() || has_groups) {
    throw InvalidOption(
        "groups: covariance components cannot be combined with groups; give each group as a component whose factor has "
        "one column per feature of the group");
  }
  if (nonnegative) {
    throw InvalidOption("nonnegative: coefficients of covariance components cannot be constrained; omit the option");
  }
  if (algorithm == "sequential") {
    throw InvalidOption("algorithm: sequential changes one feature at a time and has no components; use another one");
  }
  if (learn_noise && !noise_variance && penalty.value_or(0) > 0) {
    throw InvalidOption("penalty: cannot be combined with components and noise=evidence; use noise=robust");
  }
}

RelevanceRequest ArdOptions::request() const {
  RelevanceRequest request;
  request.paper_start = paper_start;
  request.nonnegative = nonnegative;
  request.max_iterations = max_iterations;
  request.tolerance = tolerance;
  return request;
}

}  // namespace tamis
