// bm: Bayesian masking, regression without shrinkage of the features that are kept.
//
// Model      y = (X o Z) beta + noise    Eq. 9
//            each feature is masked in each row by a Bernoulli variable z_nk of rate pi_k; weights are not shrunk, and
//            a feature whose rate falls to zero is pruned
// Algorithm  maximizes G, Eq. 10, a bound of the factorized information criterion, over masks, weights, noise and rates
//            (mask_ascent.cpp). The default is not the paper's: em takes about 2 N log(1 / (1 - pi)) iterations to
//            prune one feature, collapsed a few; the paper's em, eg and hybrid stay, to reproduce its figures.
// Paper      Kondo, Maeda & Hayashi (2015), ACML
#include "method/masking/mask_fit.hpp"
#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class BayesianMasking final : public Method {
 public:
  std::string_view name() const override { return "bm"; }
  std::string estimator() const override { return "BayesianMasking"; }
  std::string_view summary() const override {
    return "Bayesian masking: latent masks for each feature and row, unshrunk weights; prunes irrelevant features";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> BayesianMasking::fields() const {
  return {
      Field::choice("algorithm",
                    "collapsed: joint updates of mask rates and masks; em: Algorithm 1 of the paper; eg: gradient "
                    "steps; hybrid: Algorithm 2 of the paper (em, then eg)",
                    {"collapsed", "hybrid", "em", "eg"}, "collapsed"),
      Field::real("noise_variance", "fixed noise variance; default: estimated", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::real("delta", "mask rate below which a feature is pruned; default: 1 / (2 n)", {}, 0, 0.5, true),
      Field::text("masks",
                  "CSV file to write the posterior mean masks to, one row per sample and one column per feature; "
                  "default: not written"),
      Field::real("tolerance",
                  "convergence tolerance: change in the last iteration of n times a mask rate, or of a weight in "
                  "posterior standard deviations",
                  1e-3, 1e-12, 1),
      Field::integer("max_iterations",
                     "maximum number of iterations; default: 10000 for collapsed, 2000 + 20 n for the others", {}, 1,
                     1e9),
      Field::integer("switch_after", "hybrid: number of em iterations before eg", 200.0, 0, 1e9),
      Field::real("learning_rate",
                  "eg: step size for weights (columns scaled to unit variance) in units of 1 / (n noise_precision); "
                  "without reparametrization also for mask rates, in units of 1 / n",
                  0.1, 0, 1e3, true),
      Field::boolean("reparametrise", "eg: take gradient steps in the weight and the product of weight and mask rate",
                     true),
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

}  // namespace

const Method& bm() {
  static const BayesianMasking method;
  return method;
}

}  // namespace tamis
