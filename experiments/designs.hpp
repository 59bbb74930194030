// The synthetic data of the five papers that tamis stands on, and the benchmark problems: seeded, and the same
// numbers whatever the number of threads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/design/design.hpp"

namespace tamis::experiments {

/// A number that a design lets the caller change.
struct DesignParameter {
  std::string name;     ///< "n", "p", "noise", ...
  std::string meaning;  ///< a clause for people, no full stop
  double fallback = 0;  ///< the paper's value
  double minimum = 0;
  double maximum = 0;
  bool whole = false;  ///< only integers
};

struct SimulationDesign {
  std::string name;     ///< "vg.example1"
  std::string summary;  ///< one line for lists
  std::string paper;    ///< where it comes from: authors, year, table or figure
  std::string family;   ///< "gaussian", "bernoulli", "poisson"
  std::vector<DesignParameter> parameters;
};

/// One of the sets; without rows if the design has none of that kind.
struct SimulatedSet {
  Matrix X;                             ///< dense designs; otherwise 0 x 0
  std::optional<SparseColumns> sparse;  ///< sparse designs
  /// n x responses: one column for most designs, none for factor models (their data are X)
  Matrix y;

  Index rows() const { return sparse ? sparse->rows : X.rows(); }
  Index cols() const { return sparse ? sparse->cols : X.cols(); }
  bool empty() const { return rows() == 0; }
};

/// What made the data.
struct Truth {
  Matrix coefficients;  ///< p x responses; none for factor models
  double intercept = 0;
  double noise_variance = 0;   ///< of a gaussian response, 0: noiseless
  std::vector<Index> support;  ///< features with a nonzero coefficient (rows of `coefficients`), rising
  /// Factor models: the data's noiseless predictor and its parts; X = Expon(predictor).
  Matrix scores;                         ///< n x k
  Matrix loadings;                       ///< k x d
  std::vector<double> factor_intercept;  ///< d of them, or none
  std::map<std::string, double> extra;   ///< whatever else the paper fixes: correlation, spread, ...
};

struct Simulation {
  std::string design;
  std::string paper;
  std::string family;
  std::uint64_t seed = 0;
  std::map<std::string, double> parameters;  ///< all of them, as used
  std::vector<std::string> feature_names;    ///< x1, x2, ...
  std::vector<std::string> response_names;   ///< y, or y1, y2, ...; none for factor models
  SimulatedSet train;
  SimulatedSet validation;
  SimulatedSet test;
  Truth truth;
};

/// All of them, in the order of lists.
std::vector<SimulationDesign> simulation_designs();
/// Draws from the design of that name. `parameters` replace the paper's values; an unknown name (of a design or
/// a parameter) or a value out of range throws InvalidOption with what is allowed. Call inside with_threads() to
/// limit the threads; the numbers do not depend on them.
Simulation simulate(std::string_view design, std::uint64_t seed, const std::map<std::string, double>& parameters = {});
/// The truth and the settings as JSON text (schema "tamis.truth/1"), for PREFIX.truth.json.
std::string truth_json(const Simulation& simulation);

}  // namespace tamis::experiments
