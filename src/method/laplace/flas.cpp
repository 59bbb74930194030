#include "method/laplace/flas.hpp"

#include "method/laplace/flas_fit.hpp"

namespace tamis {

std::vector<Field> Flas::fields() const {
  return {
      Field::choice("variant", "marginal: indicators integrated out (FLAS); joint: indicators and coefficients (FLAS*)",
                    {"marginal", "joint"}, "marginal"),
      Field::real(
          "prior_inclusion",
          "prior probability that a feature is in the slab; not given: learnt, or for two classes .35 or the root "
          "of rows / features",
          {}, 0, 1, /*open_minimum=*/true),
      Field::real("spike_variance", "prior variance of a coefficient in the spike (r0); not given: searched", {}, 0,
                  1e300, true),
      Field::real("slab_variance", "prior variance of a coefficient in the slab (r1); not given: searched", {}, 0,
                  1e300, true),
      Field::real("noise_precision", "1 / variance of gaussian noise; not given: by evidence", {}, 0, 1e300, true),
      Field::choice("hessian", "how posterior variances are found; auto: exactly, where affordable, else by landmarks",
                    {"auto", "dual", "landmark", "nystrom", "full"}, "auto"),
      Field::choice("start", "evidence: the best of many starts; ridge: the paper's, at a ridge regression",
                    {"evidence", "ridge"}, "evidence"),
      Field::choice("inclusion",
                    "laplace: from the normal posterior of a coefficient; collapsed: given all other indicators, "
                    "coefficients integrated out",
                    {"laplace", "collapsed"}, "laplace"),
      Field::choice("search",
                    "what chooses the variances that are not given: evidence, or cv over the paper's grid (spike 1e-6 "
                    "to 1e-3, slab 1 to 5, literally)",
                    {"evidence", "cv"}, "evidence"),
      Field::real("tolerance", "largest last step, relative to the largest coefficient", 1e-6, 1e-12, 1e-2),
  };
}

Fit Flas::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return fit_flas(problem, FlasRequest(options, problem), control);
}

}  // namespace tamis
