// The data of a factor model as its algorithms read them: by row and by column, on the working scale, with the missing
// cells listed. Dense data are kept row by row; sparse data by their stored entries, both ways.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/family/family.hpp"

namespace tamis::factor {

/// Positions in compressed rows: those of row i are places[starts[i] .. starts[i + 1]), rising.
struct CompressedPlaces {
  std::vector<Index> starts;
  std::vector<std::int32_t> places;
  std::span<const std::int32_t> of(Index i) const {
    const Index k = i;
    return span_of(places.data() + starts[k], starts[k + 1] - starts[k]);
  }
};

/// A cell to predict, hidden from the fit. `value` is its true value on the working scale, NaN if it is missing.
struct TargetCell {
  std::int32_t row = 0;
  std::int32_t column = 0;
  double value = 0;
  bool test() const { return !std::isnan(value); }
};
/// Shared by all tallies.
using TargetList = std::shared_ptr<const std::vector<TargetCell>>;

class Cells {
 public:
  /// Checks the values of every cell (InvalidInput names the first bad one) and hides the test cells.
  explicit Cells(const FactorProblem& problem);

  /// Makes the table anew, in its own memory, as it is without these cells: they are scored in place of the test cells,
  /// which stay hidden. For searches, which would need a second table otherwise.
  void with_validation_cells(const FactorProblem& problem, std::span<const TestCell> validation_cells);
  /// As it was made.
  void restore(const FactorProblem& problem) { make(problem, nullptr); }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index observed() const { return observed_; }
  /// With its predictors limited, if it needs that: until the next with_validation_cells() or restore().
  const Family& family() const { return limited_ ? *limited_ : family_; }
  bool is_sparse() const { return !dense_rows_; }
  /// Row n, 0 where it is missing: the memory itself for dense data, else written into `scratch` (cols() entries).
  const double* row(Index n, double* scratch) const;
  /// Column d into `out` (rows() entries), 0 where it is missing.
  void column(Index d, double* out) const;
  std::span<const std::int32_t> missing_in_row(Index n) const { return missing_by_row_.of(n); }
  std::span<const std::int32_t> missing_in_column(Index d) const { return missing_by_column_.of(d); }
  /// Sum of x over the observed cells of a column, and how many they are.
  double column_sum(Index d) const;
  Index observed_in_column(Index d) const { return rows_ - std::ssize(missing_in_column(d)); }

  /// value = center + scale * working value; 0 and 1 unless the family has noise.
  double center(Index d) const { return center_[d]; }
  double scale(Index d) const { return scale_[d]; }
  /// At least 0, and not of hidden cells.
  double largest() const { return largest_; }

  /// The hidden test cells, and if `all` also the cells that are missing in the data; by row, then column.
  TargetList targets(bool all) const;

 private:
  struct Entries {
    std::vector<Index> starts;
    std::vector<std::int32_t> places;
    std::vector<double> values;
  };
  void take_dense(const FactorProblem& problem);
  void take_sparse(const SparseColumns& sparse);
  void make(const FactorProblem& problem, const std::span<const TestCell>* validation_cells);
  void hide(const FactorProblem& problem, std::span<const TestCell> cells, bool scored);
  void sort_tests(const FactorProblem& problem);
  void list_missing();
  void check_values(const FactorProblem& problem) const;
  void standardize(const FactorProblem& problem);
  template <class Visit>
  void visit_observed(const Visit& visit) const;

  Index rows_ = 0;
  Index cols_ = 0;
  Index observed_ = 0;
  const Family& family_;
  std::unique_ptr<const Family> limited_;
  bool dense_rows_ = true;
  std::vector<double> dense_;  // row by row
  Entries by_row_, by_column_;
  struct Hole {
    std::int32_t row, column;
  };
  std::vector<Hole> holes_;  // while building
  CompressedPlaces missing_by_row_, missing_by_column_;
  std::shared_ptr<std::vector<TargetCell>> tests_ = std::make_shared<std::vector<TargetCell>>();
  std::vector<double> center_, scale_;
  double largest_ = 0;
};

}  // namespace tamis::factor
