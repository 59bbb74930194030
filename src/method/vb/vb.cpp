// vb: spike-and-slab regression by variational Bayes with the whole covariance of the coefficients.
//
// Model      y ~ family(offset + b0 + X b), b_j ~ N(0, slab) or N(0, spike), each feature with an inclusion rate of its
// own Algorithm  vb_fit.cpp: coordinate ascent on the evidence lower bound, the spike narrowed in steps; pmf is the
//            same with independent coefficients and a point mass, ep matches moments instead
// Papers     Zhe, Naqvi, Yang & Qi (2013), Bioinformatics 29(16); Naqvi et al. (2016), IJCAI
#include <fmt/format.h>

#include "method/vb/vb_fit.hpp"
#include "problem/family_requirements.hpp"
#include "problem/null_fit.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

class FullVariationalBayes final : public Method {
 public:
  std::string_view name() const override { return "vb"; }
  std::string estimator() const override { return "FullVariationalBayes"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by variational Bayes with the full covariance of the coefficients";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }
  bool promises_monotone() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> FullVariationalBayes::fields() const {
  return {
      Field::real("prior_inclusion",
                  "prior mean of the inclusion rate of a feature; default: samples / (10 features), a quarter of it "
                  "for classes, at "
                  "most 0.25",
                  {}, 0, 1, /*open_minimum=*/true),
      Field::real("slab_variance",
                  "prior variance of an included coefficient, for standardized columns; default: learned", {}, 0, 1e300,
                  true),
      Field::real("spike_variance",
                  "prior variance of an excluded coefficient; default: 1e-4 of the slab variance at the start", {}, 0,
                  1e300, true),
      Field::real("noise_variance", "noise variance of family gaussian; default: learned", {}, 0, 1e300, true),
      Field::choice("start",
                    "best: the largest bound of several starts; annealed: even inclusion, the spike narrowed in steps",
                    {"best", "annealed"}, "best"),
      Field::real("tolerance",
                  "convergence tolerance: change of an inclusion probability or of a log hyperparameter in one round",
                  1e-4, 1e-12, 1e-1),
      Field::integer("rounds", "maximum number of rounds at each width of the spike", 1000.0, 1, 1e6),
  };
}

void check(const VariationalRequest& request, const Problem& problem) {
  if (request.noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(no_noise_message("noise_variance", problem.likelihood));
  }
  if (request.prior_inclusion && *request.prior_inclusion == 1) {
    throw InvalidOption("prior_inclusion: received 1; expected a number below 1, or every feature is included");
  }
  if (request.spike_variance && request.slab_variance && *request.spike_variance >= *request.slab_variance) {
    throw InvalidOption(fmt::format("spike_variance: received {:.3g}; expected less than slab_variance ({:.3g})",
                                    *request.spike_variance, *request.slab_variance));
  }
}

Fit FullVariationalBayes::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  VariationalRequest request{.prior_inclusion = options.maybe_real("prior_inclusion"),
                             .spike_variance = options.maybe_real("spike_variance"),
                             .slab_variance = options.maybe_real("slab_variance"),
                             .noise_variance = options.maybe_real("noise_variance"),
                             .annealed_only = options.text("start") == "annealed",
                             .tolerance = options.real("tolerance"),
                             .most_rounds = options.integer("rounds")};
  check(request, problem);
  const ScaledProblem scaled(problem);
  for (std::optional<double>* given : {&request.spike_variance, &request.slab_variance, &request.noise_variance}) {
    if (*given) **given /= scaled.unit() * scaled.unit();
  }
  return fit_variational(scaled, request, control.observer);
}

}  // namespace

const Method& vb() {
  static const FullVariationalBayes method;
  return method;
}

}  // namespace tamis
