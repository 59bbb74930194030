// vg: the Variational Garrote, spike-and-slab regression by mean field.
//
// Model      y = sum_i s_i w_i x_i + noise    Eq. 2
//            s_i ~ Bernoulli with log odds gamma    Eq. 4
// Algorithm  the posterior of s is approximated by independent Bernoullis (mean field), weights and noise are maximum a
//            posteriori estimates, gamma is chosen along a path (garrote_search.cpp)
// Paper      Kappen & Gomez (2014), Machine Learning 96
#include <fmt/format.h>

#include "method/mean_field/garrote_search.hpp"
#include "problem/family_requirements.hpp"
#include "problem/null_fit.hpp"
#include "tamis/base/error.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class VariationalGarrote final : public Method {
 public:
  std::string_view name() const override { return "vg"; }
  std::string estimator() const override { return "VariationalGarrote"; }
  std::string_view summary() const override {
    return "Variational garrote: mean-field spike-and-slab regression with a flat slab; gamma chosen along a path";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> VariationalGarrote::fields() const {
  return {
      Field::real("gamma", "fixed prior log odds of inclusion; default: chosen along a path", {}, -1e6, largest_gamma),
      Field::real("noise_precision", "fixed 1 / noise variance; default: estimated", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::integer("steps", "number of gammas on the path", 50.0, 2, 10000),
      Field::real("epsilon", "inclusion probability of the strongest feature at the first gamma of the path", 1e-3,
                  1e-12, 0.5),
      Field::choice("solver",
                    "coordinate: coordinate descent; primal and dual: fixed-point iterations of the paper (family "
                    "gaussian); auto: coordinate",
                    {"auto", "coordinate", "primal", "dual"}, "auto"),
      Field::real("slab_variance",
                  "if positive, correct the log odds for a slab of this variance (standardized columns), so that "
                  "inclusion approximates a posterior probability; 0: flat slab, as in the paper",
                  0.0, 0, 1e300),
      Field::choice("rule",
                    "min: gamma with the minimum held-out error (the smallest gamma statistically tied with it); "
                    "one-se: smallest gamma within one standard error of the minimum",
                    {"min", "one-se"}, "min"),
      Field::real("tolerance",
                  "convergence tolerance: change in the last iteration of an inclusion probability or of a coefficient "
                  "(in posterior standard deviations)",
                  1e-5, 1e-10, 1e-1),
  };
}

// Whether no more is left of the response than rounding: the noise variance, and standard deviations with it, are then
// the least that are allowed, 1e-13 of the variance of the response, and not estimates.
bool leaves_no_noise(const Problem& problem, const Fit& fit) {
  double total = 0, sum = 0, squares = 0;
  for (Index i = 0; i < std::ssize(problem.y); ++i) {
    const double weight = problem.weights.empty() ? 1 : problem.weights[i];
    const double y = problem.y[i] - (problem.offset.empty() ? 0 : problem.offset[i]);
    total += weight;
    sum += weight * y;
    squares += weight * y * y;
  }
  const double variance = (squares - (problem.intercept ? sum * sum / total : 0)) / total;
  return fit.noise_variance && *fit.noise_variance > 0 && *fit.noise_variance < 1e-12 * variance;
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
  if (!problem.likelihood.has_noise()) {
    if (request.noise_precision) throw InvalidOption(no_noise_message("noise_precision", problem.likelihood));
    if (request.solver != GarroteSolver::coordinate)
      throw InvalidOption(
          fmt::format("solver: primal and dual require family gaussian; received {}; use solver=coordinate",
                      problem.likelihood.name()));
  }
  Fit fit = fit_garrote(problem, request, control);
  if (!request.noise_precision && leaves_no_noise(problem, fit)) {
    fit.message += "; noise variance and standard deviations are those of rounding errors, not estimates";
  }
  return fit;
}

}  // namespace

const Method& vg() {
  static const VariationalGarrote method;
  return method;
}

}  // namespace tamis
