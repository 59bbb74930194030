// Credible sets as a block of a page.
#pragma once

#include "tamis/fit/fit.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

MemberGroups set_groups(const Fit& fit);

}  // namespace tamis
