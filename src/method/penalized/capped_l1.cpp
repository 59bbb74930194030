#include "method/penalized/capped_l1.hpp"

#include "method/penalized/capped_search.hpp"

namespace tamis {

std::vector<Field> CappedL1::fields() const {
  return {
      Field::real("penalty", "fixed penalty; not given: searched along a path", {}, 0, 1e300, /*open_minimum=*/true),
      Field::real(
          "cap",
          "size of a working coefficient beyond which it is no longer penalised; not given: 2 penalties over the "
          "curvature of the null model's loss (1 for gaussian data)",
          {}, 0, 1e300, true),
      Field::integer("path_length", "penalties on the path", 100.0, 1, 10000),
      Field::real("path_ratio", "smallest penalty over the largest; not given: 0.01 if n < p, else 0.0001", {}, 0, 1,
                  true),
      Field::choice("rule", "penalty of least cross-validation error, or the largest within one standard error of it",
                    {"one-se", "min"}, "one-se"),
      Field::boolean("nonnegative", "coefficients may not be negative", false),
      Field::real("tolerance", "distance from stationary at the solution returned, relative to the penalty", 1e-8,
                  1e-12, 1e-2),
  };
}

Fit CappedL1::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const CappedRequest request{.penalty = options.maybe_real("penalty"),
                              .cap = options.maybe_real("cap"),
                              .path_length = options.integer("path_length"),
                              .path_ratio = options.maybe_real("path_ratio"),
                              .one_standard_error = options.text("rule") == "one-se",
                              .nonnegative = options.boolean("nonnegative"),
                              .tolerance = options.real("tolerance")};
  return fit_capped_path(problem, request, control);
}

}  // namespace tamis
