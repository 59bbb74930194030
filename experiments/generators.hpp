// What the designs are made of: their parameters as used, named random streams, and the kinds of columns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/designs.hpp"
#include "tamis/base/random.hpp"

namespace tamis::experiments {

/// The values of a design's parameters: complete and checked.
class Parameters {
 public:
  explicit Parameters(std::map<std::string, double> values) : values_(std::move(values)) {}
  double real(std::string_view name) const { return values_.at(std::string(name)); }
  Index whole(std::string_view name) const { return static_cast<Index>(real(name)); }

 private:
  std::map<std::string, double> values_;
};

/// A design as the list of them has it: what is told and how it is drawn (sets, truth and extra are filled in).
struct DesignEntry {
  SimulationDesign description;
  void (*draw)(const Parameters& parameters, Simulation& out);
};

// One list for each paper; a new design is a line there.
std::vector<DesignEntry> garrote_designs();
DesignEntry genotype_design();  ///< one of them, in a file of its own
std::vector<DesignEntry> masking_designs();
std::vector<DesignEntry> laplace_designs();
std::vector<DesignEntry> laplace_table_designs();
std::vector<DesignEntry> relevance_designs();
std::vector<DesignEntry> factor_designs();
std::vector<DesignEntry> benchmark_designs();

// Parameters that many designs share.
/// n, validation and test.
std::vector<DesignParameter> sizes(double n, double validation, double test);
DesignParameter features(double fallback, double minimum = 1);
DesignParameter noise_variance(double fallback);
DesignParameter correlation(std::string meaning, double fallback);
DesignParameter active(double fallback);
/// One list after the other.
std::vector<DesignParameter> join(std::vector<DesignParameter> first, const std::vector<DesignParameter>& second);

/// Which set, and what in it, a stream of random numbers is for: streams never meet.
enum class Part : std::uint64_t { train = 0, validation = 1, test = 2, truth = 3 };
enum class Purpose : std::uint64_t { values = 0, noise = 1, blocks = 2, places = 3, signs = 4, sizes = 5 };
RandomStream stream(std::uint64_t seed, Part part, Purpose purpose, Index item = 0);

/// Independent standard normals.
Matrix normal_columns(Index n, Index p, std::uint64_t seed, Part part);
/// Standard normals with correlation decay^|i - j| between columns i and j.
Matrix autoregressive_columns(Index n, Index p, double decay, std::uint64_t seed, Part part);
/// Standard normals, correlated within blocks of `block` columns and independent between them.
Matrix block_columns(Index n, Index p, Index block, double within, std::uint64_t seed, Part part);
/// Uniform on [0, 1).
Matrix uniform_columns(Index n, Index p, std::uint64_t seed, Part part);

/// `count` different features, or all if there are not so many, in rising order.
std::vector<Index> random_places(const Simulation& out, Index p, Index count);
/// Coefficients of one response as the truth holds them, with their support.
void set_coefficients(Simulation& out, std::vector<double> coefficients);
/// X B for the coefficients of the truth.
Matrix predictor(const SimulatedSet& set, const Truth& truth);
/// Each set that has its X gets y = X B + noise of the truth's variance.
void add_gaussian_responses(Simulation& out);
/// Each set that has its X gets y, 1 with probability logistic(X b).
void add_bernoulli_responses(Simulation& out);

/// Fills X of the three sets with columns(rows, part).
template <class Columns>
void draw_columns(Simulation& out, Index n, Index validation, Index test, const Columns& columns) {
  out.train.X = columns(n, Part::train);
  out.validation.X = columns(validation, Part::validation);
  out.test.X = columns(test, Part::test);
}

/// The same with the sizes of the parameters n, validation and test.
template <class Columns>
void draw_columns(Simulation& out, const Parameters& parameters, const Columns& columns) {
  draw_columns(out, parameters.whole("n"), parameters.whole("validation"), parameters.whole("test"), columns);
}

}  // namespace tamis::experiments
