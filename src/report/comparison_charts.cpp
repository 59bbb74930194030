// Charts of a method comparison: fold errors, paired differences, calibration, selection frequencies, agreement.
// Order      all charts list the methods by error, so that a method keeps its position from chart to chart.
// Means      error bars are +- one standard error over folds; the paired differences are shown in a chart of their own,
//            since overlapping error bars of means say little about methods compared on the same folds.
// Heat maps  shares in [0, 1] use the upper half of a diverging scale from -1 to 1: white is 0.
#include "report/comparison_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/comparison_order.hpp"
#include "report/comparison_sentences.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> names_in_order(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const std::size_t m : methods_by_error(comparison)) names.push_back(comparison.methods[m].method);
  return names;
}

// One value with its standard error for each method, in order.
// One point per method at positions 1, 2, ...; methods without the score are gaps, so that positions agree between
// charts.
Series means(const Comparison& comparison, std::optional<FoldMean> ComparedMethod::*score, std::string name) {
  Series series{.name = std::move(name), .mark = Mark::points};
  double place = 0;
  for (const std::size_t m : methods_by_error(comparison)) {
    const std::optional<FoldMean>& value = comparison.methods[m].*score;
    const double mean = value ? value->mean : unknown;
    const double standard_error = value ? value->standard_error.value_or(0) : unknown;
    series.x.push_back(++place);
    series.y.push_back(mean);
    series.lower.push_back(mean - standard_error);
    series.upper.push_back(mean + standard_error);
  }
  return series;
}

// The same line for every method.
// Horizontal reference line, half a position beyond the first and last method.
Series level(double value, std::size_t methods, std::string name, Index color) {
  return {.name = std::move(name),
          .x = {0.5, static_cast<double>(methods) + 0.5},
          .y = {value, value},
          .dash = Dash::dashed,
          .color = color};
}

Index count_scored(const Comparison& comparison) {
  return std::ranges::count_if(comparison.methods, [](const ComparedMethod& m) { return m.error.has_value(); });
}

}  // namespace

Chart fold_errors(const Comparison& comparison) {
  Chart chart{.panel = {.title = fmt::format("{} by fold", error_words(comparison)),
                        .x = {.names = names_in_order(comparison)},
                        .y = {.label = error_words(comparison)}},
              .caption =
                  "Small dots are folds, the same for all methods; means are shown with ± one standard error. Folds "
                  "differ in difficulty, so compare methods by the paired differences in the next chart."};
  Series folds{.name = "fold", .mark = Mark::points, .color = 5};
  double place = 0;
  for (const std::size_t m : methods_by_error(comparison)) {
    ++place;
    for (const FoldResult& fold : comparison.methods[m].folds) {
      if (!fold.failure.empty()) continue;
      folds.x.push_back(place);
      folds.y.push_back(fold.error);
    }
  }
  chart.panel.series.push_back(std::move(folds));
  chart.panel.series.push_back(means(comparison, &ComparedMethod::error, "mean"));
  if (comparison.baseline_error) {
    chart.panel.series.push_back(level(comparison.baseline_error->mean, comparison.methods.size(), "null model", 1));
  }
  return chart;
}

// With one method there is nothing to compare.
std::optional<Chart> excess_chart(const Comparison& comparison) {
  if (!comparison.best || count_scored(comparison) < 2) return std::nullopt;
  const std::string& best = comparison.methods[*comparison.best].method;
  return Chart{.panel = {.title = fmt::format("Difference in {} from {}", error_words(comparison), best),
                         .x = {.names = names_in_order(comparison)},
                         .y = {.label = "difference"},
                         .series = {means(comparison, &ComparedMethod::excess, "mean difference"),
                                    level(0, comparison.methods.size(), "no difference", 6)}},
               .caption = "Paired differences over folds, with ± one standard error."};
}

std::optional<Chart> calibration_chart(const Comparison& comparison) {
  const bool binary = family(comparison.family).is_binary();
  Chart chart{
      .panel = {.title = binary ? "Calibration: predicted probability and observed frequency"
                                : "Calibration: nominal and empirical coverage",
                .x = {.label = binary ? "predicted probability" : "nominal coverage", .minimum = 0, .maximum = 1},
                .y = {.label = binary ? "observed frequency" : "empirical coverage", .minimum = 0, .maximum = 1}},
      .caption = binary ? "Held-out rows in ten bins of predicted probability. Overconfident: above the diagonal on "
                          "the left and below it on the right."
                        : "Fraction of held-out rows inside their central prediction interval. Below the diagonal: "
                          "overconfident; above: underconfident.",
      .height = 340};
  chart.panel.series.push_back({.name = "ideal", .x = {0, 1}, .y = {0, 1}, .dash = Dash::dashed, .color = 6});
  // One line per method; the palette has eight colors and lines of similar methods overlap.
  constexpr Index most_lines = 6;
  for (const std::size_t m : methods_by_error(comparison)) {
    const ComparedMethod& method = comparison.methods[m];
    if (method.calibration.empty() || std::ssize(chart.panel.series) > most_lines) continue;
    Series series{
        .name = method.method, .mark = Mark::line_and_points, .color = static_cast<int>(chart.panel.series.size()) - 1};
    for (const CalibrationPoint& point : method.calibration) {
      series.x.push_back(point.expected);
      series.y.push_back(point.observed);
    }
    chart.panel.series.push_back(std::move(series));
  }
  if (chart.panel.series.size() < 2) return std::nullopt;
  if (count_scored(comparison) > most_lines) {
    chart.caption += fmt::format(" The {} methods with the lowest error are shown.", most_lines);
  }
  return chart;
}

// Share of the finished folds in which each method selects each feature: stability that one fit on all rows cannot
// show.
Chart selection_frequency_chart(const Comparison& comparison) {
  // Rows of the heat map whose names stay readable.
  constexpr Index most_features = 30;
  std::vector<SelectionCount> counts = features_by_count(comparison);
  const Index all = std::ssize(counts);
  counts.resize(std::min(all, most_features));
  const std::vector<std::size_t> order = methods_by_error(comparison);
  Matrix shares(std::ssize(counts), std::ssize(order));
  Axis features{.label = "feature"};
  for (Index v = 0; v < std::ssize(counts); ++v) {
    features.names.push_back(comparison.features[counts[v].feature]);
    for (Index k = 0; k < std::ssize(order); ++k) {
      const ComparedMethod& method = comparison.methods[order[k]];
      const auto folds = static_cast<double>(folds_that_select(method, counts[v].feature));
      shares(v, k) = method.scored > 0 ? folds / static_cast<double>(method.scored) : unknown;
    }
  }
  return {.panel = {.title = "Selection frequency over folds",
                    .x = {.label = "method", .names = names_in_order(comparison)},
                    .y = std::move(features),
                    // White is never; colors below zero do not occur.
                    .heat_map = HeatMap{.values = std::move(shares), .least = -1, .most = 1}},
          .caption = all > most_features
                         ? fmt::format("The {} features selected by most methods; the table below lists all {}.",
                                       most_features, all)
                         : "",
          .height = std::max(140.0, 24.0 * static_cast<double>(counts.size()))};
}

// Symmetric with ones on the diagonal; NaN, drawn as the middle color, where a method failed on all rows.
Chart agreement_chart(const Comparison& comparison) {
  const std::vector<std::size_t> order = methods_by_error(comparison);
  Matrix common(std::ssize(order), std::ssize(order));
  for (Index a = 0; a < std::ssize(order); ++a) {
    for (Index b = 0; b < std::ssize(order); ++b) {
      common(a, b) = comparison.agreement(order[a], order[b]);
    }
  }
  return {.panel = {.title = "Agreement of methods",
                    .x = {.label = "method", .names = names_in_order(comparison)},
                    .y = {.label = "method", .names = names_in_order(comparison)},
                    .heat_map = HeatMap{.values = std::move(common), .least = -1, .most = 1}},
          .caption = "Jaccard index of the features that two methods select on all rows.",
          .height = std::max(140.0, 30.0 * static_cast<double>(order.size()))};
}

}  // namespace tamis
