// Fit: one result for every regression method, a plain value, and the free functions around it.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/observer.hpp"
#include "tamis/design/design.hpp"
#include "tamis/fit/credible_sets.hpp"
#include "tamis/fit/model_draws.hpp"
#include "tamis/fit/posterior_draws.hpp"

namespace tamis {

/// How a fit ended. Anything but `converged` still carries the last good state.
enum class Status { converged, iteration_limit, stalled, numerical_failure, cancelled };
std::string_view name_of(Status status);
Status status_of(std::string_view name);

/// What Fit::inclusion is: nothing, probabilities of the posterior (up to a stated Monte Carlo error), those of an
/// approximation to it, or not known (files of former versions, methods that do not say).
enum class InclusionKind { none, posterior, approximate, unknown };
std::string_view name_of(InclusionKind kind);
InclusionKind inclusion_kind_of(std::string_view name);

/// One value of a searched hyperparameter.
struct PathPoint {
  double value = 0;                        ///< the hyperparameter (penalty, gamma, ...)
  double objective = 0;                    ///< the method's objective there, on all the training data
  std::optional<double> validation_error;  ///< held-out mean loss (squared error, deviance), if searched
  std::optional<double> validation_se;     ///< its standard error over folds
  Index active = 0;                        ///< features kept there
  double certificate = 0;                  ///< distance from optimality there
};

/// A named extra result: a number, a vector, or a word.
using HyperValue = std::variant<double, std::vector<double>, std::string>;
/// An option as it was used: null (not given), a truth value, a number, or a word.
using OptionValue = std::variant<std::monostate, bool, double, std::string>;

/// A further target of a fit that explains several by the same features.
struct TargetFit {
  std::string target;
  double intercept = 0;
  std::vector<double> coefficients;
  std::vector<double> standard_deviations;
};

/// A feature that is not selected and is correlated with one that is: it might stand in for it.
struct Alternative {
  Index feature = 0;       ///< not selected
  Index with = 0;          ///< the selected feature
  double correlation = 0;  ///< of the two, at least 0.8 in absolute value
};

/// A covariance component of the prior, as the fit leaves it.
struct FittedComponent {
  std::string name;
  bool of_rows = false;  ///< a covariance of rows, not of coefficients
  Index rank = 0;        ///< columns of its factor, or rows of its kernel
  double variance = 0;   ///< gamma, in front of the component; 0: pruned
  double share = 0;      ///< of the variance of the response under the fitted prior, averaged over the rows
  double inclusion = 0;  ///< as of a feature: one half where the evidence pays for choosing among the components
};

struct Fit {
  std::string schema = "tamis.fit/2";
  std::string library_version;
  std::string method;
  std::string family;
  std::map<std::string, OptionValue> options;  ///< every option actually used, defaults and seed included
  std::string target;                          ///< name of the response, "" if unknown
  std::vector<std::string> levels;             ///< the two class names of a text response, in 0/1 order; else empty
  std::string offset;                          ///< name of the column of offsets, "" if none or unknown
  Index samples = 0;
  std::vector<std::string> features;
  double intercept = 0;                     ///< all on the original scale of X
  std::vector<double> coefficients;         ///< posterior means: intercept + x'coefficients predicts
  std::vector<double> standard_deviations;  ///< empty if the method defines none
  std::vector<double> inclusion;            ///< inclusion probabilities; empty if the method defines none
  InclusionKind inclusion_kind = InclusionKind::none;
  std::vector<CredibleSet> credible_sets;   ///< of methods that draw models, strongest first
  SetCandidates set_candidates;             ///< what credible sets of another level are made from
  std::vector<Alternative> alternatives;    ///< by selected feature, strongest first, a few of each
  std::vector<double> inclusion_error;      ///< Monte Carlo standard errors of `inclusion`; empty: not from draws
  std::vector<double> feature_means;        ///< of the training data, weighted; NaN where a feature plays no part
                                            ///< (coefficient and deviation 0); empty: not recorded (older files)
  std::vector<double> feature_spreads;      ///< standard deviations, likewise
  std::optional<double> noise_variance;     ///< gaussian only
  std::map<std::string, HyperValue> hyper;  ///< the method's extra results, fixed vocabulary
  std::vector<TargetFit> more_targets;      ///< beyond `target`, which the fields above belong to; empty: none
  std::vector<FittedComponent> components;  ///< in the order of Problem::components; empty: it had none
  PosteriorDraws draws;                     ///< some of a sampler's, for predictions; none: predict by the means above
  double objective = 0;
  std::vector<TracePoint> trace;
  std::vector<PathPoint> path;
  Status status = Status::converged;
  std::string message;     ///< one sentence with the numbers
  double seconds = 0;      ///< the fit alone, without reading files
  ModelDraws model_draws;  ///< of a method that draws models, for Method::fit to make credible sets from; not in files
};

/// Predictions for new rows. Columns that a family does not define stay empty.
struct Prediction {
  std::vector<double> mean;   ///< E[y]: gaussian mean, probability of class 1, rate
  std::vector<double> sd;     ///< gaussian: of a new observation
  std::vector<double> lower;  ///< predictive interval (gaussian, poisson)
  std::vector<double> upper;
};

/// Linear predictor of every row of X, whose columns are fit.features in that order.
std::vector<double> linear_predictor(const Fit& fit, const Design& X, std::span<const double> offset = {});
/// Intervals hold a new observation with probability `level`. A fit with draws is averaged over them.
Prediction predict(const Fit& fit, const Design& X, std::span<const double> offset = {}, double level = 0.95);

/// One fit per target, `fit` itself first: what the functions here say of a fit they say of its first target.
std::vector<Fit> split_targets(const Fit& fit);

/// A feature chosen by select().
struct Selected {
  Index feature = 0;
  double inclusion = 0;  ///< probability, or 1 for a nonzero coefficient of a method that defines none
  double coefficient = 0;
};
/// Features with inclusion >= threshold (methods without inclusion: nonzero coefficients), strongest first.
std::vector<Selected> select_by_threshold(const Fit& fit, double threshold = 0.5);
/// The largest set whose expected share of false features (mean of 1 - inclusion) is at most `fdr`.
/// Throws InvalidOption if the method defines no inclusion probabilities.
std::vector<Selected> select_by_fdr(const Fit& fit, double fdr);
/// The k strongest: by inclusion, then by |coefficient| times the standard deviation of the feature when known.
std::vector<Selected> select_top(const Fit& fit, Index k);

/// Model file: JSON, one line per top-level key. Written to a temporary file beside `path` and renamed.
void save(const Fit& fit, const std::string& path);
/// Throws MissingFile, or InvalidInput with the reason if the file is broken, foreign or of a newer schema.
Fit load(const std::string& path);
std::string to_json(const Fit& fit);
Fit from_json(const std::string& text, const std::string& where = "model");

}  // namespace tamis
