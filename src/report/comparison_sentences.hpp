// Sentences about a Comparison, the same in every view of it.
#pragma once

#include <string>
#include <vector>

#include "tamis/fit/comparison.hpp"

namespace tamis {

/// "442 rows x 10 features, target progression (gaussian), 10 folds": what was compared on what.
std::string comparison_headline(const Comparison& comparison);

/// "RMSE", "misclassification rate", "deviance"
std::string error_words(const Comparison& comparison);

/// "root mean squared error on held-out rows"
std::string error_meaning(const Comparison& comparison);

/// One finding in plain text; names from files are as they are.
struct Finding {
  std::string words;
  bool is_caution = false;
};
/// Which method predicts best and which are not clearly worse, whether features help at all, what failed or did not
/// converge, which methods were skipped and why, whether it was cancelled.
std::vector<Finding> comparison_findings(const Comparison& comparison);

}  // namespace tamis
