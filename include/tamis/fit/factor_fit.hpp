// FactorFit: the result of a sparse factor model, x_n ~ Expon(intercept + v_n Theta), whatever its prior and algorithm.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/base/observer.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

/// One number of factors that was tried.
struct FactorSearchPoint {
  Index factors = 0;
  double nlp_bits = 0;  ///< of the cells held out for the choice
  double rmse = 0;
};

struct FactorFit {
  std::string schema = "tamis.factor/1";
  std::string library_version;
  std::string family;
  std::string prior;
  std::map<std::string, OptionValue> options;  ///< every option actually used, defaults and seed included
  Index factors = 0;
  Index rows = 0;
  std::vector<std::string> columns;  ///< names
  /// On the original scale of the data: intercept_d + sum_k scores_nk loadings_kd is the linear predictor of a point
  /// estimate. Samplers match and sign the factors of their draws before they average them; predictions (nlp_bits,
  /// rmse, imputed cells) are averages over draws, never made from these means.
  Matrix loadings;                         ///< Theta, factors x columns
  Matrix scores;                           ///< V, rows x factors
  Matrix inclusion;                        ///< probability that a score is not zero; 0 x 0 if the prior has no spike
  std::vector<double> intercept;           ///< of each column; empty: none
  std::vector<double> factor_rates;        ///< pi: share of rows in which a factor is active
  std::vector<double> factor_means;        ///< of active scores
  std::vector<double> factor_variances;    ///< of active scores
  std::vector<double> noise_variances;     ///< of each column, gaussian only
  std::optional<double> score_penalty;     ///< of |score| beside the log likelihood of a row; point estimates only
  std::optional<double> largest_log_rate;  ///< poisson: rates never exceed e^this
  Index test_cells = 0;                    ///< held out and scored
  std::optional<double> nlp_bits;          ///< minus the sum of log2 of their predictive probabilities
  std::optional<double> rmse;              ///< of their predictive means
  std::vector<TracePoint> trace;           ///< objective: log likelihood of the observed cells (samplers: first chain)
  std::vector<FactorSearchPoint> search;   ///< if the number of factors was chosen from a list
  std::optional<double> rhat;              ///< largest over predictive quantities; samplers only
  std::optional<double> ess;               ///< smallest effective sample size over them
  Status status = Status::converged;
  std::string message;  ///< one sentence with the numbers
  double seconds = 0;   ///< the fit alone
};

/// A cell that the fit did not see, and what the model says about it.
struct PredictedCell {
  Index row = 0;
  Index column = 0;
  double mean = 0;   ///< gaussian: predictive mean; bernoulli: probability of 1; poisson: exp of the mean log rate
  double sd = 0;     ///< of the value itself
  double lower = 0;  ///< 95 % predictive interval of the value
  double upper = 0;
};

/// Model file: JSON, one line per top-level key; scores and inclusion in single precision.
std::string to_json(const FactorFit& fit);
/// Written to a temporary file beside `path` and renamed.
void save(const FactorFit& fit, const std::string& path);
/// Throws MissingFile, or InvalidInput with the reason if the file is broken, foreign or of a newer schema.
FactorFit load_factor(const std::string& path);
FactorFit factor_from_json(const std::string& text, const std::string& where = "model");

/// A model file of either kind, by its schema. Throws as load() and load_factor() do.
std::variant<Fit, FactorFit> load_model(const std::string& path);

}  // namespace tamis
