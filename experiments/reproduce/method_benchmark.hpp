// Several methods on the same drawn data, each as a paper used it, and how good their answers are.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/designs.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis::experiments {

/// A method with the options and the data that it gets.
struct Contender {
  std::string label;  ///< in tables
  std::string method;
  std::map<std::string, OptionValue> options = {};
  /// False: fits the training rows and chooses on the validation rows. True: fits both together and chooses by itself.
  bool merges_validation = false;
};

/// One replicate of a simulated design (dense, one gaussian response), and the methods on it.
class MethodBenchmark {
 public:
  /// Draws the data of the trial's setting with its seed.
  MethodBenchmark(const Trial& trial, Recorder& record);

  const Simulation& drawn() const { return drawn_; }
  const Trial& trial() const { return trial_; }
  Recorder& record() { return record_; }
  /// Fits in one thread and counts how it ended.
  Fit fit(const Contender& contender);

 private:
  const Trial& trial_;
  Recorder& record_;
  Simulation drawn_;
  SimulatedSet merged_;
};

/// Mean squared error of the fit's predictions; NaN for a set without rows.
double mean_squared_error(const Fit& fit, const SimulatedSet& set);
/// The same for coefficients without intercept.
double mean_squared_error(std::span<const double> coefficients, const SimulatedSet& set);
/// Sum of |a_j - b_j|.
double l1_distance(std::span<const double> a, std::span<const double> b);
/// Features with an inclusion probability above one half, or a nonzero coefficient where there are no probabilities.
Index count_selected(const Fit& fit);
/// Area under the ROC curve of ranking by |score|: the chance that a feature of the support ranks above another one,
/// ties counting one half. NaN if all or none are in the support.
double ranking_area(std::span<const double> scores, std::span<const Index> support);

}  // namespace tamis::experiments
