// Exceptions of the library. Every message is one sentence for the user: where, received, expected, remedy. Numerical
// failures are never thrown: see Fit::status.
#pragma once

#include <stdexcept>
#include <string>

namespace tamis {

/// Base class of all exceptions thrown by tamis.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Invalid data: a corrupt file, a response that the family does not allow, a NaN. (CLI: exit 65)
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// An invalid request: an unknown method or option, a value out of range. (CLI: exit 64)
class InvalidOption : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// A file that does not exist or cannot be opened. (CLI: exit 66)
class MissingFile : public Error {
 public:
  using Error::Error;
};

/// A result that cannot be written. (CLI: exit 74)
class OutputError : public Error {
 public:
  using Error::Error;
};

}  // namespace tamis
