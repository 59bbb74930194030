#include "tamis/fit/components.hpp"

#include <fmt/format.h>

#include "tamis/base/error.hpp"

namespace tamis {

CovarianceComponent component_of(std::string_view name, ConstMatrixView values, Index features, Index rows) {
  constexpr std::string_view of_features = "features:", of_rows = "rows:";
  const bool factor = values.rows == features, kernel = values.rows == rows && values.cols == rows;
  CovarianceComponent component{.name = {}, .of_rows = kernel, .values = values};
  if (name.starts_with(of_features) || name.starts_with(of_rows)) {
    component.of_rows = name.starts_with(of_rows);
    name.remove_prefix(component.of_rows ? of_rows.size() : of_features.size());
  } else if (factor && kernel) {
    throw InvalidInput(fmt::format(
        "component {0} of shape {1} x {2} could be a factor of the features or a kernel of the rows; name it "
        "features:{0} or rows:{0}",
        name, values.rows, values.cols));
  }
  if (!(component.of_rows ? kernel : factor)) {
    throw InvalidInput(
        fmt::format("component {} has shape {} x {}; expected {} rows, one per feature, or a kernel of the rows of "
                    "shape {} x {}",
                    name, values.rows, values.cols, features, rows, rows));
  }
  if (name.empty()) throw InvalidInput("components: received a component without a name");
  component.name = name;
  return component;
}

}  // namespace tamis
