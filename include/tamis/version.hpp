#pragma once

namespace tamis {

inline constexpr const char* version = "0.1.0";

}  // namespace tamis
