// Names of fit statuses, as they appear in model files and messages: the only list of them.
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

}  // namespace tamis
