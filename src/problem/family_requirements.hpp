// What more than one method needs of a family, in the words of Method::lacks().
#pragma once

#include <string>

#include "tamis/family/family.hpp"

namespace tamis {

/// Of methods that see any response as weighted gaussian data and guarantee a monotone objective.
inline std::string lacks_bound(const Family& family) {
  return family.quadratic_is_bound() ? "" : "a quadratic lower bound of its log density";
}

}  // namespace tamis
