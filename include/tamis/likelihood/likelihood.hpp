// The former place of tamis/family/family.hpp, kept for one release.
#pragma once

#include "tamis/family/family.hpp"
