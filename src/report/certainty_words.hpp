// How certain a selection is, in words that the terminal and pages share: credible sets, stand-ins, and what
// approximate inclusion probabilities are worth.
#pragma once

#include <string>
#include <vector>

#include "tamis/fit/fit.hpp"

namespace tamis {

bool is_approximate(const Fit& fit);

/// "inclusion", or "approx. inclusion" of an approximation.
std::string inclusion_title(const Fit& fit);

/// What approximate probabilities are worth, with a measured share of true features if some of this fit are correlated.
std::string approximate_words(const Fit& fit);

/// "One of these 8 features matters (probability 0.97); the data cannot tell which: they are correlated at 0.96."
std::string set_words(const CredibleSet& set, std::string_view single = "This feature");

/// "YXLD_at: YXLE_at (0.98) may stand in", one for each selected feature with alternatives; those that are in one
/// credible set with it are left out, for the set says it.
std::vector<std::string> alternative_words(const Fit& fit);

/// Members of a set with their inclusion, at most `most` by name: "rs1 (0.31), rs2 (0.24) and 6 others".
std::string member_words(const Fit& fit, const CredibleSet& set, Index most);

}  // namespace tamis
