// Numerical breakdown that the algorithm cannot continue from: a matrix that is no longer positive definite,
// eigenvalues that do not converge. Thrown inside the library only: Method::fit turns it into Status::numerical_failure
// with this sentence.
#pragma once

#include <stdexcept>

namespace tamis {

class NumericalFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tamis
