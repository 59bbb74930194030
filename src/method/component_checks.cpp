#include "method/component_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "linalg/symmetric.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// Of the largest entry, and of the trace: what computing a kernel may leave.
constexpr double asymmetry = 1e-8, indefiniteness = 1e-8;
constexpr double most = 1e100;  // variances are in units of the inverse square

[[noreturn]] void refuse(const CovarianceComponent& component, const std::string& why) {
  throw InvalidInput(fmt::format("component {}: {}", component.name, why));
}

void check_shape(const CovarianceComponent& component, const Problem& problem) {
  const Index n = problem.X.rows(), p = problem.X.cols();
  const Index rows = component.values.rows, cols = component.values.cols;
  if (component.of_rows && (rows != n || cols != n)) {
    refuse(component,
           fmt::format("received a kernel of shape {} x {}; expected {} x {}, one row and column per row of X", rows,
                       cols, n, n));
  }
  if (!component.of_rows && (rows != p || cols == 0)) {
    refuse(component, fmt::format("received a factor of shape {} x {}; expected {} rows, one per feature, and at least "
                                  "one column",
                                  rows, cols, p));
  }
}

// The largest entry, in absolute value.
double check_numbers(const CovarianceComponent& component) {
  double largest = 0;
  for (Index b = 0; b < component.values.cols; ++b) {
    for (Index a = 0; a < component.values.rows; ++a) {
      const double value = component.values(a, b);
      if (!std::isfinite(value)) {
        refuse(component, fmt::format("row {}, column {} is {}; expected a finite number", a + 1, b + 1,
                                      std::isnan(value) ? "NaN" : "infinite"));
      }
      largest = std::max(largest, std::abs(value));
    }
  }
  if (largest == 0) refuse(component, "all its numbers are zero; leave it out");
  if (largest > most || largest < 1 / most) {
    refuse(component, fmt::format("its largest number is {:g}; expected a value from {:g} to {:g}: multiply all its "
                                  "numbers by a common factor",
                                  largest, 1 / most, most));
  }
  return largest;
}

void check_kernel(const CovarianceComponent& component, double largest) {
  const ConstMatrixView& K = component.values;
  Matrix shifted(K.rows, K.cols);
  double trace = 0;
  for (Index b = 0; b < K.cols; ++b) {
    for (Index a = b; a < K.rows; ++a) {
      if (std::abs(K(a, b) - K(b, a)) > asymmetry * largest) {
        refuse(component,
               fmt::format("the kernel is not symmetric: row {}, column {} is {:g}, and row {}, column {} is "
                           "{:g}",
                           a + 1, b + 1, K(a, b), b + 1, a + 1, K(b, a)));
      }
      shifted(a, b) = K(a, b) / largest;
    }
    trace += std::abs(shifted(b, b));
  }
  Matrix unshifted = shifted;
  for (Index k = 0; k < K.rows; ++k) shifted(k, k) += indefiniteness * trace;
  if (cholesky(shifted)) return;
  refuse(component,
         fmt::format("the kernel is not positive semidefinite: its smallest eigenvalue is {:.3g}; expected a "
                     "covariance, all of whose eigenvalues are nonnegative",
                     largest * symmetric_eigen(unshifted).front()));
}

}  // namespace

void check_components(const Method& method, const Problem& problem) {
  if (problem.components.empty()) return;
  if (!method.uses_components()) {
    throw InvalidOption(
        fmt::format("components: method {} does not support covariance components; use method ard", method.name()));
  }
  std::set<std::string> names;
  for (const CovarianceComponent& component : problem.components) {
    if (component.name.empty()) throw InvalidInput("components: received a component without a name");
    if (!names.insert(component.name).second) {
      throw InvalidInput(fmt::format("components: the name {} occurs twice; expected unique names", component.name));
    }
    check_shape(component, problem);
    const double largest = check_numbers(component);
    if (component.of_rows) check_kernel(component, largest);
  }
}

}  // namespace tamis
