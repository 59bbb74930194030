#include "method/masking/bm.hpp"

#include "method/masking/mask_fit.hpp"

namespace tamis {

std::vector<Field> BayesianMasking::fields() const {
  return {
      Field::choice("algorithm",
                    "collapsed: rates and masks together; em: the paper's Algorithm 1; eg: gradient steps; hybrid: "
                    "Algorithm 2, em and then eg",
                    {"collapsed", "hybrid", "em", "eg"}, "collapsed"),
      Field::real("noise_variance", "fixed variance of the noise; not given: estimated", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::real("delta", "rate below which a feature is pruned; not given: 1 / (2 samples)", {}, 0, 0.5, true),
      Field::text("masks", "file for the mean masks as CSV, a line per row and a column per feature; not given: none"),
      Field::real("tolerance",
                  "largest change of the last iteration: of samples times a rate, and of a weight in its own standard "
                  "deviations",
                  1e-3, 1e-12, 1),
      Field::integer("max_iterations", "not given: 10000 for collapsed, 2000 and 20 per sample for others", {}, 1, 1e9),
      Field::integer("switch_after", "iterations of em before eg, of hybrid", 200.0, 0, 1e9),
      Field::real(
          "learning_rate",
          "of eg: step of a weight in units of 1 / (samples noise_precision), its column being of unit size; of "
          "a rate, without reparametrisation, in units of 1 / samples",
          0.1, 0, 1e3, true),
      Field::boolean("reparametrise", "eg follows the gradient in weight and weight times rate", true),
  };
}

Fit BayesianMasking::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  MaskRequest request;
  const std::string& algorithm = options.text("algorithm");
  request.algorithm = algorithm == "em"       ? MaskAlgorithm::em
                      : algorithm == "eg"     ? MaskAlgorithm::eg
                      : algorithm == "hybrid" ? MaskAlgorithm::hybrid
                                              : MaskAlgorithm::collapsed;
  request.switch_after = options.integer("switch_after");
  request.learning_rate = options.real("learning_rate");
  request.reparametrize = options.boolean("reparametrise");
  request.noise_variance = options.maybe_real("noise_variance");
  request.delta = options.maybe_real("delta");
  request.tolerance = options.real("tolerance");
  if (options.has("max_iterations")) request.max_iterations = options.integer("max_iterations");
  return fit_masks(problem, request, options.has("masks") ? options.text("masks") : "", control);
}

}  // namespace tamis
