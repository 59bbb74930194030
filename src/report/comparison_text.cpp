// Method comparison as text for a terminal of 100 columns.
// Layout     headline, table of scores, explanation of its columns, selected features by method, agreement, findings.
//            Columns are the same as on the page, with fewer digits.
// Names      method names are the program's own; feature names come from files and are shortened by display width,
//            after control characters have been replaced (printable.cpp).
// Missing    "-": an empty cell could be an error of the output.
#include "tamis/report/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "report/comparison_order.hpp"
#include "report/comparison_sentences.hpp"
#include "report/wrapped.hpp"
#include "tamis/family/family.hpp"
#include "tamis/report/printable.hpp"
#include "tamis/report/table.hpp"

namespace tamis {
namespace {

constexpr Index page_width = 100;

// A name in its own width, cut if it is longer than `most`.
std::string shortened(const std::string& name, Index most) {
  return fitted(name, std::min(most, display_width(printable(name))));
}

// Missing values are a dash.
std::string cell(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}
std::string cell(const std::optional<FoldMean>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), value->mean) : "-";
}
// Standard error to two digits.
std::string se_cell(const std::optional<FoldMean>& value) {
  return value ? cell(value->standard_error, "{:.2g}") : "-";
}

// Paired difference from the best method; the best has none.
std::string excess_cell(const ComparedMethod& method, bool is_best) {
  return is_best ? "best" : cell(method.excess, "{:.3g}");
}

using Titles = std::vector<std::string_view>;

// The same columns as comparison_page.cpp; rows by error, the best method first.
std::string score_table(const Comparison& comparison) {
  const bool binary = family(comparison.family).is_binary();
  std::vector<TableColumn> columns;
  const std::string_view error = family(comparison.family).words().error_column;
  for (const std::string_view title : Titles{"method", error, "se", "excess", "se", "log score", "se"}) {
    columns.push_back({.title = std::string(title), .cells = {}, .left = columns.empty()});
  }
  for (const std::string_view title : binary ? Titles{"cal. error", "slope"} : Titles{"90% cov."}) {
    columns.push_back({.title = std::string(title), .cells = {}});
  }
  for (const char* title : {"selected", "per fold", "stability", "seconds"}) {
    columns.push_back({.title = title, .cells = {}});
  }
  for (const Index m : methods_by_error(comparison)) {
    const ComparedMethod& method = comparison.methods[m];
    const bool is_best = comparison.best == m;
    std::vector<std::string> cells = {method.method,
                                      cell(method.error, "{:.4g}"),
                                      se_cell(method.error),
                                      excess_cell(method, is_best),
                                      is_best ? "" : se_cell(method.excess),
                                      cell(method.log_score, "{:.4g}"),
                                      se_cell(method.log_score)};
    if (binary) {
      cells.push_back(cell(method.calibration_error, "{:.3f}"));
      cells.push_back(cell(method.calibration_slope, "{:.2f}"));
    } else {
      cells.push_back(cell(method.coverage, "{:.3f}"));
    }
    cells.push_back(method.fit ? fmt::format("{}", method.kept.size()) : "-");
    cells.push_back(cell(method.kept_count, "{:.1f}"));
    cells.push_back(cell(method.stability, "{:.2f}"));
    cells.push_back(method.scored > 0 ? fmt::format("{:.2g}", method.seconds) : "-");
    for (Index c = 0; c < std::ssize(cells); ++c) columns[c].cells.push_back(std::move(cells[c]));
  }
  return text_table(columns);
}

std::string meaning(const Comparison& comparison) {
  const Family& compared = family(comparison.family);
  const std::string calibration =
      compared.is_binary()
          ? "cal. error: mean absolute difference between predicted probability and observed frequency, 0 is ideal; "
            "slope: calibration slope, 1 is ideal, below 1 is overconfident"
          : "90% cov.: fraction of held-out rows inside their 90% prediction interval";
  return fmt::format(
      "{}: {}; excess: difference from the best method, paired by fold; se: standard error over folds; log score: mean "
      "log predictive density of a held-out row, higher is better; {}; selected: number of features selected on all "
      "rows; per fold: mean number selected in a fold; stability: of the selection over folds (Nogueira et al. 2018), "
      "1 identical, 0 as expected by chance; seconds: mean time of a fit.",
      compared.words().error_column, error_meaning(comparison), calibration);
}

// Selection by one method: a star for all rows, and the number of folds ("." for none).
TableColumn selection_column(const ComparedMethod& method, std::span<const SelectionCount> counts) {
  TableColumn column{.title = method.method, .cells = {}};
  for (const SelectionCount& count : counts) {
    const Index folds = folds_that_select(method, count.feature);
    column.cells.push_back(
        fmt::format("{}{}", selects(method, count.feature) ? "*" : "", folds > 0 ? fmt::format("{}", folds) : "."));
  }
  return column;
}

std::string selection_table(const Comparison& comparison, Index most) {
  const std::vector<SelectionCount> all = features_by_count(comparison);
  if (all.empty()) return "No method selects any feature.\n";
  const std::span<const SelectionCount> counts = span_of(all.data(), std::clamp<Index>(most, 0, std::ssize(all)));
  std::vector<TableColumn> columns = {{.title = "feature", .cells = {}, .left = true}};
  Index used = 0;
  for (const std::size_t m : methods_by_error(comparison)) {
    columns.push_back(selection_column(comparison.methods[m], counts));
    used += 2 + std::max<Index>(3, display_width(columns.back().title));
  }
  // Feature names get what the methods' columns leave of the page width.
  const Index widest = std::clamp<Index>(page_width - used, 12, 36);
  for (const SelectionCount& count : counts) {
    columns[0].cells.push_back(shortened(comparison.features[count.feature], widest));
  }
  std::string text = text_table(columns);
  if (all.size() > counts.size()) text += fmt::format("and {} more\n", all.size() - counts.size());
  return text;
}

// In percent without decimals: a matrix of methods has to fit in the page width.
std::string agreement_table(const Comparison& comparison) {
  const std::vector<std::size_t> order = methods_by_error(comparison);
  std::vector<TableColumn> columns = {{.title = "", .cells = {}, .left = true}};
  for (const std::size_t b : order) {
    columns[0].cells.push_back(comparison.methods[b].method);
    TableColumn column{.title = comparison.methods[b].method, .cells = {}};
    for (const std::size_t a : order) {
      const double value = comparison.agreement(a, b);
      column.cells.push_back(std::isnan(value) ? "-" : fmt::format("{:.0f}", 100 * value));
    }
    columns.push_back(std::move(column));
  }
  return text_table(columns);
}

}  // namespace

std::string text_report(const Comparison& comparison, Index most) {
  std::string text = wrapped(printable(comparison_headline(comparison)), page_width) + "\n" + score_table(comparison) +
                     "\n" + wrapped(meaning(comparison), page_width) + "\n";
  text += fmt::format("Features selected on all rows (*) and number of folds, out of {}, that select them:\n",
                      comparison.finished_folds) +
          selection_table(comparison, most) + "\n";
  if (comparison.methods.size() > 1) {
    text += "Agreement of the selections on all rows (Jaccard index, %):\n" + agreement_table(comparison) + "\n";
  }
  for (const Finding& finding : comparison_findings(comparison)) {
    text += wrapped(printable(finding.words), page_width);
  }
  return text;
}

}  // namespace tamis
