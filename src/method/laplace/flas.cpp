// flas: spike-and-slab regression by Laplace's method.
//
// Model      b_j ~ N(0, slab_variance) with probability prior_inclusion, otherwise N(0, spike_variance)    Eq. 1
// Algorithm  the posterior mode (mode.cpp), normal posteriors around it (variances.cpp), and from them inclusion
//            probabilities
// Departures defaults differ where the paper's recipe fails: from a ridge start the mode search ends in poor local
//            optima (test RMSE 22 at n = 60 where the evidence start reaches 1.24), and the variances of slab
//            features by the paper's random-column Nystrom sets are 35 times too large at n = 100. Both remain as
//            start = ridge and hessian = nystrom.
// Paper      Naqvi, Zhe, Qi, Yang & Ye, "Fast Laplace approximation for sparse Bayesian spike and slab models"
#include "method/laplace/flas_fit.hpp"
#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class Flas final : public Method {
 public:
  std::string_view name() const override { return "flas"; }
  std::string estimator() const override { return "LaplaceSpikeSlab"; }
  std::string_view summary() const override {
    return "Fast Laplace approximation for spike-and-slab regression: posterior mode, approximate inclusion "
           "probabilities";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    const std::string bound = lacks_bound(family);
    return !bound.empty() || family.traits().row_information > 0 ? bound : "the information of a row";
  }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> Flas::fields() const {
  return {
      Field::choice("variant",
                    "marginal: mode of the coefficients with the indicators integrated out (FLAS); joint: mode of "
                    "coefficients and indicators (FLAS*)",
                    {"marginal", "joint"}, "marginal"),
      Field::real("prior_inclusion",
                  "prior probability that a feature is included; default: learned for family gaussian; for others "
                  "the best of 0.35 (or sqrt(n / p) if smaller), 0.1, 0.03 and 0.01 by 5-fold cross-validation",
                  {}, 0, 1, /*open_minimum=*/true),
      Field::real("selection_a",
                  "first parameter of the Beta prior of every selection probability (a0; the paper: 1); the prior "
                  "inclusion is then a / (a + b); default: 2 prior_inclusion",
                  {}, 0, 1e6, true),
      Field::real("selection_b", "second parameter of that prior (b0; the paper: 1); default: 2 - 2 prior_inclusion",
                  {}, 0, 1e6, true),
      Field::real("spike_variance",
                  "prior variance of an excluded coefficient (spike, r0); default: chosen by 'search'", {}, 0, 1e300,
                  true),
      Field::real("slab_variance", "prior variance of an included coefficient (slab, r1); default: chosen by 'search'",
                  {}, 0, 1e300, true),
      Field::real("noise_precision", "1 / noise variance of family gaussian; default: learned by maximum evidence", {},
                  0, 1e300, true),
      Field::choice("hessian",
                    "how posterior variances are computed: dual and full are exact, landmark and nystrom approximate; "
                    "auto: exact where affordable, landmark otherwise",
                    {"auto", "dual", "landmark", "nystrom", "full"}, "auto"),
      Field::integer("nystrom_sets",
                     "number of disjoint random sets of columns whose variances hessian = nystrom averages (d); "
                     "default: 5, or fewer if there are not enough features",
                     {}, 1, 1e6),
      Field::integer("nystrom_columns", "columns in each of these sets (k); default: 5", {}, 1, 1e4),
      Field::choice("start",
                    "initial values: evidence (best of many starts) or ridge (ridge regression, as in the paper)",
                    {"evidence", "ridge"}, "evidence"),
      Field::choice("inclusion",
                    "how inclusion probabilities are computed: laplace (average over the normal posterior of the "
                    "coefficient) or collapsed (conditional on all other indicators, coefficients integrated out)",
                    {"laplace", "collapsed"}, "laplace"),
      Field::choice("search",
                    "how variances that are not given are chosen: evidence, or cv (cross-validation over the paper's "
                    "grid: spike 1e-6 to 1e-3, slab 1 to 5, in the units of the response)",
                    {"evidence", "cv"}, "evidence"),
      Field::real("tolerance", "convergence tolerance: last step, relative to the largest coefficient", 1e-6, 1e-12,
                  1e-2),
  };
}

Fit Flas::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return fit_flas(problem, FlasRequest(options, problem), control);
}

}  // namespace

const Method& flas() {
  static const Flas method;
  return method;
}

}  // namespace tamis
