// Comparison: several methods evaluated on the same held-out rows, a plain value. compare() makes one
// (tamis/compare/compare.hpp); here is what it means and how it is written as JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tamis/base/matrix.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

/// A score averaged over folds. The standard error is sd / sqrt(folds), none for a single fold; folds share most of
/// their training rows, so it is approximate and does not provide a significance test.
struct FoldMean {
  double mean = 0;
  std::optional<double> standard_error;
};

/// One method fitted without one fold and evaluated on it.
struct FoldResult {
  std::string failure;  ///< why it could not be evaluated, one sentence; "": it was, and the other members are valid
  double error = 0;     ///< of the held-out rows, see Comparison::error_name; lower is better
  std::optional<double> log_score;  ///< mean log predictive density of the held-out rows; higher is better
  std::optional<double> coverage;   ///< share of the held-out rows inside their 90 % interval (gaussian, poisson)
  std::vector<Index> kept;          ///< features selected: those of select_by_threshold(), in rising order
  Status status = Status::converged;
  double seconds = 0;  ///< of the fit
};

/// Calibration on the held-out rows of all folds.
/// gaussian: nominal and empirical coverage of an interval of that level. bernoulli: mean predicted probability and
/// observed frequency of ones among the rows of one bin of probabilities.
struct CalibrationPoint {
  double expected = 0;
  double observed = 0;
  double weight = 0;  ///< total weight of these rows
};

struct ComparedMethod {
  std::string method;
  std::map<std::string, OptionValue> options;  ///< that were set for it; the others are its defaults
  std::optional<Fit> fit;                      ///< on all rows
  std::string failure;                         ///< why there is no fit on all rows; "" if there is one
  std::vector<Index> kept;                     ///< by the fit on all rows
  std::vector<FoldResult> folds;
  std::vector<double> predicted;     ///< of each row by the fit that did not see it: E[y]; NaN where there is none
  std::vector<double> predicted_sd;  ///< likewise, gaussian; empty for other families

  // Means over the folds; empty where no fold could be evaluated, or the family does not define the score.
  union {
    Index scored = 0;  ///< folds
    Index judged;      ///< the former name, for one release
  };
  std::optional<FoldMean> error;              ///< over the evaluated folds
  std::optional<FoldMean> excess;             ///< error minus that of the best method, fold by fold (folds of both)
  std::optional<FoldMean> log_score;          ///< none if any evaluated fold has none
  std::optional<FoldMean> coverage;           ///< likewise
  std::optional<double> calibration_error;    ///< bernoulli: mean |expected - observed| over `calibration`
  std::optional<double> calibration_slope;    ///< bernoulli: of the logit of y on the predictor; below 1 overconfident,
                                              ///< above 1 underconfident; none if the predictor separates the classes
                                              ///< or is constant
  std::vector<CalibrationPoint> calibration;  ///< empty for poisson
  std::optional<FoldMean> kept_count;
  std::optional<double> stability;  ///< of the selection over folds, see selection_stability()
  double seconds = 0;               ///< of a fit of a fold, on average
};

/// A method that was not tried, and why.
struct LeftOut {
  std::string method;
  std::string reason;
};

struct Comparison {
  std::string schema = "tamis.comparison/1";
  std::string library_version;
  std::string family;
  std::string error_name;           ///< "RMSE", "misclassification" or "deviance" (mean of a row)
  std::string target;               ///< "" if unknown
  std::vector<std::string> levels;  ///< of a text response, in 0/1 order
  Index samples = 0;
  std::vector<std::string> features;
  std::uint64_t seed = 1;
  int folds = 0;                 ///< asked for, or as many as the data carry
  int finished_folds = 0;        ///< fewer than `folds` if cancelled; unfinished ones are not in `methods`
  std::vector<int> fold_of_row;  ///< 0 .. folds - 1, the same for every method; -1: weight 0, in no fold
  std::vector<ComparedMethod> methods;
  std::vector<LeftOut> left_out;
  std::optional<Index> best;  ///< of `methods`: lowest error among those evaluated on every finished fold
  /// The scores of the null model without features on the same folds.
  std::optional<FoldMean> baseline_error;
  std::optional<FoldMean> baseline_log_score;
  Matrix agreement;  ///< methods x methods: jaccard() of what they keep on all rows; NaN where a fit is missing
  bool cancelled = false;
  double seconds = 0;  ///< of everything
};

/// Nogueira, Sechidis & Brown, JMLR 18(174), 2018, Eq. 4: 1 if all sets of features are the same, about 0 if they are
/// drawn at random, corrected for how many they hold. None for fewer than two sets, or if all are empty or full: then
/// there is no choice that could be stable.
std::optional<double> selection_stability(const std::vector<std::vector<Index>>& sets, Index features);

/// Size of the common part over that of the union of two rising lists; 1 if both are empty.
double jaccard(const std::vector<Index>& a, const std::vector<Index>& b);

/// One line per top-level key. Features that no method keeps, neither on all rows nor on a fold, are left out.
std::string to_json(const Comparison& comparison);

}  // namespace tamis
