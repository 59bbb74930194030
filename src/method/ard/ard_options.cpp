#include "method/ard/ard_options.hpp"

#include <fmt/format.h>

#include "problem/null_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {

std::vector<Field> ard_fields() {
  return {
      Field::choice(
          "algorithm",
          "how the cost is lowered; a robust noise is always sought by reweighted-l1, and the algorithm makes "
          "the fit",
          {relevance_algorithms.begin(), relevance_algorithms.end()}, std::string(relevance_algorithms[0])),
      Field::real("noise_variance", "variance of the noise; not given: found by the rule of 'noise'", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::choice("noise",
                    "rule for a noise that is not given: robust (least squares on the support that a multiplicity "
                    "penalty keeps), or evidence (degenerate when features outnumber samples)",
                    {"robust", "evidence"}, "robust"),
      Field::real("penalty",
                  "multiplicity penalty c: features enter at theta > 1 + c; not given: 2 log p - 1 while features are "
                  "chosen by the robust rule or for bernoulli, else 0",
                  {}, 0, 1e6),
      Field::choice("start", "of reweighted-l1: scale-free, or lasso (the paper's z = 1, which depends on units)",
                    {"scale-free", "lasso"}, "scale-free"),
      Field::boolean("anneal", "lower the noise step by step to a small noise_variance: finds sparser minima", false),
      Field::boolean("nonnegative", "coefficients may not be negative; reweighted-l1 only", false),
      Field::text("groups", "CSV file with the columns feature,group: features of a group share one prior variance"),
      Field::integer("iterations", "steps of reweighted-l1 at most; 20 times as many of the fixed-point rules", 100.0,
                     1, 1e6),
      Field::real("tolerance", "largest change of a prior variance in the last step, relative to the largest one", 1e-3,
                  1e-10, 1e-1),
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
      most_iterations(options.integer("iterations")),
      tolerance(options.real("tolerance")) {}

void ArdOptions::check(const Problem& problem) const {
  if (nonnegative && algorithm != "reweighted-l1") {
    throw InvalidOption(
        fmt::format("nonnegative: {} cannot hold coefficients to a sign; use algorithm=reweighted-l1", algorithm));
  }
  if (algorithm == "sequential" && !problem.groups.empty()) {
    throw InvalidOption("groups: sequential has no closed form for a group; use another algorithm");
  }
  if (has_groups && problem.groups.empty()) {
    throw InvalidOption(
        "groups: the option names a file that the program reads; in a library call set Problem::groups");
  }
  if (anneal && !noise_variance) {
    throw InvalidOption("anneal: received no noise_variance to lower the noise to; set both");
  }
  if (problem.likelihood.has_noise()) return;
  if (noise_variance) throw InvalidOption(no_noise("noise_variance", problem.likelihood));
  if (learn_noise) throw InvalidOption(no_noise("noise", problem.likelihood));
}

RelevanceRequest ArdOptions::request() const {
  RelevanceRequest request;
  request.paper_start = paper_start;
  request.nonnegative = nonnegative;
  request.most_iterations = most_iterations;
  request.tolerance = tolerance;
  return request;
}

}  // namespace tamis
