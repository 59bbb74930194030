#include "report/set_groups.hpp"

#include "report/certainty_words.hpp"
#include "report/phrases.hpp"

namespace tamis {

MemberGroups set_groups(const Fit& fit) {
  MemberGroups block{.caption =
                         "At least one feature of each set is in the model. Segments are as wide as the inclusion "
                         "probability of a feature, and paler the less it is correlated (r, absolute) with the first."};
  for (const CredibleSet& set : fit.credible_sets) {
    MemberGroup group{.words = set_words(set), .shares = set.inclusion, .closeness = set.correlation};
    for (const Index j : set.features) group.names.push_back(fit.features[j]);
    block.groups.push_back(std::move(group));
  }
  return block;
}

}  // namespace tamis
