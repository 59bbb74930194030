// Charts and the table of features of a regression model. Functions of a model that has what they show.
#pragma once

#include <string>
#include <vector>

#include "report/data_check.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// Features that a page lists: all of them, or where they are too many those that are still in the model (the strongest
/// `most_listed`), in the order of the model.
constexpr Index most_listed = 100'000;
std::vector<Index> listed_features(const Fit& fit);

/// One row per listed feature: name, inclusion, coefficient with interval, what the model has of them.
Listing feature_listing(const Fit& fit, const std::vector<Index>& features, const std::string& id);

/// Inclusion probabilities, or effects where a model has none, over the listed features.
Chart feature_chart(const Fit& fit, const std::vector<Index>& features, const std::string& listing_id);

/// Validation error and number of features along the searched values; none without a path.
std::vector<Chart> path_charts(const Fit& fit);

/// Objective and, where there are any, sizes of steps; none for a trace of fewer than three points.
std::vector<Chart> trace_charts(const std::vector<TracePoint>& trace, const std::string& objective_name);

/// Residuals, or calibration of probabilities; none without a response.
std::vector<Chart> data_charts(const Fit& fit, const ReportData& data, const DataCheck& check);

/// Coefficients (and inclusion) as pixels.
Images coefficient_images(const Fit& fit, ImageShape shape);

/// `values` row by row as an image of rows x cols.
Matrix as_image(std::span<const double> values, ImageShape shape);

}  // namespace tamis
