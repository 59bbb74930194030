// Comparison of methods by cross-validation on the same folds: each is fitted to the other rows and evaluated on the
// held-out fold.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tamis/fit/comparison.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// A method with the options that are not its defaults.
struct Contender {
  std::string method;
  std::map<std::string, OptionValue> options = {};
  std::span<const Index> groups = {};  ///< Problem::groups for this method
};

struct SuitableMethods {
  std::vector<std::string> methods;
  std::vector<LeftOut> left_out;
};
/// The methods that fit this family and, by their number of rows and features, in reasonable time.
SuitableMethods suitable_methods(const Problem& problem);

/// Fits every contender to all rows and then, fold by fold, to the other folds' rows: a copy of them, so nothing of a
/// held-out row can reach a fit. Folds are random by control.seed, stratified unless gaussian. A search inside a method
/// has control.folds folds of its own, made of the training rows. Features are kept by the rule of
/// select_by_threshold().
/// A method that cannot be fitted or evaluated is a row with its reason; an unknown method or option, one method twice,
/// fewer than two folds or data that no fold can be made of are refused before any work (InvalidOption, InvalidInput).
/// Once control.observer says cancelled, returns the results of the finished folds. Results but for `seconds` do not
/// depend on control.threads. control.validation, checkpoint and draws are refused: they belong to one fit.
Comparison compare(const Problem& problem, const std::vector<Contender>& contenders, int folds = 10,
                   const Control& control = {});

}  // namespace tamis
