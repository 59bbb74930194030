// Features of a regression model as a table and as a chart.
//
// Listed     up to 100,000 features all, beyond that the strongest; in data order, as neighboring features may be
//            related.
// Effects    coefficient times standard deviation of the feature, comparable between units; intervals +- 1.96 posterior
//            standard deviations, drawn for the 5000 strongest only, which bounds the size of the page.
// Chart      bars with names up to 30 features; beyond that stems for selected features, with the 8 strongest named,
//            and dots for the others. Inclusion probabilities where the method has them, else effects.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "report/certainty_words.hpp"
#include "report/fit_charts.hpp"
#include "report/phrases.hpp"

namespace tamis {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 0.975
constexpr std::size_t most_with_names = 30;            // features whose names fit on an axis
constexpr std::size_t most_remarks = 8;
constexpr std::size_t most_drawn = 5000;  // features whose intervals are drawn: the others would be points at zero

std::vector<double> picked(const std::vector<double>& values, const std::vector<Index>& features) {
  std::vector<double> result;
  result.reserve(features.size());
  for (const Index j : features) result.push_back(values[j]);
  return result;
}

// value * sd(x_j): effect of a typical change of the feature; the value itself where spreads are not recorded.
std::vector<double> effects(const Fit& fit, const std::vector<Index>& features, std::vector<double> result) {
  if (fit.feature_spreads.size() != fit.coefficients.size()) return result;
  for (Index k = 0; k < std::ssize(features); ++k) {
    const double spread = fit.feature_spreads[features[k]];
    if (std::isfinite(spread)) result[k] *= spread;
  }
  return result;
}

// Rows of the table for `selected`, in its order. `features` is sorted, and selected features are always listed.
std::vector<Index> rows_of(const std::vector<Selected>& selected, const std::vector<Index>& features) {
  std::vector<Index> rows;
  for (const Selected& one : selected) {
    const auto at = std::lower_bound(features.begin(), features.end(), one.feature);
    if (at != features.end() && *at == one.feature) rows.push_back(at - features.begin());
  }
  return rows;
}

// Symmetric intervals from the posterior standard deviation; for spike-and-slab posteriors an approximation, which is
// why inclusion has a column of its own.
ListingColumn coefficient_column(const Fit& fit, const std::vector<Index>& features) {
  ListingColumn column{.title = "coefficient",
                       .meaning =
                           "estimate per unit of the feature (a posterior mean in Bayesian methods); intervals are ± "
                           "1.96 standard deviations",
                       .numbers = picked(fit.coefficients, features)};
  if (fit.standard_deviations.empty()) return column;
  for (Index k = 0; k < std::ssize(features); ++k) {
    const double half = normal_quantile * fit.standard_deviations[features[k]];
    column.lower.push_back(column.numbers[k] - half);
    column.upper.push_back(column.numbers[k] + half);
  }
  return column;
}

// Rows of the listing that are selected, as flags.
std::vector<bool> flags_of(const std::vector<Index>& rows, std::size_t count) {
  std::vector<bool> flags(count);
  for (const Index row : rows) flags[row] = true;
  return flags;
}

// Initial order of the table: by strength, then features outside the model in data order.
std::vector<Index> strongest_first(const Fit& fit, const std::vector<Index>& features) {
  std::vector<Index> order = rows_of(select_top(fit, std::ssize(fit.features)), features);
  const std::vector<bool> placed = flags_of(order, features.size());
  for (Index row = 0; row < std::ssize(features); ++row) {
    if (!placed[row]) order.push_back(row);
  }
  return order;
}

// Two series on common positions, so that selected features differ in color and in the legend.
void add_named_bars(const Fit& fit, const std::vector<Index>& features, const std::vector<double>& heights,
                    Panel& panel) {
  Series others{.name = "not selected", .mark = Mark::bars, .color = 0};
  Series chosen{.name = "selected", .mark = Mark::bars, .color = 1};
  const std::vector<bool> is_chosen = flags_of(rows_of(select_by_threshold(fit, 0.5), features), features.size());
  for (Index k = 0; k < std::ssize(features); ++k) {
    panel.x.names.push_back(short_name(fit.features[features[k]]));
    Series& series = is_chosen[k] ? chosen : others;
    series.x.push_back(static_cast<double>(k) + 1);
    series.y.push_back(heights[k]);
  }
  for (Series& series : std::array{others, chosen}) {
    if (!series.x.empty()) panel.series.push_back(std::move(series));
  }
}

// Selected features are stems with names, all others dots.
void add_stems_and_dots(const Fit& fit, const std::vector<Index>& features, const std::vector<double>& heights,
                        Panel& panel) {
  Series others{.name = "not selected", .mark = Mark::points, .color = 0};
  Series chosen{.name = "selected", .mark = Mark::stems, .color = 1};
  const std::vector<Index> rows = rows_of(select_by_threshold(fit, 0.5), features);
  const std::vector<bool> is_chosen = flags_of(rows, features.size());
  for (Index k = 0; k < std::ssize(features); ++k) {
    Series& series = is_chosen[k] ? chosen : others;
    series.x.push_back(static_cast<double>(k) + 1);
    series.y.push_back(heights[k]);
  }
  for (Index k = 0; k < std::min<Index>(most_remarks, std::ssize(rows)); ++k) {
    const Index row = rows[k];
    panel.remarks.push_back({static_cast<double>(row) + 1, heights[row], short_name(fit.features[features[row]])});
  }
  for (Series& series : std::array{others, chosen}) {
    if (!series.x.empty()) panel.series.push_back(std::move(series));
  }
}

}  // namespace

// Chosen by strength, then sorted back to data order.
std::vector<Index> listed_features(const Fit& fit) {
  const Index p = fit.features.size();
  std::vector<Index> features(p);
  std::iota(features.begin(), features.end(), Index{0});
  if (p <= most_listed) return features;
  features.clear();
  for (const Selected& one : select_top(fit, most_listed)) features.push_back(one.feature);
  std::sort(features.begin(), features.end());
  return features;
}

Listing feature_listing(const Fit& fit, const std::vector<Index>& features, const std::string& id) {
  Listing listing{.id = id, .title = "Coefficients", .marked_label = "selected"};
  listing.order = strongest_first(fit, features);
  ListingColumn names{.title = "feature"};
  for (const Index j : features) names.words.push_back(fit.features[j]);
  listing.columns.push_back(std::move(names));
  if (!fit.inclusion.empty()) {
    listing.columns.push_back({.title = inclusion_title(fit),
                               .meaning = is_approximate(fit)
                                              ? "approximate probability that the feature is included in the model; "
                                                "often too high where features are correlated"
                                              : "probability that the feature is included in the model",
                               .numbers = picked(fit.inclusion, features),
                               .share = true});
  }
  const ListingColumn coefficient = coefficient_column(fit, features);
  listing.columns.push_back(coefficient);
  if (fit.feature_spreads.size() == fit.coefficients.size()) {
    ListingColumn effect{
        .title = "effect",
        .meaning =
            "coefficient times the standard deviation of the feature, comparable between features of different units",
        .numbers = effects(fit, features, coefficient.numbers),
        .drawn = true};
    if (!coefficient.lower.empty()) {
      effect.lower = effects(fit, features, coefficient.lower);
      effect.upper = effects(fit, features, coefficient.upper);
      // NaN intervals are not drawn; coefficients remain.
      for (Index k = most_drawn; k < std::ssize(listing.order); ++k) {
        const Index row = listing.order[k];
        effect.lower[row] = effect.upper[row] = std::nan("");
      }
    }
    listing.columns.push_back(std::move(effect));
  }
  listing.marked = rows_of(select_by_threshold(fit, 0.5), features);
  return listing;
}

Chart feature_chart(const Fit& fit, const std::vector<Index>& features, const std::string& listing_id) {
  const bool has_inclusion = !fit.inclusion.empty();
  const std::vector<double> heights =
      has_inclusion ? picked(fit.inclusion, features) : effects(fit, features, picked(fit.coefficients, features));
  Chart chart;
  chart.panel.title = !has_inclusion        ? "Effects"
                      : is_approximate(fit) ? "Approximate inclusion probabilities"
                                            : "Inclusion probabilities";
  chart.panel.x.label = features.size() <= most_with_names ? "" : "feature, in data order";
  chart.panel.y.label = has_inclusion ? inclusion_title(fit) + " probability" : "coefficient × standard deviation";
  // A little above 1, so that markers at probability 1 are not cut.
  if (has_inclusion) chart.panel.y.minimum = 0, chart.panel.y.maximum = 1.06;
  chart.names_from = listing_id;
  chart.height = 320;
  if (features.size() <= most_with_names) {
    add_named_bars(fit, features, heights, chart.panel);
  } else {
    add_stems_and_dots(fit, features, heights, chart.panel);
    chart.caption = "Drag to zoom in, double-click to reset.";
  }
  return chart;
}

}  // namespace tamis
