// Tilted moments of a bernoulli row for expectation propagation: by quadrature, to machine precision.
#pragma once

#include "tamis/family/family.hpp"

namespace tamis {

const TiltedMoments& tilted_bernoulli();

}  // namespace tamis
