#include "method/ard/ard.hpp"

#include "method/ard/ard_search.hpp"

namespace tamis {

std::vector<Field> AutomaticRelevance::fields() const { return ard_fields(); }

Fit AutomaticRelevance::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const ArdOptions read(options);
  read.check(problem);
  return problem.likelihood.is_quadratic() ? fit_gaussian_relevance(problem, read, control)
                                           : fit_bernoulli_relevance(problem, read, control);
}

}  // namespace tamis
