#include "base/check.hpp"
#include "method/ard/algorithms.hpp"

namespace tamis {

RelevanceRun run_algorithm(std::string_view name, Relevance& model, const RelevanceRequest& request,
                           const RelevanceWatch& on_iteration) {
  if (name == "reweighted-l1") return reweighted_l1(model, request, on_iteration);
  if (name == "reweighted-l2") return fixed_point(model, FixedPointRule::reweighted_l2, request, on_iteration);
  if (name == "em") return fixed_point(model, FixedPointRule::em, request, on_iteration);
  if (name == "mackay") return fixed_point(model, FixedPointRule::mackay, request, on_iteration);
  check(name == "sequential", "ard: unknown algorithm");
  return sequential(model, request, on_iteration);
}

}  // namespace tamis
