// Covariance components of a prior, from a file of arrays.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/fit/components.hpp"

namespace tamis {

/// Components with the memory that they look at, which moves with them but cannot be copied.
struct ComponentFile {
  ComponentFile() = default;
  ComponentFile(ComponentFile&&) = default;
  ComponentFile& operator=(ComponentFile&&) = default;

  std::vector<Matrix> values;
  std::vector<CovarianceComponent> components;
};

/// Components for Problem::components: every array of an NPZ file, named as in it, or every .npy and .csv file of a
/// folder, named as the file without its extension; component_of() says of what kind each is. CSV files have a header;
/// a column `feature` in a factor names the rows, in any order, and features that are not listed have zeros. Throws
/// MissingFile, or InvalidInput with the name of the array and the reason.
ComponentFile read_components(const std::string& path, std::span<const std::string> features, Index rows);

}  // namespace tamis
