// Method: what is updated after what. Each method is a class in its own source, src/method/<name>/<name>.cpp, and two
// lines in registry.cpp, or a file of another program that calls add_method(); contract tests, the command line and the
// Python package find it there.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/base/observer.hpp"
#include "tamis/design/design.hpp"
#include "tamis/family/family.hpp"
#include "tamis/fit/components.hpp"
#include "tamis/fit/draws.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/method/options.hpp"

namespace tamis {

/// What is to be explained, on the original scale. Spans and references must outlive the call.
struct Problem {
  const Design& X;
  std::span<const double> y;
  const Family& likelihood;
  std::span<const double> weights = {};  ///< of observations, >= 0; empty: ones
  std::span<const double> offset = {};   ///< added to the linear predictor; empty: zeros
  bool intercept = true;
  bool standardize = true;  ///< work on standardized columns; results are on the original scale
  std::span<const double> penalty_factors =
      {};                                       ///< per feature, for penalized methods; empty: ones; 0: never penalized
  std::span<const double> feature_priors = {};  ///< prior inclusion of a feature, NaN: not given; empty: none is
  std::vector<std::string> feature_names = {};  ///< empty: x1, x2, ...
  std::span<const Index> groups = {};   ///< per feature, numbered from 0: features that share a prior; empty: none do
  ConstMatrixView more_responses = {};  ///< rows x further targets explained by the same features; no column: none
  std::vector<std::string> more_targets = {};  ///< their names; empty: target 2, target 3, ...
  /// Of the prior covariance, instead of one variance per feature; a feature in none of them keeps its own. Empty:
  /// none.
  std::span<const CovarianceComponent> components = {};
};

/// The names given, or x1, x2, ...
std::vector<std::string> feature_names(const Problem& problem);

/// Validation data: held-out rows on which the tuning parameter is chosen, instead of by cross-validation.
struct Validation {
  const Design* X = nullptr;  ///< nullptr: none
  std::span<const double> y = {};
  std::span<const double> weights = {};
  std::span<const double> offset = {};
};

/// How to run, as opposed to what to compute.
struct Control {
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores; the result does not depend on it
  int folds = 10;   ///< of cross-validation, for methods with a tuning parameter; 0: none, the last point of the path
  /// The fold of each row, >= 0, instead of `folds` drawn ones; empty: none. Each row is held out from the fit to
  /// the other folds' rows once; folds without a row of positive weight are left out.
  std::span<const int> fold_of_row = {};
  Validation validation = {};
  Observer* observer = nullptr;
  /// A sampler saves its state in this file every `checkpoint_seconds`, and resumes from it if it exists: killed at
  /// any moment and started again, it gives bit-identical results. Empty: none.
  std::string checkpoint = {};
  double checkpoint_seconds = 30;
  Draws* draws = nullptr;  ///< a sampler puts all its draws here; nullptr: it keeps averages only
  /// Fill Fit::alternatives and Fit::credible_sets, for which columns are correlated: a pass over X.
  bool correlations = true;
};

class Method {
 public:
  virtual ~Method() = default;
  virtual std::string_view name() const = 0;
  /// One line for lists.
  virtual std::string_view summary() const = 0;
  /// The class of the Python package, without "Classifier": by default made of name(), CappedL1 of capped-l1.
  virtual std::string estimator() const;
  virtual std::vector<Field> fields() const = 0;
  /// What a family would need to be fitted by this method and does not have: "tilted moments"; "" if nothing.
  virtual std::string lacks(const Family& family) const;
  /// The former question, for one release: supported_families().
  std::vector<std::string_view> families() const;
  /// What the inclusion probabilities of its fits are. A method that draws models leaves them in Fit::model_draws, and
  /// fit() makes credible sets from them.
  virtual InclusionKind inclusion_kind() const { return InclusionKind::none; }
  virtual bool has_inclusion() const { return inclusion_kind() != InclusionKind::none; }
  /// True when the objective in the trace may only fall (or rise): the contract test holds it to that.
  virtual bool promises_monotone() const { return false; }
  /// Whether Problem::penalty_factors mean something to it; if not, a problem that has them is refused.
  virtual bool uses_penalty_factors() const { return false; }
  /// Whether Problem::feature_priors mean something to it; if not, a problem that has them is refused.
  virtual bool uses_feature_priors() const { return false; }
  /// Whether Problem::groups, Problem::more_responses mean something to it; if not, a problem that has them is refused.
  virtual bool uses_groups() const { return false; }
  virtual bool takes_several_targets() const { return false; }
  /// Whether Problem::components mean something to it; if not, a problem that has them is refused.
  virtual bool uses_components() const { return false; }
  /// Whether it draws from a posterior: Control::draws and Control::checkpoint are for these, others refuse them.
  virtual bool is_sampler() const { return false; }
  /// How many columns that vary (constant ones are left out first) it takes at most.
  virtual Index most_features() const { return std::numeric_limits<Index>::max(); }

  /// Checks everything before any work (InvalidInput, InvalidOption), runs inside control.threads threads,
  /// fills provenance, names, options and seconds.
  Fit fit(const Problem& problem, const std::map<std::string, OptionValue>& options = {},
          const Control& control = {}) const;

 private:
  /// The work itself: coefficients, objective, trace, path, status and message of a checked problem.
  virtual Fit local_fit(const Problem& problem, const Options& options, const Control& control) const = 0;
};

/// Every method, in the order of lists: those of tamis, then those that were added.
std::vector<const Method*> methods();
/// Adds a method for the rest of the program, from any thread: fit(), the command line and the Python package of a
/// program that it is linked into know it then. Only before the list is used for the first time: from the initializer
/// of a namespace-scope object of its file, or at the start of main(). The method must live as long as the program.
/// Throws InvalidInput for a name or estimator() that is taken or malformed, and once the list is in use.
const Method& add_method(const Method& method);
/// The names of the families that it fits, in the order of families().
std::vector<std::string_view> supported_families(const Method& method);
/// The method of that name; throws InvalidOption with the nearest name.
const Method& method(std::string_view name);
/// Short form of method(name).fit(...).
Fit fit(const Problem& problem, std::string_view name, const std::map<std::string, OptionValue>& options = {},
        const Control& control = {});

}  // namespace tamis
