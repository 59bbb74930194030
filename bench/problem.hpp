// One benchmark problem in memory, its copy on disk for the peers, and an independent judge of solutions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/designs.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"

namespace tamis::bench {

class Problem {
 public:
  /// Draws the training set of an experiments design.
  Problem(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters);

  const Design& X() const { return *X_; }
  std::span<const double> y() const { return y_; }
  const Family& family() const { return *family_; }
  const experiments::Truth& truth() const { return simulation_.truth; }
  /// Memory of X as it is stored.
  double bytes() const { return bytes_; }
  /// The dense numbers; an empty view for a sparse problem.
  ConstMatrixView dense() const { return dense_; }

  /// X.bin (column-major doubles) or starts.bin, indices.bin (int32) and values.bin; y.bin; shape.txt.
  void write(const std::filesystem::path& folder) const;

  /// Duality gap over the loss of the null model, for each penalty. Column k of `coefficients` holds the intercept
  /// and the p coefficients at penalty k, on the original scale. The penalty acts on standardized columns and the
  /// intercept is replaced by the best one for these coefficients, so that no solver pays for its rounding of it.
  std::vector<double> relative_gaps(std::span<const double> penalties, ConstMatrixView coefficients) const;

 private:
  std::unique_ptr<Design> X_;
  std::vector<double> y_;
  const Family* family_;
  double bytes_ = 0;
  experiments::Simulation simulation_;  // owns the numbers of a dense X
  ConstMatrixView dense_;
};

/// Draws a dense design and writes its training and test sets for the peers: X.bin, y.bin, test_X.bin, test_y.bin
/// (column-major doubles), truth.bin (coefficients), shape.txt (rows, columns, rows of the test set).
void write_sets(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters,
                const std::filesystem::path& folder);

void write_doubles(const std::filesystem::path& path, std::span<const double> values);
std::vector<double> read_doubles(const std::filesystem::path& path);

}  // namespace tamis::bench
