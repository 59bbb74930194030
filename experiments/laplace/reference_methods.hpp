// FLAS and the methods that it is compared with, each a function from a problem to a fit.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {

struct ReferenceMethod {
  std::string label;
  std::function<Fit(const Problem&, const Control&)> fit;
};

/// A method of the list with these options.
ReferenceMethod reference_method(std::string label, std::string method,
                                 std::map<std::string, OptionValue> options = {});
/// All at their defaults, or as the paper tunes them where there is no search: FLAS, FLAS*, ep, pmf (VB*), full
/// variational Bayes (VB), MM, ard, capped L1, elastic net, lasso.
std::vector<ReferenceMethod> reference_methods();
/// ep with its factorized posterior (EP-L), for problems that are too large for the joint one.
ReferenceMethod factorized_ep();
/// Root mean squared error of a gaussian fit, or the misclassification rate.
double test_error(const Fit& fit, const Design& X, std::span<const double> y);

}  // namespace tamis::experiments::laplace
