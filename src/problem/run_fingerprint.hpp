// Names a run, so that a checkpoint is not continued with other data, options or seed.
#pragma once

#include <cstdint>

#include "tamis/method/method.hpp"

namespace tamis {

/// Of the numbers of X, response, weights and offset, of the options and the seed. Reads X once.
std::uint64_t run_fingerprint(const Method& method, const Problem& problem, const Options& options,
                              const Control& control);

}  // namespace tamis
