// Charts and tables of a factor model: sizes, activity, loadings, scores, search over the number of factors.
// Scale      heat maps are diverging and symmetric about zero, with the largest absolute value at the ends, since the
//            signs of factors are arbitrary.
// Large data heat maps show at most 600 cells across, evenly spaced, and say so; averages of neighboring rows would
// show a pattern that no row has.
// Unused     factors whose contribution is zero (factor_sizes.cpp) are listed as not used instead of being hidden: the
//            number of factors asked for remains visible.
#include "report/factor_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/factor_sizes.hpp"
#include "report/fit_charts.hpp"
#include "report/phrases.hpp"

namespace tamis {
namespace {

constexpr Index most_cells_across = 600;  // cells of a heat map side by side: more would be narrower than a pixel

double largest(const Matrix& matrix) {
  // 1 for a matrix of zeros: the color scale needs a positive width.
  double most = 0;
  for (Index j = 0; j < matrix.cols(); ++j) {
    for (const double value : matrix.column(j)) {
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
    }
  }
  return most > 0 ? most : 1;
}

std::vector<std::string> factor_names(Index factors) {
  std::vector<std::string> names;
  for (Index k = 0; k < factors; ++k) names.push_back(fmt::format("{}", k + 1));
  return names;
}

// Positions 0, step, 2 step, ... below `count`, at most most_cells_across.
std::vector<Index> spaced(Index count) {
  const Index step = std::max<Index>(1, (count + most_cells_across - 1) / most_cells_across);
  std::vector<Index> places;
  for (Index i = 0; i < count; i += step) places.push_back(i);
  return places;
}

// 22 pixels per factor, within limits: names of factors stay readable and a page of a hundred factors short.
Chart heat_chart(std::string title, Matrix values, double most, std::string x_label) {
  Chart chart;
  chart.panel.title = std::move(title);
  chart.panel.x.label = std::move(x_label);
  chart.panel.y = {.label = "factor", .names = factor_names(values.rows())};
  chart.height = std::clamp(22.0 * static_cast<double>(values.rows()), 110.0, 420.0);
  chart.panel.heat_map = HeatMap{.values = std::move(values), .least = -most, .most = most};
  return chart;
}

// Bars start at zero, as lengths are compared.
Chart bar_chart(std::string title, std::string label, const std::vector<double>& heights, std::string caption) {
  Chart chart;
  chart.panel.title = std::move(title);
  chart.panel.x = {.label = "factor", .names = factor_names(std::ssize(heights))};
  chart.panel.y = {.label = std::move(label), .minimum = 0};
  Series bars{.y = heights, .mark = Mark::bars};
  bars.x.resize(heights.size());
  std::iota(bars.x.begin(), bars.x.end(), 1.0);
  chart.panel.series = {std::move(bars)};
  chart.caption = std::move(caption);
  chart.height = 230;
  return chart;
}

// The columns with the largest absolute loadings: "legs 1.2, wings -0.8". Stable sort: ties in data order.
std::string strongest_columns(const FactorFit& fit, Index k) {
  constexpr Index most = 6;
  std::vector<Index> order(fit.loadings.cols());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(fit.loadings(k, a)) > std::abs(fit.loadings(k, b)); });
  std::string words;
  for (Index i = 0; i < std::min(most, fit.loadings.cols()); ++i) {
    const Index d = order[i];
    words += fmt::format("{}{} {}", i > 0 ? ", " : "", short_name(fit.columns[d]), rounded(fit.loadings(k, d), 3));
  }
  return words;
}

}  // namespace

// Activity exists only for priors with a spike, under which scores are exactly zero with positive probability.
std::vector<Chart> activity_charts(const FactorFit& fit) {
  std::vector<Chart> charts = {bar_chart("Size", "root mean square", factor_sizes(fit),
                                         "Root mean square contribution of a factor to the predictor of a cell.")};
  if (!fit.factor_rates.empty()) {
    charts.push_back(bar_chart("Activity", "fraction of rows", fit.factor_rates,
                               "Fraction of rows in which the score of a factor is nonzero."));
    charts.back().panel.y.maximum = 1;
  }
  return charts;
}

Listing factor_listing(const FactorFit& fit) {
  Listing listing{.title = "Factors", .marked_label = "used"};
  ListingColumn number{.title = "factor"}, columns{.title = "largest loadings"};
  const std::vector<double> sizes = factor_sizes(fit);
  for (Index k = 0; k < fit.factors; ++k) {
    const bool used = sizes[k] > 0;
    number.words.push_back(fmt::format("{}", k + 1));
    columns.words.push_back(used ? strongest_columns(fit, k) : "(not used)");
    if (used) listing.marked.push_back(k);
  }
  listing.columns = {
      std::move(number),
      {.title = "size", .meaning = "root mean square contribution to the predictor of a cell", .numbers = sizes}};
  if (!fit.factor_rates.empty()) {
    listing.columns.push_back({.title = "activity",
                               .meaning = "fraction of rows in which it is active",
                               .numbers = fit.factor_rates,
                               .share = true});
  }
  listing.columns.push_back(std::move(columns));
  return listing;
}

// One image per factor on a common color scale, so that factors are comparable.
Images loading_images(const FactorFit& fit, ImageShape shape) {
  Images images{
      .title = "Loadings", .caption = "Table columns as pixels in row-major order.", .most = largest(fit.loadings)};
  std::vector<double> pixels(fit.loadings.cols());
  for (Index k = 0; k < fit.factors; ++k) {
    for (Index d = 0; d < fit.loadings.cols(); ++d) pixels[d] = fit.loadings(k, d);
    images.images.push_back(as_image(pixels, shape));
    images.names.push_back(fmt::format("factor {}", k + 1));
  }
  return images;
}

Chart loading_chart(const FactorFit& fit) {
  const std::vector<Index> places = spaced(fit.loadings.cols());
  Matrix values(fit.factors, std::ssize(places));
  for (Index j = 0; j < values.cols(); ++j) {
    for (Index k = 0; k < fit.factors; ++k) values(k, j) = fit.loadings(k, places[j]);
  }
  Chart chart = heat_chart("Loadings", std::move(values), largest(fit.loadings), "column");
  for (const Index d : places) chart.panel.x.names.push_back(short_name(fit.columns[d]));
  if (std::ssize(places) < fit.loadings.cols()) {
    chart.caption = fmt::format("Every {}th column is shown.", places[1]);
  }
  return chart;
}

std::vector<Chart> score_charts(const FactorFit& fit) {
  const std::vector<Index> places = spaced(fit.rows);
  const auto drawn = [&](const Matrix& matrix) {
    Matrix values(fit.factors, std::ssize(places));
    for (Index j = 0; j < values.cols(); ++j) {
      for (Index k = 0; k < fit.factors; ++k) values(k, j) = matrix(places[j], k);
    }
    return values;
  };
  std::vector<Chart> charts = {heat_chart("Scores", drawn(fit.scores), largest(fit.scores), "row")};
  if (fit.inclusion.rows() > 0) {
    charts.push_back(heat_chart("Inclusion probabilities of scores", drawn(fit.inclusion), 1, "row"));
    charts.back().caption = "Probability that a score is nonzero.";
  }
  if (std::ssize(places) < fit.rows) {
    charts.front().caption = fmt::format("Every {}th row is shown.", places[1]);
  }
  return charts;
}

// NLP and RMSE in two charts: their units differ, and their minima need not agree. The rule marks the number chosen.
std::vector<Chart> search_charts(const FactorFit& fit) {
  if (fit.search.size() < 2) return {};
  Series bits{.name = "NLP", .mark = Mark::line_and_points},
      errors{.name = "RMSE", .mark = Mark::line_and_points, .color = 1};
  for (const FactorSearchPoint& point : fit.search) {
    bits.x.push_back(static_cast<double>(point.factors));
    bits.y.push_back(point.nlp_bits);
    errors.x.push_back(static_cast<double>(point.factors));
    errors.y.push_back(point.rmse);
  }
  Chart nlp, rmse;
  nlp.panel = {.title = "Held-out NLP", .x = {.label = "factors"}, .y = {.label = "bits"}, .series = {std::move(bits)}};
  rmse.panel = {
      .title = "Held-out RMSE", .x = {.label = "factors"}, .y = {.label = "RMSE"}, .series = {std::move(errors)}};
  nlp.panel.rules = rmse.panel.rules = {static_cast<double>(fit.factors)};
  return {std::move(nlp), std::move(rmse)};
}

}  // namespace tamis
