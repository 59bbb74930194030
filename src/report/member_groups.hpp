// Groups of members as HTML.
#pragma once

#include <string>

#include "tamis/report/page.hpp"

namespace tamis {

/// Throws InvalidInput if the lists of a group differ in length.
std::string member_groups_html(const MemberGroups& groups);

}  // namespace tamis
