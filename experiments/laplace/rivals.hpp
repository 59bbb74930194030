// FLAS and its rivals, each a function from a problem to a fit, for figures and tables that show them side by side.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis::experiments::laplace {

struct Rival {
  std::string label;
  std::function<Fit(const Problem&, const Control&)> fit;
};

/// A method of the list with these options.
Rival rival(std::string label, std::string method, std::map<std::string, OptionValue> options = {});
/// All at their defaults, or as the paper tunes them where there is no search: FLAS, FLAS*, ep, pmf (VB*), full
/// variational Bayes (VB), MM, ard, capped L1, elastic net, lasso.
std::vector<Rival> rivals();
/// ep with its factorized posterior (EP-L), for problems that are too large for the other.
Rival factorized_ep();
/// Root mean squared error of a gaussian fit, or the share of wrong classes.
double test_error(const Fit& fit, const Design& X, std::span<const double> y);

}  // namespace tamis::experiments::laplace
