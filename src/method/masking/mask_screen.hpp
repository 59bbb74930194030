// Which features Bayesian Masking may see when there are too many for its rows. With about as many weights as rows the
// noise collapses and G likes anything (45-63 features kept for 5 true ones), so the lasso chooses, and says how large
// the noise is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "method/masking/mask_problem.hpp"

namespace tamis {

struct Screened {
  std::vector<Index> columns;            ///< in rising order
  std::optional<double> noise_variance;  ///< to be held, in original units; not given: to be learned
  std::string description;               ///< for the message; "" if nothing was screened
  bool cancelled = false;
};

/// All columns that vary if there are few enough, else those that the lasso keeps by the one-standard-error rule (of
/// 1000 features with 5 true ones on 300 rows bm then keeps 6.5; by the least error 23), the strongest if still too
/// many.
Screened screen_features(const MaskProblem& data, const Control& control);

}  // namespace tamis
