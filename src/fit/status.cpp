// Names of fit statuses and of kinds of inclusion, as they appear in model files and messages: the only list of them.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

constexpr std::array<std::pair<Status, std::string_view>, 5> names{{{Status::converged, "converged"},
                                                                    {Status::iteration_limit, "iteration_limit"},
                                                                    {Status::stalled, "stalled"},
                                                                    {Status::numerical_failure, "numerical_failure"},
                                                                    {Status::cancelled, "cancelled"}}};

constexpr std::array<std::pair<InclusionKind, std::string_view>, 4> kinds{{{InclusionKind::none, "none"},
                                                                           {InclusionKind::posterior, "posterior"},
                                                                           {InclusionKind::approximate, "approximate"},
                                                                           {InclusionKind::unknown, "unknown"}}};

}  // namespace

std::string_view name_of(Status status) {
  for (const auto& [value, name] : names) {
    if (value == status) return name;
  }
  throw InvalidInput(
      fmt::format("status: received {}; expected one of the {} known values", static_cast<int>(status), names.size()));
}

Status status_of(std::string_view name) {
  for (const auto& [value, known] : names) {
    if (known == name) return value;
  }
  throw InvalidInput(
      fmt::format("status: received '{}'; expected converged, iteration_limit, stalled, numerical_failure or cancelled",
                  name.substr(0, 60)));
}

std::string_view name_of(InclusionKind kind) {
  for (const auto& [value, name] : kinds) {
    if (value == kind) return name;
  }
  throw InvalidInput(fmt::format("inclusion_kind: received {}; expected one of the {} known values",
                                 static_cast<int>(kind), kinds.size()));
}

InclusionKind inclusion_kind_of(std::string_view name) {
  for (const auto& [value, known] : kinds) {
    if (known == name) return value;
  }
  throw InvalidInput(fmt::format("inclusion_kind: received '{}'; expected none, posterior, approximate or unknown",
                                 name.substr(0, 60)));
}

}  // namespace tamis
