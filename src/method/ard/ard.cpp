// ard: automatic relevance determination, also known as sparse Bayesian learning.
//
// Model      every coefficient, or group of them, has its own prior variance: b_j ~ N(0, gamma_j)
// Algorithm  the evidence decides which variances are zero: minimize log|Sigma| + y'Sigma^-1 y, Eq. 2, where
//            Sigma = noise I + X Gamma X', by reweighted L1 unless another algorithm is asked for (algorithms.hpp).
//            gaussian: gaussian_search.cpp; with covariance components: component_fit.cpp; otherwise by iterations of a
//            quadratic bound: bernoulli_search.cpp
// Paper      Wipf & Nagarajan, "A new view of automatic relevance determination", NIPS 2007
#include "method/ard/ard_search.hpp"
#include "problem/family_requirements.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class AutomaticRelevance final : public Method {
 public:
  std::string_view name() const override { return "ard"; }
  std::string estimator() const override { return "ARD"; }
  std::string_view summary() const override {
    return "Automatic relevance determination (sparse Bayesian learning) by reweighted L1 minimization";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override { return lacks_bound(family); }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }
  bool promises_monotone() const override { return true; }
  bool uses_groups() const override { return true; }
  bool takes_several_targets() const override { return true; }
  bool uses_components() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> AutomaticRelevance::fields() const { return ard_fields(); }

Fit AutomaticRelevance::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const ArdOptions read(options);
  read.check(problem);
  if (!problem.components.empty()) return fit_components(problem, read, control);
  return problem.likelihood.is_quadratic() ? fit_gaussian_relevance(problem, read, control)
                                           : fit_bernoulli_relevance(problem, read, control);
}

}  // namespace

const Method& ard() {
  static const AutomaticRelevance method;
  return method;
}

}  // namespace tamis
