// The experiments of Mohamed, Heller & Ghahramani, "Bayesian and L1 approaches for sparse unsupervised learning", ICML
// 2012, on simulated twins of their data or on the data themselves (--data). The paper prints no numbers but those in
// its figures; the claims of its text are checked.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/designs.hpp"
#include "experiments/reproduce/experiment.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::experiments::factor_models {

inline const std::string paper = "Mohamed, Heller & Ghahramani (2012), Sparse unsupervised learning, ";
inline const std::string nlp = "NLP (bits)", rmse = "RMSE", seconds = "seconds";
inline const std::string unpenalized = "none";  // overfits by hundreds of bits
inline const std::string matched = "spike-slab, time of l1";

Experiment figure2a();
Experiment figure2b();
Experiment figure3();
Experiment figure4();
Experiment geweke();

/// A prior with its options, under the name it has in tables.
struct FactorContender {
  std::string label;
  std::string prior;
  std::map<std::string, OptionValue> options = {};
  bool intercept = true;
};
/// A sampler with these numbers of sweeps and chains; Hamiltonian trajectories of 5 steps.
FactorContender sampler(const std::string& prior, double burn_in, double samples, double chains);
/// Small tables: spike-slab with 2 chains of 300 draws after 200, other samplers 1 chain of 150 after 150.
FactorContender usual(const std::string& prior);

/// One replicate: the table of --data or a simulated one, a tenth of its cells hidden.
class FactorBenchmark {
 public:
  FactorBenchmark(const Trial& trial, const std::string& family, Recorder& record);
  /// Fits with the setting's x as the number of factors, and records NLP and RMSE.
  FactorResult fit(const FactorContender& contender, bool predict_cells = false);
  /// Fits spike-slab with as many sweeps of one chain as fit into the time of `l1`, by the time that `full` took for
  /// its own; records its scores as `matched`, and the seconds of all three.
  void fit_time_matched(const FactorResult& l1, const FactorResult& full);
  /// Records NLP and RMSE of predictions made elsewhere: the probability that each test cell is 1.
  void score(const std::string& label, std::span<const double> probabilities);
  const FactorProblem& problem() const { return problem_; }
  /// What the table was drawn from; empty with --data.
  const Simulation& drawn() const { return drawn_; }

 private:
  const Trial& trial_;
  Recorder& record_;
  Simulation drawn_;
  FactorProblem problem_;
};

/// One setting for each number of factors.
std::vector<Setting> factor_settings(const std::string& panel, const std::string& design,
                                     const std::map<std::string, double>& parameters,
                                     const std::vector<double>& factors);
/// Curves of NLP and RMSE against the number of factors, without `unpenalized`, which would flatten all others.
Picture factor_picture(const Results& results, const std::string& title, const std::string& panel,
                       const std::vector<std::string>& methods);
/// Whether `better` has the lower mean at x.
Finding lower_at(const Results& results, const std::string& panel, double x, const std::string& measure,
                 const std::string& better, const std::string& worse, const std::string& claim);

}  // namespace tamis::experiments::factor_models
