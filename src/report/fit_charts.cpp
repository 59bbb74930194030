// Charts of a regression model: tuning path, trace of the fit, predictions on data, coefficients as an image.
// Axes       logarithmic where all values are positive and span more than a factor of 30, as tuning parameters do.
// Values     traces and paths are what the method wrote: a value that is not finite is a gap in the line, not zero.
// Data       bernoulli responses get a calibration curve, since residuals of 0/1 responses form two bands; others get
//            observed against predicted and residuals.
// Size       at most 4000 points per chart, evenly spaced by row.
#include "report/fit_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/fit_sentences.hpp"
#include "report/phrases.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr Index blue = 0, vermilion = 1, green = 2, gray = 7;

// Tuning parameters are usually spaced by a factor; spans below a factor of 30 read as well on a linear axis.
bool wants_logarithm(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return !values.empty() && *least > 0 && *most > 30 * *least;
}

Axis axis_of(std::string label, const std::vector<double>& values) {
  return {.label = std::move(label), .logarithmic = wants_logarithm(values)};
}

// The trace holds what a method wrote; a value that is not finite is a gap.
Chart line_chart(std::string title, Axis x, Axis y, Series series, std::string caption) {
  Chart chart;
  chart.panel.title = std::move(title);
  chart.panel.x = std::move(x);
  chart.panel.y = std::move(y);
  chart.panel.series = {std::move(series)};
  chart.caption = std::move(caption);
  return chart;
}

// Band of one standard error; points without a validation error (a path that was cut short) are gaps.
Chart error_chart(const Fit& fit, const Axis& x, const std::vector<double>& values) {
  Series error{.name = "validation error", .x = values, .mark = Mark::line_and_points, .band = true, .color = blue};
  bool has_spread = false;
  for (const PathPoint& point : fit.path) {
    error.y.push_back(point.validation_error.value_or(std::nan("")));
    const double spread = point.validation_se.value_or(std::nan(""));
    has_spread = has_spread || std::isfinite(spread);
    error.lower.push_back(error.y.back() - spread);
    error.upper.push_back(error.y.back() + spread);
  }
  if (!has_spread) error.lower.clear(), error.upper.clear();
  return line_chart("Validation error", x,
                    {.label = fmt::format("held-out {}", family(fit.family).words().validation_error)},
                    std::move(error), has_spread ? "The band is ± one standard error of the validation error." : "");
}

// Every `step`th row, so that a page stays small; points beyond 4000 overlap anyway.
template <typename Keep>
void for_some_rows(Index rows, Keep keep) {
  constexpr Index most = 4000;
  const Index step = (rows + most - 1) / most;
  for (Index i = 0; i < rows; i += std::max<Index>(1, step)) keep(i);
}

Chart calibration_chart(const DataCheck& check) {
  Series groups{.name = "groups of rows", .mark = Mark::line_and_points, .color = blue};
  for (const CalibrationGroup& group : check.calibration) {
    groups.x.push_back(group.predicted);
    groups.y.push_back(group.observed);
    groups.lower.push_back(group.lower);
    groups.upper.push_back(group.upper);
  }
  Chart chart = line_chart("Calibration", {.label = "predicted probability", .minimum = 0, .maximum = 1},
                           {.label = "observed frequency", .minimum = 0, .maximum = 1}, std::move(groups),
                           "Rows grouped by predicted probability, with 95% intervals of the observed frequency. A "
                           "calibrated model lies on the dashed line.");
  chart.panel.series.push_back({.name = "ideal", .x = {0, 1}, .y = {0, 1}, .dash = Dash::dashed, .color = gray});
  return chart;
}

Chart prediction_chart(const ReportData& data, const DataCheck& check) {
  Series rows{.name = "rows", .mark = Mark::points, .color = blue};
  for_some_rows(data.y.size(), [&](std::size_t i) {
    rows.x.push_back(check.prediction.mean[i]);
    rows.y.push_back(data.y[i]);
  });
  const auto [least, most] = std::minmax_element(rows.x.begin(), rows.x.end());
  const std::vector<double> ends = {*least, *most};
  Chart chart = line_chart("Observed against predicted", {.label = "predicted"}, {.label = "observed"}, std::move(rows),
                           "Perfect predictions lie on the dashed line.");
  chart.panel.series.push_back({.name = "ideal", .x = ends, .y = ends, .dash = Dash::dashed, .color = gray});
  return chart;
}

// Against predictions, not observations: residuals are correlated with the latter even in a correct model.
Chart residual_chart(const DataCheck& check) {
  Series rows{.name = "", .mark = Mark::points, .color = vermilion};
  for_some_rows(check.residuals.size(), [&](std::size_t i) {
    rows.x.push_back(check.prediction.mean[i]);
    rows.y.push_back(check.residuals[i]);
  });
  return line_chart("Residuals", {.label = "predicted"}, {.label = "observed − predicted"}, std::move(rows),
                    "Curvature or a funnel shape indicates misfit, such as nonlinearity or unequal variances.");
}

}  // namespace

std::vector<Chart> path_charts(const Fit& fit) {
  if (fit.path.size() < 2) return {};
  std::vector<double> values;
  Series active{.name = "features", .mark = Mark::line_and_points, .color = green};
  bool validated = false;
  for (const PathPoint& point : fit.path) {
    values.push_back(point.value);
    active.y.push_back(static_cast<double>(point.active));
    validated = validated || point.validation_error.has_value();
  }
  active.x = values;
  const std::optional<ChosenPoint> chosen = chosen_point(fit);
  const Axis x = axis_of(chosen ? chosen->name : "tuning parameter", values);
  std::vector<Chart> charts;
  if (validated) charts.push_back(error_chart(fit, x, values));
  charts.push_back(line_chart("Number of features", x, {.label = "features", .minimum = 0}, std::move(active), ""));
  if (!chosen) return charts;
  for (Chart& chart : charts) {
    chart.panel.rules = {fit.path[chosen->place].value};
    chart.caption += fmt::format("{}The dashed line is the chosen {}.", chart.caption.empty() ? "" : " ", chosen->name);
  }
  return charts;
}

// Fewer than three iterations show nothing.
std::vector<Chart> trace_charts(const std::vector<TracePoint>& trace, const std::string& objective_name) {
  if (trace.size() < 3) return {};
  Series objective{.name = objective_name, .mark = trace.size() > 60 ? Mark::line : Mark::line_and_points};
  // The change is on a logarithmic axis: convergence is a straight line if it is linear. Zero changes (a last step that
  // did nothing) are gaps.
  Series change{.name = "change", .mark = objective.mark, .color = vermilion};
  for (const TracePoint& point : trace) {
    const auto at = static_cast<double>(point.iteration);
    objective.x.push_back(at);
    objective.y.push_back(point.objective);
    change.x.push_back(at);
    change.y.push_back(point.change != 0 ? std::abs(point.change) : std::nan(""));
  }
  const bool moves = std::count_if(change.y.begin(), change.y.end(), [](double v) { return std::isfinite(v); }) > 2;
  std::vector<Chart> charts = {
      line_chart("Objective", {.label = "iteration"}, {.label = objective_name}, std::move(objective), "")};
  if (moves) {
    charts.push_back(line_chart("Change per iteration", {.label = "iteration"},
                                {.label = "change", .logarithmic = true}, std::move(change), ""));
  }
  return charts;
}

std::vector<Chart> data_charts(const Fit& fit, const ReportData& data, const DataCheck& check) {
  if (data.y.empty()) return {};
  if (family(fit.family).is_binary()) return {calibration_chart(check)};
  return {prediction_chart(data, check), residual_chart(check)};
}

Matrix as_image(std::span<const double> values, ImageShape shape) {
  Matrix image(shape.rows, shape.cols);
  for (Index i = 0; i < shape.rows; ++i) {
    for (Index j = 0; j < shape.cols; ++j) image(i, j) = values[i * shape.cols + j];
  }
  return image;
}

// Symmetric color scale about zero; a model without features gets the width 1.
Images coefficient_images(const Fit& fit, ImageShape shape) {
  Images images{.caption = "Features as pixels in row-major order.",
                .images = {as_image(fit.coefficients, shape)},
                .names = {"coefficients"}};
  images.most = 0;
  for (const double value : fit.coefficients) images.most = std::max(images.most, std::abs(value));
  if (images.most == 0) images.most = 1;
  return images;
}

}  // namespace tamis
