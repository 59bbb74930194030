#include "method/mean_field/vg.hpp"

#include "method/mean_field/garrote_search.hpp"

namespace tamis {

std::vector<Field> VariationalGarrote::fields() const {
  return {
      Field::real("gamma", "fixed prior log odds of inclusion; not given: searched along a path", {}, -1e6, 100),
      Field::real("noise_precision", "fixed 1 / noise variance; not given: estimated", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::integer("steps", "gammas on the path", 50.0, 2, 10000),
      Field::real("epsilon", "inclusion of the strongest feature at the first gamma of the path", 1e-3, 1e-12, 0.5),
      Field::choice("solver", "how a point is solved; auto: coordinate", {"auto", "coordinate", "primal", "dual"},
                    "auto"),
      Field::real("slab_variance",
                  "> 0: correct the log odds for a slab of this variance (of a working coefficient), so that inclusion "
                  "can be read as a probability; 0: the paper's flat slab",
                  0.0, 0, 1e300),
      Field::choice("rule",
                    "gamma of least held-out error (of several that the folds cannot tell, the smallest), or the "
                    "smallest within one standard error of it",
                    {"min", "one-se"}, "min"),
      Field::real("tolerance", "largest change of the last step, in inclusion and in posterior sds of a coefficient",
                  1e-5, 1e-10, 1e-1),
  };
}

Fit VariationalGarrote::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const std::string& solver = options.text("solver");
  const GarroteRequest request{.gamma = options.maybe_real("gamma"),
                               .noise_precision = options.maybe_real("noise_precision"),
                               .steps = options.integer("steps"),
                               .epsilon = options.real("epsilon"),
                               .solver = solver == "primal" ? GarroteSolver::primal
                                         : solver == "dual" ? GarroteSolver::dual
                                                            : GarroteSolver::coordinate,
                               .slab_variance = options.real("slab_variance"),
                               .one_standard_error = options.text("rule") == "one-se",
                               .tolerance = options.real("tolerance")};
  return fit_garrote(problem, request, control);
}

}  // namespace tamis
