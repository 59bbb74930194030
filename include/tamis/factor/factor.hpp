// Sparse factor models: x_n ~ Expon(intercept + v_n Theta) with few nonzero entries in each row v_n, for real, binary
// and count data with holes. Mohamed, Heller & Ghahramani, "Bayesian and L1 approaches for sparse unsupervised
// learning" (ICML 2012). Each prior on V is one source in src/factor and two lines in its registry, or a file of
// another program that calls add_factor_prior().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/base/observer.hpp"
#include "tamis/design/design.hpp"
#include "tamis/fit/factor_fit.hpp"
#include "tamis/method/options.hpp"

namespace tamis {

class Family;

/// A cell by its place, counted from 0, and its true value.
struct TestCell {
  Index row = 0;
  Index column = 0;
  double value = 0;  ///< NaN: hidden from the fit, but not scored
};

/// The data, which must outlive the call: either `dense` (NaN: missing) or `sparse` (not stored: zero; NaN: missing).
struct FactorProblem {
  ConstMatrixView dense = {};
  const SparseColumns* sparse = nullptr;
  std::string family = "gaussian";  ///< name of any of families()
  Index factors = 1;
  bool intercept = true;    ///< one number per column beside the factors
  bool standardize = true;  ///< gaussian: work on columns of mean 0 and unit spread; results are on the original scale
  /// Poisson rates never exceed e^this; not given: twice the largest count, and two. Without a limit one wild score
  /// predicts counts without bounds.
  std::optional<double> largest_log_rate = {};
  std::vector<std::string> column_names = {};  ///< empty: x1, x2, ...
  std::vector<TestCell> test_cells = {};       ///< hidden from the fit, scored afterwards
};

struct FactorControl {
  std::uint64_t seed = 1;
  int threads = 0;             ///< 0: all cores; the result does not depend on it
  bool predict_cells = false;  ///< fill FactorResult::cells
  /// A sampler saves its state in this file every `checkpoint_seconds`, and goes on from it if it is there: killed at
  /// any moment and started again, it gives the same bits. Empty: none.
  std::string checkpoint = {};
  double checkpoint_seconds = 30;
  Observer* observer = nullptr;
};

struct FactorResult {
  FactorFit fit;
  std::vector<PredictedCell> cells;  ///< every cell that the fit did not see, by row and column, if wanted
};

/// A prior on the scores together with its algorithm.
class FactorPrior {
 public:
  virtual ~FactorPrior() = default;
  virtual std::string_view name() const = 0;
  /// One line for lists.
  virtual std::string_view summary() const = 0;
  virtual std::vector<Field> fields() const = 0;
  /// What it needs and this family lacks, in words; "" if nothing.
  virtual std::string lacks(const Family& family) const;
  /// Whether it draws from a posterior: FactorControl::checkpoint is for these, others refuse it.
  virtual bool is_sampler() const { return false; }
  /// Whether it works on sparse data without a dense copy.
  virtual bool keeps_sparse() const { return false; }

  /// Checks everything before any work (InvalidInput, InvalidOption), hides the test cells, runs in control.threads
  /// threads, scores the test cells, fills provenance and seconds.
  FactorResult fit(const FactorProblem& problem, const std::map<std::string, OptionValue>& options = {},
                   const FactorControl& control = {}) const;

 private:
  /// The work itself on prepared data.
  virtual void local_fit(const class FactorTask& task, FactorResult& result) const = 0;
};

/// Every prior, in the order of lists: those of tamis, then those that were added.
std::vector<const FactorPrior*> factor_priors();
/// Adds a prior for the rest of the program, from any thread: `tamis factor` and the Python package of a program that
/// it is linked into know it then. Only before the list is used for the first time: from the initializer of a
/// namespace-scope object of its file, or at the start of main(). The prior must live as long as the program. Throws
/// InvalidInput for a name that is taken, and once the list is in use.
const FactorPrior& add_factor_prior(const FactorPrior& prior);
/// The prior of that name; throws InvalidOption with the nearest name.
const FactorPrior& factor_prior(std::string_view name);

/// The family that the observed cells look like, whatever FactorProblem::family says. 0 and 1 alone: bernoulli. Whole
/// numbers that vary as counts do, with a 0 among them or from at most 10 to more than 10: poisson. Anything else:
/// gaussian; `because` then says why integers are not taken for counts ("whose integers ...").
struct FamilyGuess {
  std::string family;
  std::string because = {};
};
FamilyGuess guess_family(const FactorProblem& problem);

/// A random share of the observed cells of a problem that are not its test cells, as test cells: at least one.
std::vector<TestCell> draw_test_cells(const FactorProblem& problem, double share, std::uint64_t seed);

/// Fits each number of factors on nine tenths of the observed cells that are no test cells, scores the tenth, and fits
/// the best number on all of them; FactorFit::search says what was seen.
FactorResult fit_best_factors(const FactorPrior& prior, FactorProblem problem, const std::vector<Index>& factors,
                              const std::map<std::string, OptionValue>& options, const FactorControl& control);

}  // namespace tamis
