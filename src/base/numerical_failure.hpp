// Arithmetic that gave out where the algorithm has no way on: a matrix that no longer factors, eigenvalues that do not
// come. Thrown inside the library only: Method::fit turns it into Status::numerical_failure with this sentence.
#pragma once

#include <stdexcept>

namespace tamis {

class ArithmeticFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tamis
