// mm: the most probable coefficients of a spike-and-slab regression whose spike is a point mass.
//
// Model      y ~ family(offset + b0 + X b), b_j ~ pi N(0, slab) + (1 - pi) (point mass at 0)
// Algorithm  majorization-minimization from the lasso (point_mass_mode.cpp); the prior odds, as the cost of a nonzero
//            coefficient, by cross-validation (mm_search.cpp)
// Paper      Yen (2011), Annals of Statistics 39(3)
#include <fmt/format.h>

#include "method/mm/mm_search.hpp"
#include "problem/family_requirements.hpp"
#include "problem/null_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

class SpikeSlabMM final : public Method {
 public:
  std::string_view name() const override { return "mm"; }
  std::string estimator() const override { return "SpikeSlabMM"; }
  std::string_view summary() const override {
    return "Posterior mode under point-mass spikes by majorization-minimization: a selection without probabilities";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> SpikeSlabMM::fields() const {
  return {
      Field::real("cost",
                  "cost of a nonzero coefficient, in units of the log posterior: log((1 - inclusion) / inclusion) + "
                  "log(2 pi slab variance) / 2; default: chosen by cross-validation from 0.5 to 32",
                  {}, 0, 1e6, /*open_minimum=*/true),
      Field::real("slab_variance",
                  "prior variance of a nonzero coefficient, for standardized columns; default: that of the response "
                  "(1 for classes)",
                  {}, 0, 1e300, true),
      Field::real("noise_variance", "noise variance of family gaussian; default: from the residuals of the lasso", {},
                  0, 1e300, true),
      Field::real("start_penalty",
                  "penalty of the lasso that the descent begins at; default: chosen by cross-validation, inside each "
                  "fold anew",
                  {}, 0, 1e300, true),
      Field::choice("rule",
                    "min: cost with the minimum cross-validation error; one-se: largest cost whose error is within one "
                    "standard error of the minimum",
                    {"min", "one-se"}, "min"),
      Field::real("tolerance",
                  "convergence tolerance on the stationarity violation, relative to the slope of the prior at 0", 1e-6,
                  1e-12, 1e-2),
  };
}

Fit SpikeSlabMM::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const PointMassRequest request{.cost = options.maybe_real("cost"),
                                 .slab_variance = options.maybe_real("slab_variance"),
                                 .noise_variance = options.maybe_real("noise_variance"),
                                 .start_penalty = options.maybe_real("start_penalty"),
                                 .one_standard_error = options.text("rule") == "one-se",
                                 .tolerance = options.real("tolerance")};
  if (request.noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(no_noise_message("noise_variance", problem.likelihood));
  }
  return fit_point_mass_mode(problem, request, control);
}

}  // namespace

const Method& mm() {
  static const SpikeSlabMM method;
  return method;
}

}  // namespace tamis
