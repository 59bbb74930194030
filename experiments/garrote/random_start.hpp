// The mean fields of vg and pmf with all hyperparameters fixed, from any start: which of its local optima a method
// ends in is what Table 4 and Figure 7 of Kappen & Gomez (2014) examine.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis {
class MeanFieldPathBase;
}

namespace tamis::experiments::garrote {

enum class FieldKind {
  garrote,  ///< Eqs. 8 and 9 in turn, all features at once
  paired,   ///< one feature after the other, inclusion and weight together
};

struct FieldSolution {
  std::vector<double> inclusion;
  std::vector<double> weights;
  std::vector<double> coefficients;  ///< inclusion times weight
  double bound = 0;                  ///< on the log evidence (paired), or minus the free energy (garrote)
  bool converged = false;
};

class FixedField {
 public:
  /// Columns of X have mean 0 and unit standard deviation, y has mean 0; both must outlive the field.
  FixedField(FieldKind kind, const Matrix& X, std::span<const double> y, double noise_variance, double slab_variance);
  ~FixedField();
  FixedField(const FixedField&) = delete;
  FixedField& operator=(const FixedField&) = delete;

  /// From these inclusion probabilities, and weights that one pass over the features finds with them.
  FieldSolution solve_from(std::span<const double> inclusion, double prior_inclusion);
  /// On from an earlier solution, with another prior.
  FieldSolution continue_from(const FieldSolution& start, double prior_inclusion);

 private:
  FieldSolution run(std::span<const double> inclusion, std::span<const double> weights, double prior_inclusion);

  FieldKind kind_;
  const Matrix& matrix_;
  DenseDesign X_;
  std::span<const double> y_;
  double noise_variance_;
  double slab_variance_;
  std::vector<double> curvature_;
  std::unique_ptr<MeanFieldPathBase> field_;
};

}  // namespace tamis::experiments::garrote
