// Small tables for the tests of factor models.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/base/random.hpp"
#include "tamis/factor/factor.hpp"
#include "unit/factor/waiting_times.hpp"

namespace tamis {

inline constexpr double hole = std::numeric_limits<double>::quiet_NaN();

/// A table from its rows.
inline Matrix table(const std::vector<std::vector<double>>& rows) {
  Matrix out(std::ssize(rows), static_cast<Index>(rows.at(0).size()));
  for (Index n = 0; n < out.rows(); ++n) {
    for (Index d = 0; d < out.cols(); ++d) out(n, d) = rows[n][d];
  }
  return out;
}

/// Rows made of two factors, one on the first half of the columns and one on the second, with noise; values that fit
/// the family. About a tenth of the cells is missing.
inline Matrix two_factor_table(const std::string& family, Index rows, Index cols, std::uint64_t seed) {
  Matrix out(rows, cols);
  RandomStream random(seed);
  for (Index n = 0; n < rows; ++n) {
    const double left = random.uniform01() < 0.5 ? 1.5 : 0, right = random.uniform01() < 0.5 ? -1.5 : 0;
    for (Index d = 0; d < cols; ++d) {
      const double psi = d < cols / 2 ? left : right;
      if (family == "gaussian") {
        out(n, d) = 3 + psi + 0.3 * random.normal();
      } else if (family == "bernoulli") {
        out(n, d) = random.uniform01() < 1 / (1 + std::exp(-2 * psi)) ? 1 : 0;
      } else if (family == "poisson") {
        out(n, d) = std::floor(std::exp(psi) + random.uniform01());
      } else {
        out(n, d) = tamis::family(family).draw(psi, 1, random);
      }
      if (random.uniform01() < 0.1) out(n, d) = hole;
    }
  }
  return out;
}

/// Options that make a fit short, for the prior of that name.
inline std::map<std::string, OptionValue> short_run(std::string_view prior) {
  static const std::map<std::string, OptionValue> known = {
      {"iterations", 20.0}, {"path_length", 3.0}, {"chains", 2.0}, {"samples", 20.0}, {"burn_in", 10.0}};
  std::map<std::string, OptionValue> options;
  for (const Field& field : factor_prior(prior).fields()) {
    if (const auto found = known.find(field.name); found != known.end()) options.insert(*found);
  }
  return options;
}

}  // namespace tamis
