// Every kind of Design that the contract tests try. A new kind is one line in design_kinds.cpp, or a file of another
// folder that calls add_design_kind().
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis::contract {

/// A Design with everything that it stands on, and the dense matrix that it must equal entry by entry.
struct DesignCase {
  std::vector<std::shared_ptr<const void>> memory;
  std::vector<std::shared_ptr<const Design>> chain;  // inner ones first
  Matrix twin;

  const Design& X() const { return *chain.back(); }
};

struct DesignKind {
  std::string name;
  std::function<DesignCase(const Matrix&)> make;
};

const std::deque<DesignKind>& design_kinds();
/// Adds a kind before the tests are listed: from the initializer of a namespace-scope object.
const DesignKind& add_design_kind(DesignKind kind);

/// The numbers that kinds are made of: some zeros, column 1 constant, column 2 zero (where there are so many).
Matrix example_matrix(Index rows, Index cols);

inline std::ostream& operator<<(std::ostream& out, const DesignKind& kind) { return out << kind.name; }

}  // namespace tamis::contract
