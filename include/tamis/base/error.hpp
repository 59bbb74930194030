// What the library throws. Every message is one sentence for the person at the keyboard: where, what was
// received, what was expected, and what to do about it. Trouble of arithmetic is never thrown: see Fit::status.
#pragma once

#include <stdexcept>
#include <string>

namespace tamis {

/// Root of everything that tamis throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake in data: a broken file, a response that the family does not allow, a NaN. (CLI: exit 65)
class InvalidInput : public Error {
 public:
  using Error::Error;
};

/// The caller's mistake in a request: an unknown method or option, a value out of range. (CLI: exit 64)
class InvalidOption : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// A file that is not there or cannot be opened. (CLI: exit 66)
class MissingFile : public Error {
 public:
  using Error::Error;
};

/// A result that could not be written. (CLI: exit 74)
class OutputError : public Error {
 public:
  using Error::Error;
};

}  // namespace tamis
