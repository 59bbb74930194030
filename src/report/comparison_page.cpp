// Method comparison as a page: findings, scores, calibration, selected features, settings.
// Scores     one table with a column for each score and one for its standard error, rounded to two digits: an estimate
//            from ten folds is not known to more. Missing scores are NaN, an empty cell on the page.
// Wording    sentences come from comparison_sentences.cpp, as in the text report; every column has its definition as a
//            tooltip.
// Settings   all that is needed to repeat the comparison: options that were set, seed, folds, version.
#include "tamis/report/comparison_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "report/comparison_charts.hpp"
#include "report/comparison_order.hpp"
#include "report/comparison_sentences.hpp"
#include "report/fit_sentences.hpp"
#include "report/phrases.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

using Order = std::vector<std::size_t>;

ListingColumn column(const Comparison& comparison, const Order& order, std::string title, std::string meaning,
                     const std::function<std::optional<double>(const ComparedMethod&)>& value) {
  ListingColumn result{.title = std::move(title), .meaning = std::move(meaning)};
  for (const std::size_t m : order) result.numbers.push_back(value(comparison.methods[m]).value_or(unknown));
  return result;
}

// Rounded to two digits through text: the page stores numbers, not strings, so that tables can be sorted.
std::optional<double> two_digits(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return std::strtod(fmt::format("{:.2g}", *value).c_str(), nullptr);
}

// Mean over folds and, in the next column, its standard error.
void add_mean(const Comparison& comparison, const Order& order, std::string title, std::string meaning,
              std::optional<FoldMean> ComparedMethod::*score, std::vector<ListingColumn>& columns) {
  columns.push_back(column(comparison, order, std::move(title), std::move(meaning), [&](const ComparedMethod& method) {
    return method.*score ? std::optional((method.*score)->mean) : std::nullopt;
  }));
  columns.push_back(column(comparison, order, "se", "standard error over folds", [&](const ComparedMethod& method) {
    return method.*score ? two_digits((method.*score)->standard_error) : std::nullopt;
  }));
}

ListingColumn names(const Comparison& comparison, const Order& order) {
  ListingColumn result{.title = "method"};
  for (const std::size_t m : order) result.words.push_back(comparison.methods[m].method);
  return result;
}

// Coverage for families with intervals, calibration error and slope for probabilities.
void add_calibration_columns(const Comparison& comparison, const Order& order, std::vector<ListingColumn>& columns) {
  if (!family(comparison.family).is_binary()) {
    add_mean(comparison, order, "90% coverage", "fraction of held-out rows inside their 90% prediction interval",
             &ComparedMethod::coverage, columns);
    return;
  }
  columns.push_back(column(comparison, order, "calibration error",
                           "mean absolute difference between predicted probability and observed frequency; 0 is ideal",
                           [](const ComparedMethod& m) { return m.calibration_error; }));
  columns.push_back(column(comparison, order, "slope", "calibration slope; 1 is ideal, below 1 is overconfident",
                           [](const ComparedMethod& m) { return m.calibration_slope; }));
}

// Definitions of the columns are part of the table, so that a page is understood without the manual.
Listing score_listing(const Comparison& comparison) {
  const Order order = methods_by_error(comparison);
  std::vector<ListingColumn> columns = {names(comparison, order)};
  add_mean(comparison, order, error_words(comparison), error_meaning(comparison) + "; lower is better",
           &ComparedMethod::error, columns);
  add_mean(comparison, order, "excess", "difference in error from the best method, paired by fold",
           &ComparedMethod::excess, columns);
  add_mean(comparison, order, "log score", "mean log predictive density of a held-out row; higher is better",
           &ComparedMethod::log_score, columns);
  add_calibration_columns(comparison, order, columns);
  columns.push_back(column(comparison, order, "selected", "number of features selected by the fit on all rows",
                           [](const ComparedMethod& m) {
                             return m.fit ? std::optional(static_cast<double>(m.kept.size())) : std::nullopt;
                           }));
  columns.push_back(
      column(comparison, order, "per fold", "mean number of features selected in a fold",
             [](const ComparedMethod& m) { return m.kept_count ? std::optional(m.kept_count->mean) : std::nullopt; }));
  columns.push_back(
      column(comparison, order, "stability",
             "stability of the selection over folds (Nogueira et al. 2018): 1 identical, 0 as expected by chance",
             [](const ComparedMethod& m) { return two_digits(m.stability); }));
  columns.push_back(column(comparison, order, "seconds", "mean time of a fit in a fold", [](const ComparedMethod& m) {
    return m.scored > 0 ? two_digits(m.seconds) : std::nullopt;
  }));
  return {.title = "Scores",
          .caption =
              "Means over folds. Folds share training rows, so standard errors are approximate and do not provide a "
              "significance test.",
          .columns = std::move(columns)};
}

// All features that any method selects, and in how many folds each method selects them.
Listing selection_listing(const Comparison& comparison) {
  const std::vector<SelectionCount> counts = features_by_count(comparison);
  ListingColumn feature{.title = "feature"},
      methods{.title = "methods", .meaning = "number of methods that select the feature on all rows"};
  for (const SelectionCount& count : counts) {
    feature.words.push_back(comparison.features[count.feature]);
    methods.numbers.push_back(static_cast<double>(count.methods));
  }
  Listing listing{.title = "Features selected by each method",
                  .caption = fmt::format("Features that a method selects on all rows or in a fold; for each method the "
                                         "number of folds, out of {}, in which it selects the feature.",
                                         comparison.finished_folds),
                  .columns = {feature, methods},
                  .marked_label = "selected by the best method on all rows"};
  for (const std::size_t m : methods_by_error(comparison)) {
    const ComparedMethod& method = comparison.methods[m];
    ListingColumn folds{.title = method.method, .meaning = "number of folds that select the feature"};
    for (const SelectionCount& count : counts) {
      folds.numbers.push_back(method.scored > 0 ? static_cast<double>(folds_that_select(method, count.feature))
                                                : unknown);
    }
    listing.columns.push_back(std::move(folds));
  }
  if (!comparison.best) return listing;
  const ComparedMethod& best = comparison.methods[*comparison.best];
  for (Index v = 0; v < std::ssize(counts); ++v) {
    if (selects(best, counts[v].feature)) listing.marked.push_back(v);
  }
  return listing;
}

// Key figures: enough to decide whether to read on.
Figures key_figures(const Comparison& comparison) {
  Figures figures;
  if (comparison.best) {
    const ComparedMethod& best = comparison.methods[*comparison.best];
    figures.facts.push_back({"best method", best.method});
    figures.facts.push_back({error_words(comparison), fmt::format("{:.4g}", best.error->mean)});
  }
  if (comparison.baseline_error) {
    figures.facts.push_back(
        {"null model " + error_words(comparison), fmt::format("{:.4g}", comparison.baseline_error->mean)});
  }
  figures.facts.push_back({"methods", fmt::format("{}", comparison.methods.size())});
  figures.facts.push_back({"folds", fmt::format("{}", comparison.finished_folds)});
  return figures;
}

FactList provenance(const Comparison& comparison) {
  FactList list{.title = "Settings", .facts = {}};
  const auto add = [&](std::string name, std::string value) {
    list.facts.push_back({std::move(name), std::move(value)});
  };
  if (!comparison.target.empty()) add("target", comparison.target);
  add("family", comparison.family);
  add("rows", fmt::format("{}", comparison.samples));
  add("features", fmt::format("{}", comparison.features.size()));
  add("folds", fmt::format("{} of {}", comparison.finished_folds, comparison.folds));
  add("seed", fmt::format("{}", comparison.seed));
  for (const ComparedMethod& method : comparison.methods) {
    for (const Fact& option : option_facts(method.options)) add(method.method + "." + option.name, option.value);
  }
  for (const LeftOut& one : comparison.left_out) add(one.method + ", skipped", one.reason);
  add("time", duration(comparison.seconds));
  add("tamis", comparison.library_version);
  return list;
}

}  // namespace

// Order of sections: findings, performance, calibration, features, settings; charts without data are left out.
Page comparison_page(const Comparison& comparison) {
  Summary summary;
  for (const Finding& finding : comparison_findings(comparison)) {
    summary.sentences.push_back({finding.is_caution ? Tone::caution : Tone::finding, finding.words});
  }
  std::vector<std::string> labels;
  std::vector<const Fit*> fits;
  for (const ComparedMethod& method : comparison.methods) {
    if (!method.fit) continue;
    labels.push_back(method.method);
    fits.push_back(&*method.fit);
  }
  for (Sentence& sentence : joint_cautions(labels, fits, true)) summary.sentences.push_back(std::move(sentence));
  std::stable_partition(summary.sentences.begin(), summary.sentences.end(),
                        [](const Sentence& one) { return one.tone != Tone::caution; });
  Section scores{.title = "Predictive performance", .blocks = {score_listing(comparison), fold_errors(comparison)}};
  if (std::optional<Chart> excess = excess_chart(comparison)) scores.blocks.emplace_back(std::move(*excess));
  Sheet sheet{.name = "comparison",
              .title = "Method comparison",
              .note = comparison_headline(comparison),
              .sections = {{.blocks = {key_figures(comparison), std::move(summary)}}, std::move(scores)}};
  if (std::optional<Chart> calibration = calibration_chart(comparison)) {
    sheet.sections.push_back({.title = "Calibration of predictive distributions", .blocks = {std::move(*calibration)}});
  }
  sheet.sections.push_back(
      {.title = "Selected features",
       .blocks = {selection_frequency_chart(comparison), agreement_chart(comparison), selection_listing(comparison)}});
  sheet.sections.push_back({.blocks = {provenance(comparison)}});
  const std::string about = comparison.target.empty() ? "" : " for " + comparison.target;
  return {.title = "tamis: method comparison" + about, .sheets = {std::move(sheet)}};
}

}  // namespace tamis
