// Data of ard with covariance components: every component as a matrix on the rows of the response, where
//   Sigma = noise I + sum_i x_i K_i,   K_i = T_i T_i',   T_i = W^(1/2) (X L_i less its mean) scaled so that tr K_i is
//   the
// number of degrees of freedom. So x_i is the average variance that component i gives to a row, comparable to the noise
// whatever the units of X and of the component. Rows live in the smaller of two spaces: the n rows themselves, or the
// range of all T_i, whose complement holds noise alone.
#pragma once

#include <span>
#include <vector>

#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class ComponentData {
 public:
  struct Component {
    Index source = 0;           ///< position in Problem::components; -1 - j: feature j, a component of its own
    Index first = 0, rank = 0;  ///< columns of factors(); none of a kernel of the rows
    double multiplier = 0;      ///< T_i is made from this times L_i
    double unit = 0;  ///< gamma on the original scale is x_i times this times the square of the response's unit
    double effective_rank = 1;  ///< (sum of the eigenvalues)^2 / sum of their squares, of K_i
    Matrix kernel;              ///< K_i itself, where that is the smaller of the two forms
    bool plays = true;          ///< false: it does not vary over the rows
    bool is_dense() const { return kernel.rows() > 0; }
  };

  /// `Y`: the targets, scaled, rows x targets. `precisions`: of the rows. Throws InvalidInput if products overflow.
  ComponentData(const Problem& problem, const Standardization& scale, std::vector<double> precisions, Matrix Y);

  Index size() const { return std::ssize(components_); }
  const Component& operator[](Index i) const { return components_[i]; }
  /// Columns of component i in factors().
  ConstMatrixView factor(Index i) const {
    return {factors_.col(components_[i].first), factors_.rows(), components_[i].rank};
  }
  const Matrix& factors() const { return factors_; }
  const Matrix& response() const { return Y_; }
  Index targets() const { return Y_.cols(); }
  /// Dimension of the space of the rows here.
  Index rows() const { return Y_.rows(); }
  /// Dimensions of the response outside that space, -1 if it contains the intercept's, and its squares there.
  double outside() const { return degrees_of_freedom_ - static_cast<double>(rows()); }
  double outside_square() const { return outside_square_; }
  double degrees_of_freedom() const { return degrees_of_freedom_; }
  /// Of the response, per degree of freedom and target.
  double mean_square() const;
  /// Means of the targets over the rows, which were subtracted; zeros without an intercept.
  std::span<const double> target_means() const { return target_means_; }
  /// Square roots of the precisions.
  std::span<const double> roots() const { return roots_; }
  /// Columns of all factors, and rows of all kernels of rows.
  Index rank(Index i) const { return components_[i].rank > 0 ? components_[i].rank : components_[i].kernel.rows(); }
  /// More columns than half of the degrees of freedom: least squares on them says nothing of the noise.
  bool is_large(Index i) const { return 2 * static_cast<double>(rank(i)) > degrees_of_freedom_; }

 private:
  void list_components(const Problem& problem, const Standardization& scale);
  void fill_factor(const Problem& problem, const Standardization& scale, Component& component);
  void fill_kernel(ConstMatrixView values, Component& component);
  double weighted_trace(const Matrix& K) const;
  void normalize(const Problem& problem);
  void whiten(MatrixView V, std::span<double> means = {}) const;

  std::vector<Component> components_;
  Matrix factors_, Y_;
  std::vector<double> roots_, target_means_;
  double total_ = 0, degrees_of_freedom_ = 0, outside_square_ = 0;
  bool intercept_;
};

}  // namespace tamis
