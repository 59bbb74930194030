// vg: the Variational Garrote, spike-and-slab regression by mean field.
//
// Model      y = sum_i s_i w_i x_i + noise    Eq. 2
//            s_i ~ Bernoulli with log odds gamma    Eq. 4
// Algorithm  the posterior of s is approximated by independent Bernoullis (mean field), weights and noise are maximum a
//            posteriori estimates, gamma is chosen along a path (garrote_search.cpp)
// Paper      Kappen & Gomez (2014), Machine Learning 96
#include "method/mean_field/garrote_search.hpp"
#include "problem/family_requirements.hpp"
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
      Field::real("gamma", "fixed prior log odds of inclusion; default: chosen along a path", {}, -1e6, 100),
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

}  // namespace

const Method& vg() {
  static const VariationalGarrote method;
  return method;
}

}  // namespace tamis
