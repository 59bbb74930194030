// A model on data: prediction errors, calibration, and columns that are correlated with selected features. Numbers
// only; their sentences are in fit_sentences.cpp, their charts in fit_charts.cpp.
#pragma once

#include <optional>
#include <vector>

#include "tamis/fit/fit.hpp"
#include "tamis/report/report.hpp"

namespace tamis {

/// Rows of similar predicted probability: how often the response was 1 among them.
struct CalibrationGroup {
  double predicted = 0;  ///< mean
  double observed = 0;   ///< share
  double lower = 0;      ///< 95 % interval of the share (Wilson)
  double upper = 0;
  Index rows = 0;
};

/// Pearson's r of two columns; `second_selected` pairs occur once, with first < second.
struct Correlation {
  Index first = 0;  ///< a selected feature
  Index second = 0;
  bool second_selected = false;
  double value = 0;
};

struct DataCheck {
  Prediction prediction;
  std::vector<double> residuals;              ///< observed minus predicted; empty without a response
  double root_mean_square = 0;                ///< of the residuals
  std::optional<double> explained;            ///< share of the variance of y (R squared); not for a constant y
  std::optional<double> covered;              ///< share of rows in their 95 % interval, where there is one
  std::optional<double> labels_right;         ///< share, bernoulli
  std::vector<CalibrationGroup> calibration;  ///< bernoulli
  std::vector<Correlation> correlations;      ///< with |value| at least `notable`, largest first
  static constexpr double notable = 0.8;
};

/// Columns of data.X are the features of the model, in its order; data.y may be empty.
DataCheck check_data(const Fit& fit, const ReportData& data);

/// Correlations between the strongest of the selected features and every other column of X.
std::vector<Correlation> notable_correlations(const Design& X, const std::vector<Selected>& selected);

/// At most ten groups of equal size, by predicted probability.
std::vector<CalibrationGroup> calibration_groups(const std::vector<double>& probability, const std::vector<double>& y);

}  // namespace tamis
